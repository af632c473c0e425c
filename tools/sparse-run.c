/* sparse-run: compiles and runs, now, an expression on files or a function of a .mlir file. */
#include "complain.h"
#include "lac_kernel.h"
#include "lac_temporary.h"
#include "run_expression.h"
#include "source.h"
#include "threads.h"
#include "version.h"

#include <llvm/Config/llvm-config.h>
#include <stdio.h>

static void tell(void *data, const char *severity, const char *message) {
  (void)data;
  fprintf(stderr, "%s: %s\n", severity, message);
}

static int run(const options *o) {
  compiler *c = compiler_create();
  if (!c) {
    complain("no memory");
    return 1;
  }
  compiler_listen(c, tell, NULL);
  lac_kernel_force(o->force);
  lac_kernel_force_by("--force");
  int status = source_is_file(o->program) ? run_module(o, c) : run_expression(o, c);
  compiler_free(c);
  return status;
}

int main(int argc, char **argv) {
  options o;
  int status = 0;
  lac_temporary_clean_up();
  if (!options_parse(argc, argv, &o))
    status = 1;
  else if (o.help)
    options_print_help();
  else if (o.version)
    version_print("sparse-run", LLVM_VERSION_STRING);
  else
    status = threads_prepare(o.threads) ? run(&o) : 1;
  if (!status)
    status = !output_is_written();
  options_free(&o);
  return status;
}

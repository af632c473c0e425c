/* sparse-lsp-server - mlir-lsp-server with the dialects of Lacuna: an editor starts it and speaks
 * the Language Server Protocol with it on standard input and output. */
#include "bridge.h"
#include "complain.h"
#include "level_format.h"
#include "version.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

/* Loads what `--load-level-format LIBRARY` names and takes it out of the arguments; false, after a
 * message, where one cannot be loaded. */
static bool load_level_formats(int *argc, char **argv) {
  static const char flag[] = "--load-level-format";
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    const char *problem, *library = NULL;
    if (!strncmp(argv[i], flag, strlen(flag)) && argv[i][strlen(flag)] == '=')
      library = argv[i] + sizeof flag;
    else if (!strcmp(argv[i], flag) && i + 1 < *argc)
      library = argv[++i];
    else
      argv[kept++] = argv[i];
    if (library && !level_format_load(library, &problem))
      return complain("%s %s: %s", flag, library, problem);
  }
  *argc = kept;
  return true;
}

int main(int argc, char **argv) {
  if (version_asked(argc, argv)) {
    version_print("sparse-lsp-server", LLVM_VERSION_STRING);
    return !output_is_written();
  }
  if (!load_level_formats(&argc, argv))
    return 1;
  return lacuna_lsp_main(argc, argv);
}

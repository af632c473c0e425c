/* sparse-cc: compiles an expression, or the functions of a .mlir file, ahead of time. */
#include "translate.h"

#include "complain.h"
#include "emit.h"
#include "file.h"
#include "header.h"
#include "lac_temporary.h"
#include "link.h"
#include "nearest.h"
#include "source.h"
#include "version.h"

#include <errno.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What can be made: by its name, and by the end of the output's. */
typedef struct kind {
  const char *name, *ending;
  const char *rung; /* of emit.h */
  bool is_binary;
} kind;

static const kind kinds[] = {
    {"obj", ".o", "obj", true},
    {"so", ".so", "obj", true},
    {"asm", ".s", "asm", false},
    {"llvm", ".ll", "llvm", false},
    {"ptx", ".ptx", "ptx", false},
    {"cubin", ".cubin", "cubin", false},
    {"gpu", NULL, "gpu", false},
    {"mlir", ".mlir", "mlir", false},
    {"sit", NULL, "sit", false},
    {"cin", NULL, "cin", false},
    {"tin", NULL, "tin", false},
    {"dot", ".dot", "dot", false},
    {"explanation", NULL, "explanation", false},
    {"schedule", NULL, "schedule", false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool ends_with(const char *text, const char *ending) {
  size_t length = strlen(text), end = strlen(ending);
  return length >= end && !strcmp(text + length - end, ending);
}

static const kind *refuse_kind(const cc_options *o) {
  nearest near = nearest_to(o->emit ? o->emit : "");
  for (int i = 0; i < KINDS; i++)
    nearest_offer(&near, kinds[i].name);
  if (o->emit)
    complain("unknown output '%s'; expected obj, so, asm, llvm, ptx, cubin, gpu, mlir, sit, cin, "
             "tin, dot%s",
             o->emit, nearest_hint(&near));
  else
    complain("%s: expected a name that ends in .o .so .s .ll .ptx .cubin or .mlir, or --emit",
             o->output);
  return NULL;
}

static const kind *choose_kind(const cc_options *o) {
  for (int i = 0; o->emit && i < KINDS; i++)
    if (!strcmp(kinds[i].name, o->emit))
      return &kinds[i];
  for (int i = 0; !o->emit && o->output && i < KINDS; i++)
    if (kinds[i].ending && ends_with(o->output, kinds[i].ending))
      return &kinds[i];
  if (!o->emit && !o->output)
    return &kinds[0];
  return refuse_kind(o);
}

//--- Names of files ------------------------------------------------------------------------------

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* What a program's outputs are called: its file without .mlir, or its function. */
static char *stem(arena *memory, const cc_options *o) {
  if (!source_is_file(o->program))
    return arena_format(memory, "%s", o->name ? o->name : "kernel");
  const char *base = base_name(o->program);
  return arena_text(memory, base, strlen(base) - strlen(".mlir"));
}

static const char *output_name(arena *memory, const cc_options *o, const kind *k) {
  if (o->output || !k->is_binary)
    return o->output;
  return arena_format(memory, strcmp(k->name, "so") ? "%s.o" : "lib%s.so", stem(memory, o));
}

/* Beside the output, without its ending and its "lib": dir/libspmv.so has dir/spmv.h. */
static const char *header_name(arena *memory, const char *output) {
  const char *base = base_name(output), *dot = strrchr(base, '.');
  int folder = (int)(base - output);
  if (!strncmp(base, "lib", 3) && ends_with(base, ".so") && dot > base + 3)
    base += 3;
  int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  return arena_format(memory, "%.*s%.*s.h", folder, output, length, base);
}

//--- Output --------------------------------------------------------------------------------------

static bool write_bytes(const char *path, const char *bytes, size_t size) {
  if (path && strcmp(path, "-") != 0)
    return file_write(path, bytes, size) || complain_file(path, "cannot be written");
  fwrite(bytes, 1, size, stdout);
  return output_is_written();
}

static bool prepare_header(const translation *t, const char *output, file_pending *file) {
  const char *path = t->o->header ? t->o->header : header_name(t->memory, output);
  header h = {base_name(path),   t->o->program, t->o->threads > 1,
              t->function_count, t->functions,  compiler_context(t->c)};
  char *text = header_text(&h);
  bool prepared = text ? file_prepare(file, path, text, strlen(text)) ||
                             complain_file(path, "cannot be written")
                       : complain("no memory");
  free(text);
  return prepared;
}

/* The header gets its name only once the code has its own, so that neither is left without the
 * other. */
static bool write_binary(const translation *t, const kind *k, const char *bytes, size_t size) {
  const char *output = output_name(t->memory, t->o, k);
  file_pending header = {0};
  if (strcmp(output, "-") != 0 && !prepare_header(t, output, &header))
    return false;
  bool written = strcmp(k->name, "so")
                     ? write_bytes(output, bytes, size)
                     : link_library(output, bytes, size, t->o->linker, t->o->threads > 1);
  if (!written)
    file_abandon(&header);
  return written && (file_commit(&header) || complain_file(header.path, "cannot be written"));
}

static bool run(const cc_options *o, compiler *c) {
  const kind *k = choose_kind(o);
  translation t = {0};
  size_t size = 0;
  if (!k)
    return false;
  if (!strcmp(k->name, "so") && o->output && !strcmp(o->output, "-")) {
    complain("a shared library is written to a file, found -o -");
    return false;
  }
  char *bytes = translation_begin(&t, o, c) ? translation_emit(&t, k->rung, &size) : NULL;
  bool done = bytes && (k->is_binary ? write_binary(&t, k, bytes, size)
                                     : write_bytes(o->output, bytes, size));
  free(bytes);
  translation_end(&t);
  return done;
}

static void tell(void *data, const char *severity, const char *message) {
  (void)data;
  fprintf(stderr, "%s: %s\n", severity, message);
}

static int compile(const cc_options *o) {
  compiler *c = compiler_create();
  if (!c) {
    complain("no memory");
    return 1;
  }
  compiler_listen(c, tell, NULL);
  bool done = run(o, c);
  compiler_free(c);
  return done ? 0 : 1;
}

int main(int argc, char **argv) {
  cc_options o;
  int status = 0;
  lac_temporary_clean_up();
  if (!cc_options_parse(argc, argv, &o))
    status = 1;
  else if (o.help)
    cc_options_print_help();
  else if (o.version)
    version_print("sparse-cc", LLVM_VERSION_STRING);
  else
    status = compile(&o);
  if (o.help || o.version)
    status = !output_is_written();
  cc_options_free(&o);
  return status;
}

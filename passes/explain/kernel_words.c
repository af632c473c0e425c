/* kernel_words.c - kernels in words (kernel_words.h). */
#include "kernel_words.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <stdlib.h>
#include <string.h>

const char *variable_words(arena *memory, MlirValue variable) {
  MlirStringRef name = provenance_name(variable);
  return arena_text(memory, name.data, name.length);
}

const char *title_words(arena *memory, const char *result, int count, const char *const *operands) {
  const char *title = arena_format(memory, "%s%s", result, count ? " from" : "");
  for (int i = 0; i < count; i++)
    title = arena_format(memory, "%s%s %s", title, i ? "," : "", operands[i]);
  return title;
}

const char *kernel_title(arena *memory, MlirOperation kernel) {
  MlirBlock block = op_block(kernel, 0);
  int count = (int)mlirBlockGetNumArguments(block) - 1;
  const char **operands = ARENA_ARRAY(memory, const char *, count + 1);
  for (int i = 0; i < count; i++)
    operands[i] = cin_tensor_bare_name(memory, kernel, mlirBlockGetArgument(block, i));
  const char *result = cin_tensor_bare_name(memory, kernel, cin_kernel_result(kernel));
  return title_words(memory, result, count, operands);
}

const char *access_words(arena *memory, MlirOperation kernel, MlirOperation access) {
  const char *tensor = cin_tensor_bare_name(memory, kernel, cin_access_tensor(access));
  const char *words = arena_format(memory, "%s(", tensor);
  for (intptr_t d = 0; d < cin_access_rank(access); d++) {
    MlirValue bare = cin_access_bare(access, d);
    words = arena_format(memory, "%s%s%s", words, d ? "," : "",
                         mlirValueIsNull(bare) ? "..." : variable_words(memory, bare));
  }
  return arena_format(memory, "%s)", words);
}

/* Copies `text` up to `end` with d0, d1, ... as the variables' names. */
static const char *with_names(arena *memory, MlirOperation remap, const char *text,
                              const char *end) {
  const char *named = "";
  while (text < end) {
    char *behind = (char *)text + 1;
    bool is_dimension = *text == 'd' && text[1] >= '0' && text[1] <= '9';
    long d = is_dimension ? strtol(text + 1, &behind, 10) : 0;
    MlirStringRef name = is_dimension && d < cin_remap_variable_count(remap)
                             ? provenance_name(cin_remap_variable(remap, d))
                             : mlirStringRefCreate(text, (size_t)(behind - text));
    named = arena_format(memory, "%s%.*s", named, TEXT(name));
    text = behind;
  }
  return named;
}

const char *kernel_remap_words(arena *memory, MlirOperation remap) {
  const char *text = attribute_text(memory, mlirAffineMapAttrGet(cin_remap_map(remap)));
  const char *begin = strstr(text, "-> ("), *end = strrchr(text, ')');
  return begin && end > begin ? with_names(memory, remap, begin + strlen("-> ("), end) : "remap";
}

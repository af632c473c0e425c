/* explain_walks.c - the walks of a sit.kernel in words: what is walked at a variable, together with
 * what, and what the machine does for it. */
#include "explain_parts.h"

#include "sit.h"

#include <mlir-c/BuiltinAttributes.h>
#include <string.h>

static const char *strategy_text(explained *e, MlirStringRef name) {
  const char *words = e->strategy_words(name);
  return words ? words : arena_text(e->memory, name.data, name.length);
}

/* "A, B and C" */
static const char *walked_words(explained *e, MlirOperation kernel, MlirOperation loop) {
  intptr_t count = sit_coiterate_count(loop);
  const char *words = "";
  for (intptr_t i = 0; i < count; i++)
    words = arena_format(e->memory, "%s%s%s", words,
                         !i              ? ""
                         : i + 1 < count ? ", "
                                         : " and ",
                         cin_tensor_bare_name(e->memory, kernel, sit_coiterate_tensor(loop, i)));
  return words;
}

/* Whether all must have an entry: there is one case, of all of them. */
static bool intersects(MlirOperation loop) {
  return sit_coiterate_case_count(loop) == 1 &&
         sit_coiterate_case_size(loop, 0) == sit_coiterate_count(loop);
}

static const char *meeting_words(explained *e, MlirOperation loop) {
  if (!sit_coiterate_count(loop))
    return "every coordinate is visited";
  if (!mlirValueIsNull(sit_coiterate_extent(loop)))
    return " is walked along while every coordinate is visited";
  if (sit_coiterate_count(loop) == 1)
    return " is walked, entry by entry";
  return intersects(loop)
             ? " are walked together; only where all have an entry is there anything to compute"
             : arena_format(e->memory,
                            " are walked together, wherever one has an entry "
                            "that counts (%ld cases)",
                            (long)sit_coiterate_case_count(loop));
}

static bool uses_scratch(MlirOperation loop) {
  for (intptr_t i = 0; i < sit_coiterate_count(loop); i++)
    if (sit_coiterate_uses_scratch(loop, i))
      return true;
  return false;
}

static const char *strategies_words(explained *e, MlirOperation loop) {
  MlirAttribute said = sit_coiterate_strategies(loop);
  const char *words = "";
  intptr_t count = mlirAttributeIsNull(said) ? 0 : mlirDictionaryAttrGetNumElements(said);
  for (intptr_t i = 0; i < count; i++) {
    MlirStringRef name = mlirIdentifierStr(mlirDictionaryAttrGetElement(said, i).name);
    words =
        arena_format(e->memory, "%s%s%s", words, i ? ", " : "; the loop ", strategy_text(e, name));
  }
  return words;
}

static void explain_walk(explained *e, MlirOperation kernel, MlirOperation loop) {
  explained_add_once(
      e, arena_format(e->memory, "at %.*s, %s%s%s%s", TEXT(op_text(loop, "variable")),
                      walked_words(e, kernel, loop), meeting_words(e, loop),
                      uses_scratch(loop) ? ", sorted first" : "", strategies_words(e, loop)));
}

/* Where a loop does nothing but store a constant: the tensor that begins there; null. */
static MlirValue begun_in(MlirOperation loop) {
  MlirValue none = {NULL};
  if (sit_coiterate_count(loop) || sit_coiterate_case_count(loop) != 1)
    return none;
  for (OPERATIONS(op, sit_coiterate_case_body(loop, 0)))
    if (sit_is_store(op) && op_is(value_owner(sit_op_value(op)), "arith.constant"))
      return sit_op_tensor(op);
  return none;
}

static void explain_start(explained *e, MlirOperation kernel, MlirOperation loop,
                          MlirValue tensor) {
  explained_add_once(e, arena_format(e->memory,
                                     "at %.*s, '%s' begins, right before anything is added to it",
                                     TEXT(op_text(loop, "variable")),
                                     cin_tensor_bare_name(e->memory, kernel, tensor)));
}

static bool has_strategies(MlirOperation loop) {
  MlirAttribute said = sit_coiterate_strategies(loop);
  return !mlirAttributeIsNull(said) && mlirDictionaryAttrGetNumElements(said) > 0;
}

/* Of a loop that walks nothing only the strategies are news, and what begins there. */
void explain_walks(explained *e, MlirOperation kernel) {
  op_list loops = ops_below(e->memory, kernel, sit_is_coiterate);
  for (int c = 0; c < loops.count; c++) {
    MlirValue begun = begun_in(loops.ops[c]);
    if (!mlirValueIsNull(begun))
      explain_start(e, kernel, loops.ops[c], begun);
    else if (sit_coiterate_count(loops.ops[c]) > 0 || has_strategies(loops.ops[c]))
      explain_walk(e, kernel, loops.ops[c]);
  }
}

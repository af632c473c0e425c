/* division.c - functions that call each other, or use one variable, stay together:
 *
 *     @kernel -> @kernel_kernel -> @text_0        @kernel @kernel_kernel @text_0
 *     @pack_0 -> @pack_0_kernel -> @text_0  --->  @pack_0 @pack_0_kernel @text_0 @pack_1
 *     @pack_1 -> @pack_0
 *
 * What only one module sees and none changes (internal constants), and what is declared, each takes
 * along that uses it.  The parts go largest first to the module that has least; those that are
 * entered by cold functions only, into modules of their own.
 */
#include "division.h"

#include "ir.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdlib.h>
#include <string.h>

/* A symbol of the module. */
typedef struct symbol {
  MlirOperation op;
  MlirStringRef name;
  bool copied; /* into each module that uses it */
  bool
      often; /* called by others than cold functions; of the first one whether any of the part is */
  int part;  /* the number of a symbol of the same part, its own for the first one */
  int size;  /* operations, of the first one those of the part */
  int module; /* that the part comes to */
  int *uses, use_count;
} symbol;

typedef struct division {
  arena *memory;
  symbol *symbols;
  int count;
  bool whole; /* there is something that is no symbol */
} division;

//--- Symbols and their uses ----------------------------------------------------------------------

static bool is_internal(MlirOperation op) {
  MlirAttribute linkage = op_attribute(op, "linkage");
  return !mlirAttributeIsNull(linkage) &&
         !strcmp(attribute_words(linkage).text, "#llvm.linkage<internal>");
}

static bool has_body(MlirOperation op) {
  return mlirOperationGetNumRegions(op) && !mlirBlockIsNull(op_block(op, 0));
}

static bool is_copied(MlirOperation op) {
  if (op_is(op, "llvm.func"))
    return !has_body(op);
  return !op_is(op, "llvm.mlir.global") || (is_internal(op) && op_has(op, "constant"));
}

static bool is_word(MlirAttribute attribute, const char *word) {
  return mlirAttributeIsAString(attribute) &&
         mlirStringRefEqual(mlirStringAttrGetValue(attribute),
                            mlirStringRefCreateFromCString(word));
}

static bool is_cold(MlirOperation op) {
  MlirAttribute traits = op_attribute(op, "passthrough");
  if (mlirAttributeIsNull(traits) || !mlirAttributeIsAArray(traits))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(traits); i++)
    if (is_word(mlirArrayAttrGetElement(traits, i), "cold"))
      return true;
  return false;
}

static bool is_called_often(MlirOperation op) {
  return op_is(op, "llvm.func") && has_body(op) && !is_internal(op) && !is_cold(op);
}

static bool count_operation(MlirOperation op, void *size) {
  (void)op;
  ++*(int *)size;
  return true;
}

static symbol make_symbol(MlirOperation op, int number) {
  symbol made = {.op = op,
                 .name = op_text(op, "sym_name"),
                 .copied = is_copied(op),
                 .often = is_called_often(op),
                 .part = number,
                 .size = 1};
  visit_below(op, count_operation, &made.size);
  return made;
}

static void find_symbols(division *d, MlirBlock body) {
  int room = 0;
  for (OPERATIONS(op, body))
    room++;
  d->symbols = ARENA_ARRAY(d->memory, symbol, room + 1);
  for (OPERATIONS(op, body)) {
    d->whole |= !op_has(op, "sym_name");
    d->symbols[d->count] = make_symbol(op, d->count);
    d->count++;
  }
}

static int symbol_named(const division *d, MlirStringRef name) {
  for (int i = 0; i < d->count; i++)
    if (mlirStringRefEqual(d->symbols[i].name, name))
      return i;
  return -1;
}

/* The uses of one symbol, being found. */
typedef struct finding {
  division *d;
  symbol *of;
} finding;

static void add_use(finding *f, int used) {
  for (int i = 0; i < f->of->use_count; i++)
    if (used < 0 || f->of->uses[i] == used)
      return;
  if (used >= 0 && f->of->use_count < f->d->count)
    f->of->uses[f->of->use_count++] = used;
}

static void find_in(finding *f, MlirAttribute attribute) {
  if (mlirAttributeIsASymbolRef(attribute))
    add_use(f, symbol_named(f->d, mlirSymbolRefAttrGetRootReference(attribute)));
  for (intptr_t i = 0;
       mlirAttributeIsAArray(attribute) && i < mlirArrayAttrGetNumElements(attribute); i++)
    find_in(f, mlirArrayAttrGetElement(attribute, i));
}

static bool find_uses_of(MlirOperation op, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); i++)
    find_in(data, mlirOperationGetAttribute(op, i).attribute);
  return true;
}

static void find_uses(division *d) {
  for (int i = 0; i < d->count; i++) {
    finding f = {d, &d->symbols[i]};
    f.of->uses = ARENA_ARRAY(d->memory, int, d->count);
    find_uses_of(f.of->op, &f);
    visit_below(f.of->op, find_uses_of, &f);
  }
}

//--- Parts ---------------------------------------------------------------------------------------

static int part_of(const division *d, int number) {
  while (d->symbols[number].part != number)
    number = d->symbols[number].part;
  return number;
}

/* Calls `visit` for the symbol and whatever it reaches. */
typedef void symbol_visitor(division *d, int from, int reached);
static void reach(division *d, bool *seen, int from, int number, symbol_visitor *visit) {
  if (seen[number])
    return;
  seen[number] = true;
  visit(d, from, number);
  for (int i = 0; i < d->symbols[number].use_count; i++)
    reach(d, seen, from, d->symbols[number].uses[i], visit);
}

static void join(division *d, int from, int reached) {
  int part = part_of(d, from), other = part_of(d, reached);
  if (part == other || d->symbols[reached].copied)
    return;
  d->symbols[other].part = part;
  d->symbols[part].size += d->symbols[other].size;
  d->symbols[part].often |= d->symbols[other].often;
}

static void find_parts(division *d) {
  for (int i = 0; i < d->count; i++)
    if (!d->symbols[i].copied)
      reach(d, ARENA_ARRAY(d->memory, bool, d->count), i, i, join);
}

static bool is_first(const division *d, int number) {
  return !d->symbols[number].copied && d->symbols[number].part == number;
}

/* Of the parts that are called often, or of the others, that have no module yet. */
static int largest_left(const division *d, bool often) {
  int largest = -1;
  for (int i = 0; i < d->count; i++)
    if (is_first(d, i) && d->symbols[i].often == often && d->symbols[i].module < 0 &&
        (largest < 0 || d->symbols[i].size > d->symbols[largest].size))
      largest = i;
  return largest;
}

static int least_of(const int *sizes, int count) {
  int least = 0;
  for (int i = 1; i < count; i++)
    if (sizes[i] < sizes[least])
      least = i;
  return least;
}

/* Gives each part that is called often, or each of the others, one of at most `most` modules from
 * `first` on; returns how many there are. */
static int assign_some(division *d, bool often, int first, int most) {
  int *sizes = ARENA_ARRAY(d->memory, int, most), used = 0;
  for (int part; (part = largest_left(d, often)) >= 0;) {
    int module = least_of(sizes, most);
    sizes[module] += d->symbols[part].size;
    d->symbols[part].module = first + module;
    used = module >= used ? module + 1 : used;
  }
  return used;
}

/* Gives each part a module; returns how many there are. */
static int assign_modules(division *d, int most) {
  for (int i = 0; i < d->count; i++)
    d->symbols[i].module = -1;
  bool both = largest_left(d, true) >= 0 && largest_left(d, false) >= 0;
  int often = assign_some(d, true, 0, both && most > 1 ? most - 1 : most);
  return often + assign_some(d, false, often, most > often ? most - often : 1);
}

//--- Modules -------------------------------------------------------------------------------------

static MlirModule module_like(MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  MlirModule made = mlirModuleCreateEmpty(mlirOperationGetLocation(op));
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); i++) {
    MlirNamedAttribute a = mlirOperationGetDiscardableAttribute(op, i);
    mlirOperationSetDiscardableAttributeByName(mlirModuleGetOperation(made),
                                               mlirIdentifierStr(a.name), a.attribute);
  }
  return made;
}

static void take(division *d, int from, int reached) {
  (void)from;
  d->symbols[reached].module = d->symbols[part_of(d, from)].module;
}

static MlirModule make_module(division *d, MlirModule module, int number) {
  MlirModule made = module_like(module);
  bool *seen = ARENA_ARRAY(d->memory, bool, d->count);
  for (int i = 0; i < d->count; i++)
    if (!d->symbols[i].copied && d->symbols[part_of(d, i)].module == number)
      reach(d, seen, i, i, take);
  for (int i = 0; i < d->count; i++)
    if (seen[i])
      mlirBlockAppendOwnedOperation(mlirModuleGetBody(made), mlirOperationClone(d->symbols[i].op));
  return made;
}

static MlirModule copy_of(MlirModule module) {
  return mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(module)));
}

MlirModule *division_create(MlirModule module, int most, int *count) {
  division d = {.memory = arena_create()};
  MlirModule *modules = calloc((size_t)most + 1, sizeof *modules);
  find_symbols(&d, mlirModuleGetBody(module));
  *count = 0;
  if (!d.whole) {
    find_uses(&d);
    find_parts(&d);
    *count = assign_modules(&d, most);
  }
  if (modules && *count <= 1) {
    *count = 1;
    modules[0] = copy_of(module);
  } else {
    for (int i = 0; modules && i < *count; i++)
      modules[i] = make_module(&d, module, i);
  }
  arena_free(d.memory);
  return modules;
}

void division_free(MlirModule *modules, int count) {
  for (int i = 0; modules && i < count; i++)
    mlirModuleDestroy(modules[i]);
  free(modules);
}

/* builder.h - writes imperative IR (scf, memref, arith, func) so that the code that makes it reads
 * like the code that it makes.
 *
 *     builder *b = builder_create(context, location);
 *     builder_at_end(b, block);
 *     variable sum = var_make(b, zero);
 *     MlirValue p = for_begin(b, begin, end, one);
 *       var_set(b, sum, combine(b, TIN_ADD, var_get(b, sum), load(b, values, p), false));
 *     for_end(b);
 *     ... var_get(b, sum) ...
 *
 * Variables are SSA underneath: for_begin, while_begin and if_begin carry every variable that is
 * alive through the region, and for_end, while_end, if_end drop again those that the region did not
 * set.  So whoever emits code sets and gets variables freely and never threads values by hand.
 * Inside a parallel loop variables made outside can be read but not set.
 */
#ifndef LACUNA_BUILDER_H
#define LACUNA_BUILDER_H

#include "plugin_symbols.h"
#include "tin.h"

#include <mlir-c/IR.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct builder builder;

/* A builder at `location`, with no place to insert yet.  builder_free frees the builder, not the
 * IR. */
builder *builder_create(MlirContext context, MlirLocation location);
void builder_free(builder *b);

MlirContext builder_context(const builder *b);
MlirLocation builder_location(const builder *b);
void builder_set_location(builder *b, MlirLocation location);

/* Reports an error at the builder's location; what is made after that may be wrong. Whether one was
 * reported: the pass must fail then. */
void builder_error(builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool builder_failed(const builder *b);

/* Where the next operation goes: at the end of `block` (before its terminator if it has one), or
 * before `op`. */
void builder_at_end(builder *b, MlirBlock block);
void builder_before(builder *b, MlirOperation op);
MlirBlock builder_block(const builder *b);

/* Any operation: inserts `op` here and returns it; the generic maker below takes operands, result
 * types and named attributes. */
MlirOperation insert_op(builder *b, MlirOperation op);
MlirOperation make_op(builder *b, const char *name, intptr_t operand_count,
                      const MlirValue *operands, intptr_t result_count, const MlirType *results,
                      intptr_t attribute_count, const MlirNamedAttribute *attributes);
MlirNamedAttribute named(builder *b, const char *name, MlirAttribute attribute);
MlirValue op_result(MlirOperation op, intptr_t i);

/* Types. */
MlirType type_index(const builder *b);
MlirType type_i(const builder *b, unsigned width);
MlirType type_ptr(const builder *b);                      /* !llvm.ptr */
MlirType type_memref(const builder *b, MlirType element); /* memref<?xT> */
bool type_is_float(MlirType type);
bool type_is_integer(MlirType type);
bool type_is_complex(MlirType type);
int64_t type_bytes(MlirType type); /* that an element of it takes in memory */

/* Constants: an index; an integer of the type; a scalar of any element type (complex: the real
 * part) with value `x`; a typed attribute. */
MlirValue constant_index(builder *b, int64_t x);
MlirValue constant_integer(builder *b, MlirType type, int64_t x);
MlirValue constant_bool(builder *b, bool x);
MlirValue constant_scalar(builder *b, MlirType type, double x);
MlirValue constant_attr(builder *b, MlirAttribute typed);

/* Whether `v` is a constant index, and which. */
bool value_is_constant_index(MlirValue v, int64_t *x);

/* Index and integer arithmetic.  Operands have one type; positions and coordinates are never
 * negative. Folds constants and identities (x + 0, x * 1). */
MlirValue add(builder *b, MlirValue x, MlirValue y);
MlirValue sub(builder *b, MlirValue x, MlirValue y);
MlirValue mul(builder *b, MlirValue x, MlirValue y);
MlirValue floor_div(builder *b, MlirValue x, MlirValue y);
MlirValue ceil_div(builder *b, MlirValue x, MlirValue y);
MlirValue floor_mod(builder *b, MlirValue x, MlirValue y);
MlirValue shift_right(builder *b, MlirValue x, MlirValue bits);
MlirValue shift_left(builder *b, MlirValue x, MlirValue bits);
MlirValue min_i(builder *b, MlirValue x, MlirValue y);
MlirValue max_i(builder *b, MlirValue x, MlirValue y);
MlirValue less(builder *b, MlirValue x, MlirValue y); /* signed */
MlirValue less_equal(builder *b, MlirValue x, MlirValue y);
MlirValue equal(builder *b, MlirValue x, MlirValue y);
MlirValue not_equal(builder *b, MlirValue x, MlirValue y);
/* Of two scalars of any element type, and of a float where one is no number. */
MlirValue differs(builder *b, MlirValue x, MlirValue y);
MlirValue and_i(builder *b, MlirValue x, MlirValue y);
MlirValue or_i(builder *b, MlirValue x, MlirValue y);
MlirValue not_i1(builder *b, MlirValue x);
MlirValue select_value(builder *b, MlirValue condition, MlirValue x, MlirValue y);

/* An index to an integer of another width and back; stored coordinates are unsigned
 * (zero-extended). */
MlirValue index_cast(builder *b, MlirValue v, MlirType type);

/* What the operation `name` of one operand, as "arith.extui" or "complex.re", makes of a value. */
MlirValue convert_value(builder *b, const char *name, MlirValue v, MlirType type);

/* Reduction of two scalars of one type by `kind` ("add", "mul", "min", "max", "and", "or", "xor"),
 * float adds and muls flagged reassoc and contract unless `strict`; and the identity of the kind
 * for the type. */
MlirValue combine(builder *b, tin_reduction kind, MlirValue x, MlirValue y, bool strict);
MlirAttribute combine_identity(builder *b, tin_reduction kind, MlirType type);

/* Memory: one-dimensional memrefs. */
MlirValue load(builder *b, MlirValue memref, MlirValue i);
void store(builder *b, MlirValue value, MlirValue memref, MlirValue i);
MlirValue memref_length(builder *b, MlirValue memref);

/* Lanes: vectors of `lanes` consecutive elements, and the element type of one (of a scalar, its own
 * type). A mask has the first `count` lanes; where one is given (null: all lanes) the others load
 * zero and are not stored. */
MlirType type_lanes(MlirType element, int64_t lanes);
MlirType type_element(MlirType type);
MlirValue broadcast(builder *b, MlirValue x, int64_t lanes);
MlirValue lanes_mask(builder *b, MlirValue count, int64_t lanes);
MlirValue load_lanes(builder *b, MlirValue memref, MlirValue i, int64_t lanes, MlirValue mask);
void store_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i, MlirValue mask);
/* A line of memory and of the caches. Whole ones, stored past the caches: other threads see them
 * for sure once this one has come to a `fence`. And whether an element is where a line begins (i1).
 */
enum { LINE_BYTES = 64 };
void stream_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i);
MlirValue begins_line(builder *b, MlirValue memref, MlirValue i, int64_t element_bytes);
void fence(builder *b);
/* As load_lanes, but lanes outside of the mask are what lane 0 is. */
MlirValue load_lanes_or_first(builder *b, MlirValue memref, MlirValue i, int64_t lanes,
                              MlirValue mask);
/* As load_lanes, but of lanes that are `step` apart, not 0, up or down from that at i: nothing is
 * read but what lies between the first and the last, or between those of the mask. */
MlirValue load_lanes_strided(builder *b, MlirValue memref, MlirValue i, int64_t step, int64_t lanes,
                             MlirValue mask);
/* Whether a mask (of 4, 8, 16, 32 or 64 lanes) has any; a mask of 64 lanes as an index, lane 0 its
 * lowest bit; one lane in all lanes. */
MlirValue any_lane(builder *b, MlirValue mask);
MlirValue lanes_as_bits(builder *b, MlirValue mask);
MlirValue broadcast_lane(builder *b, MlirValue lanes, int64_t lane);
/* The elements at i + spread[lane], 0 in lanes that are not in the mask; the same by a load for
 * each lane, where those outside of the mask (null: all are in it) are any element, one of which
 * there must be.  The lanes of integers as indices (zero-extended); how many lanes (4, 8, 16, 32 or
 * 64) a mask has, and the first that it has (their number without any), as indices; `x` and all
 * lanes reduced by `kind`, as combine. */
MlirValue gather_lanes(builder *b, MlirValue memref, MlirValue i, MlirValue spread, MlirValue mask);
MlirValue gather_lanes_by_loads(builder *b, MlirValue memref, MlirValue i, MlirValue spread,
                                MlirValue mask);
/* Stores lanes of the mask (null: all of them) at i + spread[lane]. */
void scatter_lanes(builder *b, MlirValue value, MlirValue memref, MlirValue i, MlirValue spread,
                   MlirValue mask);
MlirValue lanes_as_index(builder *b, MlirValue lanes);
MlirValue count_lanes(builder *b, MlirValue mask);
MlirValue first_lane(builder *b, MlirValue mask);
MlirValue reduce_lanes(builder *b, tin_reduction kind, MlirValue x, MlirValue lanes, bool strict);
/* Brings the cache line of element i nearer, which need not be there. */
void prefetch(builder *b, MlirValue memref, MlirValue i);

/* A call of `name`, declared in the enclosing module (func.func private) on first use; `result` is
 * null where there is none (a null value is then returned). */
MlirValue call(builder *b, const char *name, MlirType result, intptr_t count,
               const MlirValue *arguments);

/* The same of a function that is seldom reached: branches with such a call are laid out of the way.
 */
MlirValue call_seldom(builder *b, const char *name, MlirType result, intptr_t count,
                      const MlirValue *arguments);

/* The address (!llvm.ptr) of a NUL-terminated constant text, one global for each text in the
 * module. */
MlirValue constant_text(builder *b, const char *text);

/* Loads and stores through a pointer: element type T at byte offset. */
MlirValue load_field(builder *b, MlirValue ptr, int64_t byte_offset, MlirType type);
/* An integer that other threads may write at the same time. */
MlirValue load_shared(builder *b, MlirValue ptr, MlirType type);
void store_field(builder *b, MlirValue value, MlirValue ptr, int64_t byte_offset);

/* Element i (index) of an array at a pointer, of `type`: for arrays that move, as pointers and not
 * memrefs go well through loops. */
MlirValue load_element(builder *b, MlirValue ptr, MlirValue i, MlirType type);
void store_element(builder *b, MlirValue value, MlirValue ptr, MlirValue i);
/* Where it is (!llvm.ptr); not of a complex type. */
MlirValue element_pointer(builder *b, MlirValue ptr, MlirValue i, MlirType type);

/* A memref<?xT> over `length` elements at `ptr` (an unrealized cast of a descriptor, gone after
 * lowering). */
MlirValue memref_from_pointer(builder *b, MlirValue ptr, MlirValue length, MlirType element);
/* Where the first element of a memref is (!llvm.ptr). */
MlirValue memref_pointer(builder *b, MlirValue memref);

/* Memory for `count` elements on the stack (!llvm.ptr), undefined at first. Not for loops. */
MlirValue stack_array(builder *b, MlirType element, int64_t count);

/* Variables. */
typedef struct variable {
  int slot;
} variable;
variable var_make(builder *b, MlirValue init);
MlirValue var_get(const builder *b, variable v);
void var_set(builder *b, variable v, MlirValue value);
bool var_can_set(const builder *b, variable v); /* not if made outside of a parallel loop here */
/* Variables made since `mark` end: a scope. */
int var_mark(const builder *b);
void var_release(builder *b, int mark);

/* Structured control.  Begins and ends nest. for_begin returns the induction variable.  A value
 * made inside a region is seen only there, one made in the condition of a while not in its body:
 * what goes on goes through variables.  Until its end a region is not yet in the module: its
 * operations have no parent. */
MlirValue for_begin(builder *b, MlirValue begin, MlirValue end, MlirValue step);
void for_end(builder *b);
void while_begin(builder *b);                   /* code of the condition follows */
void while_do(builder *b, MlirValue condition); /* code of the body follows */
void while_end(builder *b);
void if_begin(builder *b, MlirValue condition);
void if_else(builder *b);
void if_end(builder *b); /* an absent else branch is empty */
MlirValue parallel_begin(builder *b, MlirValue begin, MlirValue end, MlirValue step);
MlirOperation parallel_end(builder *b); /* the loop */
/* What a GPU runs: `blocks` blocks of `threads` threads, each of which finds its numbers here; made
 * where launch_end is, as gpu.launch.  Variables made outside can be read but not set inside.
 * `status` is where the host has the function's (lac_kernel.h), which it says in the kernel.
 * Memory of `count` elements: launch_shared, that the threads of a block share; launch_private, of
 * each thread's own, which becomes registers where all places are known.
 * launch_is_around: whether the code being made is in one. */
typedef struct launch {
  MlirValue block, thread, blocks, threads;
} launch;
launch launch_begin(builder *b, MlirValue blocks, MlirValue threads, MlirValue status);
MlirValue launch_shared(builder *b, MlirType element, int64_t count);
MlirValue launch_private(builder *b, MlirType element, int64_t count);
void launch_end(builder *b);
bool launch_is_around(const builder *b);
/* The code for each number below `count`, on the threads of a launch of its own. */
typedef void launched_code(void *data, MlirValue number);
void launch_each(builder *b, MlirValue count, MlirValue status, launched_code *code, void *data);

/* How many threads run one at most, i32: one, and OpenMP is not asked, where the visits that a loop
 * was said to make are too few for several. */
MlirValue parallel_threads(builder *b);

/* for_begin of a loop that LLVM neither vectorizes nor unrolls: one that seldom goes round, or
 * where each round waits for the one before. */
MlirValue for_begin_plain(builder *b, MlirValue begin, MlirValue end, MlirValue step);

/* LLVM makes `factor` iterations of the innermost for or while that is open into one, whether it
 * would by itself or not: with 1 it unrolls nothing; with 0 it is left to decide. */
void loop_unroll(builder *b, int64_t factor);

#ifdef __cplusplus
}
#endif
#endif

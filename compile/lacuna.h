/* lacuna.h - liblacuna: sparse kernels made, compiled and run inside a program in C or C++.
 *
 *     lacuna_compiler *c = lacuna_open();
 *     lacuna_options how = lacuna_options_default();
 *     lacuna_kernel *k = lacuna_compile_text(c, text, "spmv", &how);
 *     if (!k)
 *       fprintf(stderr, "error: %s\n", lacuna_error(c));
 *     else if (lacuna_call(k, "spmv", (void *[]){&y, &A, &x}))
 *       fprintf(stderr, "error: %s\n", lac_error_message());
 *     lacuna_kernel_free(k);
 *     lacuna_close(c);
 *
 * A program is a module: as text, in the notation of docs/language.md, or built by the functions of
 * mlir-c and of tin.h, which this library exports.  Each of its public functions on tensors becomes
 *
 *     int32_t f(lac_tensor *result, ..., const lac_tensor *operand, ...);
 *
 * A tensor is a lac_tensor (lac_tensor.h): a hierarchy of levels (Chou et al. 2018, section 3.1),
 * each with its arrays.  Operands' arrays stay their owner's: they are read where they are, never
 * copied and never written, and need to live only as long as the call.  They are stored as the
 * function's types say, level by level: the kinds, and for each array its width in bytes (pos and
 * crd of the #tin.format in bits, divided by 8).  Results are made anew: what a result held and
 * owned before is freed, then it owns its arrays, until lac_tensor_free.  A result must be none of
 * the operands.
 *
 * NULL, for what must be there, is refused as any other mistake is: a status or NULL comes back,
 * and a message.  Pointers that are neither NULL nor anyone's cannot be told from others.
 *
 * Errors: compiling gives NULL, with a message in lacuna_error that has a location where there is
 * one.  Running gives a lac_status (lac_tensor.h), with a message of the calling thread in
 * lac_error_message (lac_error.h); then results are empty.  Neither ends the process, except that
 * the compiler ends it where memory runs out, as LLVM does.
 *
 * Threads: a compiler, and what is made in its context, belongs to one thread at a time; several
 * may be open side by side.  A kernel belongs to no compiler and no thread: its functions may be
 * called from any, at the same time.
 */
#ifndef LACUNA_LACUNA_H
#define LACUNA_LACUNA_H

#include "cin.h"
#include "register.h"
#include "sit.h"
#include "tin.h"

#include "lac_error.h"
#include "lac_lend.h"
#include "lac_tensor.h"
#include "lac_version.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

//--- Other tools on MLIR
//---------------------------------------------------------------------------

/* Lacuna's dialects go into a registry by lacuna_register_dialects (register.h), each of them by
 * mlirGetDialectHandle__tin__, __cin__, __sit__; its passes, and the pipelines sparse-cpu and
 * sit-to-llvm, into MLIR's registry of passes, once however often it is called, by this.  The
 * library is also a plug-in of mlir-opt: --load-dialect-plugin=liblacuna.so
 * --load-pass-plugin=liblacuna.so --pass-pipeline="builtin.module(sparse-cpu)". */
void lacuna_register_all_passes(void);

//--- Compilers -----------------------------------------------------------------------------------

typedef struct lacuna_compiler lacuna_compiler;

/* A compiler, with a context that has the dialects tin, func, arith, math and complex loaded; NULL
 * when memory runs out. lacuna_close frees it, and all attributes and types of its context; modules
 * must be destroyed before. */
lacuna_compiler *lacuna_open(void);
void lacuna_close(lacuna_compiler *c);
MlirContext lacuna_context(const lacuna_compiler *c);

/* The first error of the last function here that failed: `name:line:column: message`, or the
 * message alone.  The compiler's, until the next call.  Functions on modules and types leave theirs
 * with the compiler whose context it was; without one nothing can be said. */
const char *lacuna_error(const lacuna_compiler *c);

/* Called with each remark of the passes (an operand is converted, ...), of severity "remark" or
 * "warning"; dropped where nobody listens. */
typedef void lacuna_listener(void *data, const char *severity, const char *message);
void lacuna_listen(lacuna_compiler *c, lacuna_listener *listener, void *data);

//--- Modules -------------------------------------------------------------------------------------

/* Loads a shared library of level formats of one's own (docs/adding-a-level-format.md), for all
 * compilers of the process and as long as it runs; one that is loaded already changes nothing.
 * False where it cannot be loaded, a format's name is taken, or it was compiled against another
 * version of level_format.h.  No other compiler may be at work meanwhile. */
bool lacuna_load_level_format(lacuna_compiler *c, const char *library);

/* The #tin.format of a name ("csr", "csc", "coo", "csf:2,0,1", ...), a list of levels
 * ("dense,compressed") or a text of it, for tensors of `order` dimensions; a null attribute where
 * there is none. */
MlirAttribute lacuna_format(lacuna_compiler *c, const char *name, int order);

/* A tensor type, of order 0 to 64: `dimensions` has the size of each, or -1 where any will do
 * (NULL: all of them); `format` is a #tin.format, or a null attribute for dense and row-major.  A
 * null type where the format is for tensors of another order. */
MlirType lacuna_tensor_type(int order, const int64_t *dimensions, MlirType element,
                            MlirAttribute format);

/* Appends a public function to the module and returns its entry block, whose arguments are the
 * operands; a null block where something is missing.  The block is to end with lacuna_return of as
 * many values as there are results. */
MlirBlock lacuna_function(MlirModule module, const char *name, intptr_t operand_count,
                          const MlirType *operands, intptr_t result_count, const MlirType *results);
void lacuna_return(MlirBlock block, intptr_t count, const MlirValue *values);

/* Says in a module which tensors a function is to expect: `operands` has one for each of its
 * operands, in their order, as large as those that it will be called with, and with about as many
 * entries (tin.holds of docs/dialects.md; of a tensor, its order, dimensions and the number of its
 * values are read, and of one stored in rows or columns how many each has).  Loops, conversions and
 * workspaces are chosen for such, and right for any.  False where there is no such function, or a
 * tensor is NULL or of another order than the operand. */
bool lacuna_expect(lacuna_compiler *c, MlirModule module, const char *function,
                   const lac_tensor *const *operands);

//--- Kernels -------------------------------------------------------------------------------------

/* Where compiled code is kept, to be found again for the same module, options, machine and build of
 * everything that took part: in this process, or in files under $XDG_CACHE_HOME/lacuna or
 * ~/.cache/lacuna, which may be deleted at any time, and of which those used least lately are, once
 * they have more than LACUNA_CACHE_SIZE bytes (256M) together.  LACUNA_CACHE=off in the environment
 * turns both off. */
enum { LACUNA_CACHE_MEMORY = 1, LACUNA_CACHE_DISK = 2 };

typedef struct lacuna_options {
  const char *schedule; /* commands of docs/schedules.md; "" for none */
  int64_t threads;      /* on which what is safe in parallel runs, 0 to 1024; 1: none; 0: as OpenMP
                           has it.  lac_threads_set says otherwise for a call. */
  bool strict;          /* keep the program's order in floating-point sums */
  bool deterministic;   /* the same bits on any number of threads, one included */
  unsigned cache;       /* a set of the above */
  const char *cpu; /* that code is for, as LLVM names it: "x86-64-v3"; NULL: as LACUNA_CPU in the
                      environment says, or this machine's own, which "native" is too */
  const char *workspaces; /* their policies, as --workspace of docs/sparse-run.md; "" or NULL: as
                             the compiler chooses */
  const char *target;     /* what kernels run on: "cpu", "gpu", "gpu:sm_90", "gpu-emulated", "auto"
                             (docs/gpu.md); NULL: as LACUNA_TARGET in the environment says, or the
                             CPU */
  int optimize;           /* how far LLVM optimizes: 0 compiles in a third of the time, 3 makes the
                             fastest code; -1: as LACUNA_OPTIMIZE in the environment says, or 3 */
} lacuna_options;

/* No schedule, one thread, kept in both caches, for this machine. */
lacuna_options lacuna_options_default(void);

typedef struct lacuna_kernel lacuna_kernel;

/* Compiles a module for this machine: one of the compiler's context, which is left as it is, or a
 * text, which `name` stands for in messages (NULL: they give no places).  `options` NULL is
 * lacuna_options_default.  NULL where that fails. */
lacuna_kernel *lacuna_compile(lacuna_compiler *c, MlirModule module, const lacuna_options *options);
lacuna_kernel *lacuna_compile_text(lacuna_compiler *c, const char *text, const char *name,
                                   const lacuna_options *options);
void lacuna_kernel_free(lacuna_kernel *k);

/* Calls a function with pointers to its results and then its operands.  LAC_OK or another
 * lac_status; LAC_ERROR_FORMAT where there is no such function. */
int32_t lacuna_call(lacuna_kernel *k, const char *function, void *const *arguments);

/* The same for who calls often: the function itself, taking the same array, valid until
 * lacuna_kernel_free.  NULL where there is none of that name. */
typedef int32_t lacuna_entry(void *const *arguments);
lacuna_entry *lacuna_find(lacuna_kernel *k, const char *function);

/* Holds a tensor that comes from elsewhere against the type that a function takes: its levels and
 * their sizes, and all their positions and coordinates, which the call itself takes from the
 * caller. `name` stands for it in messages.  Reads every array once.  LAC_OK, or another lac_status
 * with lac_error_message saying what is broken first. */
int32_t lacuna_check(const lac_tensor *tensor, MlirType type, const char *name);

#ifdef __cplusplus
}
#endif
#endif

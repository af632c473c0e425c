/* machine.h - machine code for a module in the LLVM dialect: in memory, to be called now, or as a
 * file's content.
 *
 *     LLVM dialect --translate--> LLVM IR --optimize--> LLVM IR --generate--> object --load--> jit
 *                                                                    '------> assembly
 *
 * Errors: a function that fails returns NULL and leaves in `*error` a message that the caller frees
 * (NULL where MLIR has given a diagnostic already, or memory ran out).
 */
#ifndef LACUNA_MACHINE_H
#define LACUNA_MACHINE_H

#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds that each phase took. */
typedef struct machine_times {
  double translate, optimize, generate;
} machine_times;

/* Levels of optimization go from 0 to MACHINE_LEVEL_MOST; MACHINE_LEVEL_USUAL is what
 * LACUNA_OPTIMIZE in the environment says, or else the highest. */
enum { MACHINE_LEVEL_USUAL = -1, MACHINE_LEVEL_MOST = 3 };

typedef struct machine_options {
  int level;          /* of optimization; cold and very long code has few passes above 0 */
  const char *triple; /* the target, as LLVM names it; NULL: this machine's */
  const char *cpu; /* a name that LLVM knows; NULL or "native": the host's, with all that it can do,
                      or what LACUNA_CPU in the environment names (processor.h) */
  const char
      *openmp_library; /* path of libomp, loaded when a kernel runs in parallel; may be NULL */
  unsigned cache;      /* where compiled.h keeps code: CACHE_MEMORY, CACHE_DISK, both, or 0 */
  bool entry_points;   /* also functions that take their arguments as an array (entry_points.h) */
  int64_t threads; /* that those run parallel loops on, where nothing else is set; 0: as it is */
  machine_times *times; /* filled in where not NULL */
} machine_options;

/* Where code is kept, to be found again: for as long as the process, or in files (cache.h). */
enum { CACHE_MEMORY = 1, CACHE_DISK = 2 };

/* What is used unless asked otherwise: the usual level, the host, nothing kept. */
machine_options machine_options_default(void);

/* The level that code is optimized at; MACHINE_LEVEL_USUAL with a message where the environment
 * names none. */
int machine_level(const machine_options *options, char **error);

typedef enum machine_output { MACHINE_LLVM_IR, MACHINE_ASSEMBLY, MACHINE_OBJECT } machine_output;

/* The optimized program as text (LLVM IR, assembly) or an object file, `*size` bytes and a NUL,
 * which the caller frees.  Object code is position independent. */
char *machine_emit(MlirModule module, machine_output what, const machine_options *options,
                   size_t *size, char **error);

/* Compiled code in this process, from object files (objects.h) that are not needed afterwards.  Its
 * undefined symbols are those that this process exports, the runtime's, and where it runs in
 * parallel those of `openmp_library`.  Functions may be looked up and called from any thread. */
typedef struct jit jit;
jit *jit_load(const char *objects, size_t size, const char *openmp_library, char **error);
void jit_free(jit *compiled);

/* The address of a function, valid until jit_free.  NULL with a message where there is none. */
void *jit_lookup(jit *compiled, const char *name, char **error);

#ifdef __cplusplus
}
#endif
#endif

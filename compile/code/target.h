/* target.h - what LLVM knows of processors and its C API does not say. */
#ifndef LACUNA_TARGET_H
#define LACUNA_TARGET_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the host's target, or all that LLVM has, known to LLVM; any number of times, from any
 * thread. */
void target_initialize(void);
void target_initialize_all(void);

/* Whether LLVM makes code for the triple, with pointers of 64 bits, as handles have them. */
bool target_is_supported(const char *triple);

/* The processor that all others of the triple's architecture can stand in for. */
const char *target_plain_cpu(const char *triple);

/* Whether the target of `triple` has a processor of that name. */
bool target_knows_cpu(const char *triple, const char *cpu);

/* Whether a processor with these features ("+avx2,-fma", "" for its own) has the feature
 * ("+avx512f"). */
bool target_has_feature(const char *triple, const char *cpu, const char *features,
                        const char *feature);

#ifdef __cplusplus
}
#endif
#endif

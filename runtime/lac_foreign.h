/* lac_foreign.h - inside the runtime: files that are no tensors in text, by how they begin. */
#ifndef LAC_FOREIGN_H
#define LAC_FOREIGN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a file is that begins with these bytes, in words, and how its content could become a file
 * that can be read; NULL where it may be a tensor. */
const char *lac_foreign_kind(const char *bytes, int64_t count);

#ifdef __cplusplus
}
#endif
#endif

/* lac_stream.h - inside the runtime: of which arrays whole lines are stored past the caches, and
 * copying so.
 */
#ifndef LAC_STREAM_H
#define LAC_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether all of an array that is about to be stored is so large (lac_stream_from), and its pages
 * are there. */
bool lac_stream_pays(const void *data, int64_t bytes);
/* The same of a part of an array, or of several arrays that are stored together, so large in all.
 */
bool lac_stream_pays_for_part(const void *data, int64_t bytes, int64_t all);

/* memcpy, whole lines past the caches: in order before what the thread does next. */
void lac_stream_copy(void *to, const void *from, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif

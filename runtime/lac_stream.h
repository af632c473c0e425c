/* lac_stream.h - inside the runtime: of which arrays whole lines are stored past the caches. */
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

#ifdef __cplusplus
}
#endif
#endif

/* counted.h - ranges of a loop on a device that appends to the result: a first walk counts their
 * entries, a second one appends them.
 *
 *     launch { for range { find where it begins } }
 *     launch { for range { count the entries of the range } }
 *     room for all, and where those of each range go
 *     launch { for range { append them there } }
 *
 * So no thread needs memory that is not there, and all is in the order of one thread.  (Chou et al.
 * 2020, section 4, of a whole kernel in place of a conversion.)
 */
#ifndef LACUNA_COUNTED_H
#define LACUNA_COUNTED_H

#include "ranges.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result's role is STORAGE_COUNTED. */
bool counted_assemble(cutting *u, MlirValue ranges);

#ifdef __cplusplus
}
#endif
#endif

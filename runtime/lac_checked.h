/* lac_checked.h - inside the runtime: operands that were found to be stored as a kernel expects,
 * so that a call like the one before it looks through them once more in no time.
 *
 * A check (lac_kernel_expect) asks for fields of the tensor, and for some elements of its arrays,
 * such as the last position.  Where all of these are what they were, so is what it comes to:
 *
 *     signature, fields of the tensor, its dimensions and levels, elements read     equal: right
 *
 * Each thread remembers a few checks that came out well.  Copies are compared, texts included, so
 * that it does not matter what has become of the memory of a tensor or of a kernel meanwhile.
 */
#ifndef LAC_CHECKED_H
#define LAC_CHECKED_H

#include "lac_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the tensor was found to be stored so, and everything that was looked at is as it was. */
bool lac_checked_before(const lac_tensor *tensor, const char *signature);

/* Remembers that it is, having read these elements. */
void lac_checked_remember(const lac_tensor *tensor, const char *signature,
                          const lac_layout_reads *reads);

#ifdef __cplusplus
}
#endif
#endif

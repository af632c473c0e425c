/* run_verify.h - a second opinion on a kernel: its result against a plain evaluation of the
 * expression on the entries that were read.
 *
 *     verification *v = verify_begin(&statement, ...);   before the operands are packed
 *     verify_result(v, ...)                              after the kernel has run
 *     verify_end(v);
 */
#ifndef LACUNA_RUN_VERIFY_H
#define LACUNA_RUN_VERIFY_H

#include "compiler.h"
#include "inputs.h"

typedef struct verification verification;

/* Copies the entries of the operands as they were read or generated; of those that statements
 * before make, verify_result takes them as these came out.  NULL with a message on standard error.
 */
verification *verify_begin(const run_statement *statement, compiler *c, const options *o);
void verify_end(verification *v);

/* Compares the result at every coordinate, or where there are many at some thousands: such that are
 * stored, such where the operands store something, any.  Prints the largest relative error to
 * standard error, after the result's name where that `is_named`.  False, with a message, where it
 * is above what rounding explains, or where nothing could be compared. */
bool verify_result(verification *v, bool is_named);

#endif

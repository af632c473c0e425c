/* lac_chunks.h - inside the runtime: lines of a file read by several threads at once.
 *
 *     buffer of the reader      lines lines lines lines | the beginning of the next
 *     cut at line ends          0     | 1     | 2      |
 *     each a reader of its own, with a list of its own; the lists are put together in this order
 *
 * As many as lac_threads says; one reads as before.  Where a thread finds something wrong in its
 * chunk, what comes from there on is left to who reads line by line, who says what it is and in
 * which line.  Decompressing stays on one thread.
 */
#ifndef LAC_CHUNKS_H
#define LAC_CHUNKS_H

#include "lac_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a format reads its entries: its state, `size` bytes, is copied for each chunk.
 *
 * - parse: all lines of chunk->reader into chunk->list, with its copy of the state; false where
 *   one is not as it should be (what the message says is forgotten)
 * - accept: takes what the copy has found of a chunk whose entries are to come next into the state;
 *   false where they cannot */
typedef struct lac_chunk_format {
  size_t size;
  bool (*parse)(lac_input *chunk, void *copy);
  bool (*accept)(void *state, const void *copy);
} lac_chunk_format;

/* Reads entries on threads into input->list, an empty one of order 1 or more or what was read
 * before, as far as that goes: the reader is then at the first line that is left. */
void lac_chunks_read(lac_input *input, const lac_chunk_format *format, void *state);

#ifdef __cplusplus
}
#endif
#endif

/* lac_file.h - tensors in files: Matrix Market and FROSTT, plain and gzip.
 *
 * Matrix Market (.mtx; Boisvert, Pozo, Remington: The Matrix Market exchange formats, 1996):
 *
 *     %%MatrixMarket matrix coordinate real general       or array; integer, complex, pattern;
 *     % comments                                          symmetric, skew-symmetric, hermitian
 *     3 4 2                                               rows, columns, entries
 *     1 1 0.5                                             coordinates from 1
 *     3 4 -2
 *
 * FROSTT (.tns; Smith et al. 2017), a tensor of any order, an entry a line, lines that begin with #
 * being comments:
 *
 *     1 1 1  0.5                                          coordinates from 1, value
 *     3 4 2  -2                                           (complex: two numbers)
 *
 * A value of order 0 is one line with one number.  What a file is shows in its first line, and
 * whether it is compressed in its first bytes; when writing, the name's end tells: .mtx .mtx.gz
 * .tns .tns.gz.
 */
#ifndef LAC_FILE_H
#define LAC_FILE_H

#include "lac_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest order of a tensor in a file. */
enum { LAC_FILE_ORDER = 32 };

/* Told how much has been read, from 0 to 1, every megabyte or so. */
typedef void lac_progress(void *user, double fraction);

typedef struct lac_read_options {
  int32_t type;  /* the element type wanted (a lac_type); -1: i64, c128 or f64, as the file's field
                    says */
  int64_t order; /* the order wanted; -1: the file's.  1 takes a matrix with one row or column, 0
                    one with one entry */
  const int64_t *dimensions; /* as many as `order`, 0: the file's; larger than the file's is as if
                                the file said so.  NULL: all the file's */
  lac_progress *progress;    /* NULL: none */
  void *user;
  int32_t *field; /* NULL, or gets the type that the file's field says (i64, c128 or f64) before
                     anything is refused for it; -1 where it says none */
} lac_read_options;

/* Options that take everything from the file. */
#define LAC_READ_AS_IT_IS ((lac_read_options){.type = -1, .order = -1})

/* Reads the file at `path` ("-": standard input) into `out`, an empty tensor; `options` NULL is
 * LAC_READ_AS_IT_IS.
 *
 * - Matrix Market coordinate format and FROSTT become a coordinate list (lac_coo.h) in the file's
 * order of entries, duplicates kept; the entries that a symmetry implies follow theirs.
 * - Matrix Market array format becomes a dense tensor as the file has it, column after column:
 * level 0 holds dimension 1 and level 1 dimension 0.  A vector has one dense level.
 * - A pattern's values are 1.  The dimensions of a FROSTT tensor are its largest coordinates.
 *
 * `level_to_dimension` (NULL or room for LAC_FILE_ORDER) gets the dimension that each level holds.
 *
 * LAC_OK; LAC_ERROR_FILE where the file cannot be opened or read; LAC_ERROR_INPUT where its content
 * is malformed or does not fit what is wanted, with "file:line: expected ..., found ...";
 * LAC_ERROR_MEMORY.  On an error `out` is empty. */
int32_t lac_file_read(const char *path, const lac_read_options *options, lac_tensor *out,
                      int64_t *level_to_dimension);

/* Makes `out`, an empty tensor, the value of order 0 that a text says: one number, of a complex
 * type one or two with a space between.  LAC_OK; LAC_ERROR_INPUT where it is no number that the
 * type holds; LAC_ERROR_MEMORY. */
int32_t lac_scalar_read(const char *text, int32_t type, lac_tensor *out);

/* Whether a text is a number, or two with a space between: what lac_scalar_read may take. */
bool lac_is_scalar(const char *text);

/* Writes `tensor`, of dense, compressed and singleton levels in any composition, to `path` ("-": as
 * FROSTT to standard output).  Level l holds dimension level_to_dimension[l] (NULL: l).
 *
 * - .mtx takes order 1 (a matrix with one column) and 2: array format where all levels are dense,
 * else coordinate format with the entries in the order in which they are stored.
 * - .tns takes any order, and writes what is stored.
 * - A tensor of order 0 is one line with its value in both.
 *
 * The file gets its name when it is complete, so that no partly written one is left under it.
 * LAC_OK; LAC_ERROR_FILE; LAC_ERROR_FORMAT where the tensor cannot be written so; LAC_ERROR_MEMORY.
 */
int32_t lac_file_write(const char *path, const lac_tensor *tensor,
                       const int64_t *level_to_dimension);

/* The same for a square matrix that is the same with rows and columns exchanged: a .mtx file gets
 * its entries on and below the diagonal, and says that it is symmetric. */
int32_t lac_file_write_symmetric(const char *path, const lac_tensor *tensor,
                                 const int64_t *level_to_dimension);

/* Whether a tensor of that order could be written to `path` now: the name's end, and whether its
 * folder takes a new file.  LAC_OK, LAC_ERROR_FILE or LAC_ERROR_FORMAT as lac_file_write. */
int32_t lac_file_can_write(const char *path, int64_t order);

/* Whether a level of this kind can be written, which is one that the runtime makes itself; a tensor
 * with any other must first become one of such levels. */
bool lac_file_writes(const char *kind);

#ifdef __cplusplus
}
#endif
#endif

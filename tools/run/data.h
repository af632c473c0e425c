/* data.h - what stands after `-i NAME:` and `-o NAME:`, read and written with a progress bar. */
#ifndef LACUNA_RUN_DATA_H
#define LACUNA_RUN_DATA_H

#include "run_options.h"

#include "lac_tensor.h"

typedef struct wanted_operand {
  const char *name;
  int order;
  int32_t type;              /* lac_type */
  const int64_t *dimensions; /* as lac_read_options; NULL: the file's */
  bool is_typed;             /* somebody said which type */
} wanted_operand;

/* Reads a file as lac_file_read does, or an operand of order 0 from a number
 * in place of a file's name (a file of such a name is ./0.5).  `levels` has room for
 * LAC_FILE_ORDER.  False with a message on standard error. */
bool read_data(const wanted_operand *wanted, const char *source, lac_tensor *out, int64_t *levels);

/* Whether the source says how large its tensor is: a .tns file has only the largest coordinates. */
bool data_tells_sizes(const char *source);

/* Writes a tensor as lac_file_write does, a `symmetric` one as lac_file_write_symmetric.  False
 * with a message on standard error. */
bool write_data(const char *path, const lac_tensor *tensor, const int64_t *levels, bool symmetric);

#endif

/* Reads operands, and says what a user could do where one cannot be read; writes results. */
#include "data.h"

#include "complain.h"
#include "lac_error.h"
#include "lac_file.h"
#include "progress.h"

#include <string.h>

static bool is_complex(int32_t type) {
  return type == LAC_C64 || type == LAC_C128;
}

static bool sizes_can_be_counted(const wanted_operand *wanted, const lac_tensor *read) {
  for (int64_t d = 0; d < read->order; d++)
    if (read->dimensions[d] > LAC_LARGEST_SIZE)
      return complain("dimension %lld of '%s' is %lld, expected at most %lld", (long long)d,
                      wanted->name, (long long)read->dimensions[d], (long long)LAC_LARGEST_SIZE);
  return true;
}

bool read_data(const wanted_operand *wanted, const char *source, lac_tensor *out, int64_t *levels) {
  int32_t field = -1;
  if (wanted->order == 0 && lac_is_scalar(source))
    return !lac_scalar_read(source, wanted->type, out) ||
           complain("-i %s: %s", wanted->name, lac_error_message());
  lac_read_options options = {wanted->type,    wanted->order, wanted->dimensions,
                              progress_update, NULL,          &field};
  progress_begin("reading");
  int32_t status = lac_file_read(source, &options, out, levels);
  progress_end();
  if (status && is_complex(field) && !is_complex(wanted->type) && !wanted->is_typed)
    return complain("%s: expected real or integer values of '%s', found complex ones; -t %s:c128 "
                    "reads them",
                    source, wanted->name, wanted->name);
  return status ? complain("%s", lac_error_message()) : sizes_can_be_counted(wanted, out);
}

bool write_data(const char *path, const lac_tensor *tensor, const int64_t *levels, bool symmetric) {
  progress_begin("writing");
  int32_t status = symmetric ? lac_file_write_symmetric(path, tensor, levels)
                             : lac_file_write(path, tensor, levels);
  progress_end();
  return !status || complain("%s", lac_error_message());
}

bool data_tells_sizes(const char *source) {
  const char *dot = strstr(source, ".tns");
  return !dot || (strcmp(dot, ".tns") != 0 && strcmp(dot, ".tns.gz") != 0);
}

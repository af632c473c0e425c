/* lac_file_write.c - writes a tensor of any composition of levels that the runtime makes itself
 * (lac_file.h).
 *
 * Entries are visited as they are stored: level by level, each level's positions below one position
 * of the level above, as its layout says (lac_layout.h),
 *
 *     all      p * size + c for every c
 *     under    from the one to the other
 *     one      p
 *
 * the coordinate of each level set down in its dimension's place on the way; the last level's
 * positions number the values.  Array format asks for the values column after column instead,
 * wherever they are.
 */
#include "lac_ascii.h"
#include "lac_error.h"
#include "lac_file.h"
#include "lac_number.h"
#include "lac_storage.h"
#include "lac_value.h"
#include "lac_writer.h"

#include <string.h>

typedef struct output {
  const lac_tensor *tensor;
  const int64_t *level_to_dimension;
  lac_layout *layouts;
  int64_t positions; /* of the last level */
  lac_writer writer;
  int64_t coordinates[LAC_FILE_ORDER];
  bool second_coordinate; /* a vector in coordinate format has a column */
  bool lower_triangle;    /* entries above the diagonal are left out */
  bool counts;            /* entries are counted, not written */
  int64_t count;
} output;

/* ---- Entries ------------------------------------------------------------------------------ */

static void write_entry(output *o, int64_t position) {
  const lac_tensor *t = o->tensor;
  if (o->lower_triangle && o->coordinates[0] < o->coordinates[1])
    return;
  if (o->counts) {
    o->count++;
    return;
  }
  char *text = lac_writer_room(&o->writer);
  for (int64_t d = 0; d < t->order; d++) {
    text = lac_write_integer(text, o->coordinates[d] + 1);
    *text++ = ' ';
  }
  if (o->second_coordinate) {
    *text++ = '1';
    *text++ = ' ';
  }
  text = lac_write_value(text, t->type, (const char *)t->values.data + position * t->values.width);
  *text++ = '\n';
  lac_writer_advance(&o->writer, text);
}

static void write_level(output *o, int64_t l, int64_t parent);

static void write_child(output *o, int64_t l, int64_t coordinate, int64_t position) {
  o->coordinates[o->level_to_dimension[l]] = coordinate;
  if (l + 1 < o->tensor->level_count)
    write_level(o, l + 1, position);
  else
    write_entry(o, position);
}

static void write_all(output *o, int64_t l, int64_t parent) {
  int64_t size = o->tensor->levels[l].size;
  for (int64_t c = 0; c < size && o->writer.status == LAC_OK; c++)
    write_child(o, l, c, parent * size + c);
}

static void write_under(output *o, const lac_place *at, int64_t parent) {
  int64_t begin = parent, end = parent + 1;
  if (at->layouts[at->l].is_under)
    lac_layout_under(at, parent, &begin, &end);
  for (int64_t p = begin; p < end && o->writer.status == LAC_OK; p++)
    write_child(o, at->l, lac_layout_coordinate(at, p), p);
}

static void write_level(output *o, int64_t l, int64_t parent) {
  lac_place at = {o->tensor, "tensor", l, o->layouts, NULL};
  if (o->layouts[l].all)
    write_all(o, l, parent);
  else
    write_under(o, &at, parent);
}

bool lac_file_writes(const char *kind) {
  return lac_layout_of_kind(kind).begin != NULL;
}

static void write_entries(output *o) {
  if (o->tensor->level_count == 0)
    write_entry(o, 0);
  else if (o->positions > 0)
    write_level(o, 0, 0);
}

/* ---- Matrix Market ------------------------------------------------------------------------ */

static bool is_dense(const output *o) {
  for (int64_t l = 0; l < o->tensor->level_count; l++)
    if (!o->layouts[l].all)
      return false;
  return true;
}

static char *append_number(char *text, int64_t number, char after) {
  text = lac_write_integer(text, number);
  *text++ = after;
  return text;
}

static void write_banner(output *o, const char *format) {
  const char *symmetry = o->lower_triangle ? " symmetric\n" : " general\n";
  int32_t type = o->tensor->type;
  char *text = lac_writer_room(&o->writer);
  text = stpcpy(text, "%%MatrixMarket matrix ");
  text = stpcpy(text, format);
  text = stpcpy(text, lac_type_is_complex(type)   ? " complex"
                      : lac_type_is_integer(type) ? " integer"
                                                  : " real");
  text = stpcpy(text, symmetry);
  lac_writer_advance(&o->writer, text);
}

static int64_t columns_of(const lac_tensor *t) {
  return t->order == 2 ? t->dimensions[1] : 1;
}

static void write_sizes(output *o, int64_t entries) {
  const lac_tensor *t = o->tensor;
  char *text = append_number(lac_writer_room(&o->writer), t->dimensions[0], ' ');
  text = append_number(text, columns_of(t), entries < 0 ? '\n' : ' ');
  if (entries >= 0)
    text = append_number(text, entries, '\n');
  lac_writer_advance(&o->writer, text);
}

/* Writes the values from `first` on, `stride` apart. */
static void write_column(output *o, int64_t first, int64_t stride) {
  const lac_tensor *t = o->tensor;
  for (int64_t i = 0; i < t->dimensions[0] && o->writer.status == LAC_OK; i++) {
    const char *value = (const char *)t->values.data + (first + i * stride) * t->values.width;
    char *text = lac_write_value(lac_writer_room(&o->writer), t->type, value);
    *text++ = '\n';
    lac_writer_advance(&o->writer, text);
  }
}

static void write_array(output *o) {
  const lac_tensor *t = o->tensor;
  bool by_columns = t->order == 2 && o->level_to_dimension[0] == 1;
  int64_t row_stride = by_columns || t->order == 1 ? 1 : t->dimensions[1];
  int64_t column_stride = by_columns ? t->dimensions[0] : 1;
  write_banner(o, "array");
  write_sizes(o, -1);
  for (int64_t j = 0; j < columns_of(t) && t->dimensions[0] > 0 && o->writer.status == LAC_OK; j++)
    write_column(o, j * column_stride, row_stride);
}

static int64_t count_written(output *o) {
  if (!o->lower_triangle)
    return o->positions;
  o->counts = true;
  write_entries(o);
  o->counts = false;
  return o->count;
}

static void write_matrix_market(output *o) {
  if (is_dense(o) && !o->lower_triangle) {
    write_array(o);
    return;
  }
  write_banner(o, "coordinate");
  write_sizes(o, count_written(o));
  o->second_coordinate = o->tensor->order == 1;
  write_entries(o);
}

/* ---- What can be written ------------------------------------------------------------------ */

/* Each level holds one dimension, each dimension has one level, and the sizes agree. */
static int32_t check_levels(const lac_tensor *t, const int64_t *level_to_dimension) {
  bool seen[LAC_FILE_ORDER] = {false};
  if (t->order != t->level_count || t->order > LAC_FILE_ORDER || t->order < 0)
    return lac_error_set(
        LAC_ERROR_FORMAT,
        "expected a tensor of at most %d levels, one for each dimension, to be written, found "
        "order %lld with %lld levels",
        LAC_FILE_ORDER, (long long)t->order, (long long)t->level_count);
  if (!lac_tensor_has_fields(t, "tensor"))
    return LAC_ERROR_FORMAT;
  for (int64_t l = 0; l < t->level_count; l++) {
    int64_t d = level_to_dimension[l];
    if (d < 0 || d >= t->order || seen[d] || t->levels[l].size != t->dimensions[d])
      return lac_error_set(
          LAC_ERROR_FORMAT,
          "expected level %lld of the tensor to be written to hold one dimension of its size",
          (long long)l);
    seen[d] = true;
    if (!lac_file_writes(t->levels[l].kind))
      return lac_error_set(
          LAC_ERROR_FORMAT,
          "expected dense, compressed and singleton levels to be written, found %s",
          t->levels[l].kind ? t->levels[l].kind : "none");
  }
  return LAC_OK;
}

static int32_t check_tensor(const lac_tensor *t, const int64_t *level_to_dimension) {
  uint8_t flags[LAC_FILE_ORDER];
  memset(flags, LAC_NONUNIQUE | LAC_UNORDERED, sizeof flags);
  int32_t status = check_levels(t, level_to_dimension);
  return status != LAC_OK ? status : lac_tensor_check(t, flags);
}

static bool has_suffix(const char *path, const char *suffix) {
  size_t length = strlen(path), suffix_length = strlen(suffix);
  length -= lac_ends_with(path, ".gz") ? strlen(".gz") : 0;
  return length >= suffix_length && lac_begins_with(path + length - suffix_length, suffix);
}

static int32_t choose_format(const char *path, int64_t order, bool *matrix_market) {
  *matrix_market = has_suffix(path, ".mtx") && order > 0;
  if (!*matrix_market && !has_suffix(path, ".mtx") && !has_suffix(path, ".tns") &&
      strcmp(path, "-") != 0)
    return lac_error_set(LAC_ERROR_FILE,
                         "%s: expected a name that ends in .mtx, .mtx.gz, .tns or .tns.gz", path);
  if (*matrix_market && order > 2)
    return lac_error_set(
        LAC_ERROR_FORMAT,
        "%s: expected a tensor of order 2 at most, found order %lld; .tns takes it", path,
        (long long)order);
  return LAC_OK;
}

int32_t lac_file_can_write(const char *path, int64_t order) {
  bool matrix_market;
  if (!path)
    return lac_error_missing("a file's name to write to");
  int32_t status = choose_format(path, order, &matrix_market);
  return status != LAC_OK ? status : lac_writer_check(path);
}

static int32_t write_content(output *o, bool matrix_market) {
  if (matrix_market)
    write_matrix_market(o);
  else
    write_entries(o);
  return lac_writer_close(&o->writer);
}

static int32_t write_file(const char *path, const lac_tensor *tensor,
                          const int64_t *level_to_dimension, bool symmetric) {
  int64_t identity[LAC_FILE_ORDER];
  bool matrix_market;
  if (!path || !tensor)
    return lac_error_missing(tensor ? "a file's name to write to" : "a tensor to write");
  for (int64_t l = 0; l < LAC_FILE_ORDER; l++)
    identity[l] = l;
  output o = {.tensor = tensor,
              .level_to_dimension = level_to_dimension ? level_to_dimension : identity};
  int32_t status = choose_format(path, tensor->order, &matrix_market);
  if (status == LAC_OK)
    status = check_tensor(tensor, o.level_to_dimension);
  if (status == LAC_OK)
    status = lac_layouts_of(tensor, NULL, "tensor", &o.layouts);
  if (status != LAC_OK)
    return status;
  o.positions = lac_storage_positions(tensor);
  o.lower_triangle = symmetric && matrix_market;
  status = lac_writer_open(&o.writer, path);
  if (status == LAC_OK)
    status = write_content(&o, matrix_market);
  lac_layouts_free(tensor, o.layouts);
  return status;
}

int32_t lac_file_write(const char *path, const lac_tensor *tensor,
                       const int64_t *level_to_dimension) {
  return write_file(path, tensor, level_to_dimension, false);
}

int32_t lac_file_write_symmetric(const char *path, const lac_tensor *tensor,
                                 const int64_t *level_to_dimension) {
  if (tensor->order != 2 || tensor->dimensions[0] != tensor->dimensions[1])
    return lac_error_set(LAC_ERROR_FORMAT, "%s: expected a square matrix", path);
  return write_file(path, tensor, level_to_dimension, true);
}

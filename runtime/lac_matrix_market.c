/* lac_matrix_market.c - reads a matrix in Matrix Market exchange format (lac_file.h).
 *
 * The banner tells four things, each a table here; the size line what follows:
 *
 *     %%MatrixMarket matrix FORMAT FIELD SYMMETRY
 *     rows columns entries      coordinate: row, column and value of each entry, a line each
 *     rows columns              array: all values, column after column, a line each
 *
 * Of a matrix with a symmetry the lower triangle is in the file; the rest follows from it:
 *
 *     symmetric         A(j,i) = A(i,j)
 *     skew-symmetric    A(j,i) = -A(i,j)
 *     hermitian         A(j,i) = conj A(i,j)
 */
#include "lac_ascii.h"
#include "lac_chunks.h"
#include "lac_error.h"
#include "lac_input.h"
#include "lac_memory.h"
#include "lac_value.h"

enum format { COORDINATE, ARRAY };
enum field { REAL, DOUBLE, INTEGER, COMPLEX, PATTERN };
enum symmetry { GENERAL, SYMMETRIC, SKEW_SYMMETRIC, HERMITIAN };

static const char *const objects[] = {"matrix", NULL};
static const char *const formats[] = {"coordinate", "array", NULL};
static const char *const fields[] = {"real", "double", "integer", "complex", "pattern", NULL};
static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                         NULL};

typedef struct matrix {
  lac_input *input;
  lac_reader *reader;
  int format, field, symmetry;
  int32_t type;
  int64_t order;
  int64_t rows, columns, entries;
  int64_t found;   /* entries that have been read */
  int64_t size[2]; /* rows and columns as they are wanted */
  int along;       /* the dimension that a vector keeps */
} matrix;

/* ---- Banner ------------------------------------------------------------------------------- */

static size_t word_length(const char *text) {
  return strcspn(text, " \t\r\n");
}

static bool read_word(lac_reader *reader, const char *const *words, const char *what, int *number) {
  const char *text = lac_skip_spaces(reader->cursor);
  size_t length = word_length(text);
  for (*number = 0; words[*number]; ++*number)
    if (strlen(words[*number]) == length && lac_begins_with(text, words[*number])) {
      reader->cursor = text + length;
      return true;
    }
  return lac_reader_expected(reader, what, text);
}

static bool check_banner(const matrix *m) {
  bool complex_wanted = m->input->options.type < 0 || lac_type_is_complex(m->input->options.type);
  if (m->field == COMPLEX && !complex_wanted)
    return lac_reader_error(m->reader,
                            "expected a matrix that can be read as %s, found a complex one",
                            lac_type_name(m->type));
  if (m->field == PATTERN && m->format == ARRAY)
    return lac_reader_error(m->reader, "expected a pattern in coordinate format, found array");
  if (m->field == PATTERN && m->symmetry >= SKEW_SYMMETRIC)
    return lac_reader_error(m->reader, "expected a general or symmetric pattern, found %s",
                            symmetries[m->symmetry]);
  if (m->field != COMPLEX && m->symmetry == HERMITIAN)
    return lac_reader_error(m->reader, "expected a complex hermitian matrix, found %s",
                            fields[m->field]);
  return true;
}

static int32_t type_of_field(int field) {
  return field == INTEGER ? LAC_I64 : field == COMPLEX ? LAC_C128 : LAC_F64;
}

static bool read_banner(matrix *m) {
  static const char *const banner[] = {"%%MatrixMarket", NULL};
  int none;
  lac_reader *reader = m->reader;
  if (!lac_reader_line(reader))
    return reader->status == LAC_OK &&
           lac_reader_error(reader, "expected %%%%MatrixMarket, found an empty file");
  if (!read_word(reader, banner, "%%MatrixMarket", &none) ||
      !read_word(reader, objects, "matrix", &none) ||
      !read_word(reader, formats, "coordinate or array", &m->format) ||
      !read_word(reader, fields, "real, double, integer, complex or pattern", &m->field) ||
      !read_word(reader, symmetries, "general, symmetric, skew-symmetric or hermitian",
                 &m->symmetry))
    return false;
  if (m->input->options.field)
    *m->input->options.field = type_of_field(m->field);
  m->type = m->input->options.type >= 0 ? m->input->options.type : type_of_field(m->field);
  return lac_reader_end_line(reader) && check_banner(m);
}

/* ---- Sizes -------------------------------------------------------------------------------- */

static bool read_size(lac_reader *reader, const char *what, int64_t *size) {
  const char *text = lac_skip_spaces(reader->cursor);
  if (!lac_reader_integer(reader, what, size))
    return false;
  return *size >= 0 || lac_reader_expected(reader, what, text);
}

/* The order wanted must be one that a matrix of this size can have. */
static bool check_order(matrix *m) {
  int64_t wanted = m->input->options.order;
  m->order = wanted < 0 ? 2 : wanted;
  m->along = m->columns == 1 ? 0 : 1;
  if (m->order > 2)
    return lac_reader_error(m->reader, "expected a tensor of order %lld, found a matrix",
                            (long long)m->order);
  if ((m->order == 1 && m->rows != 1 && m->columns != 1) ||
      (m->order == 0 && (m->rows != 1 || m->columns != 1)))
    return lac_reader_error(m->reader, "expected %s, found a matrix of %lld x %lld",
                            m->order == 1 ? "a vector (one row or one column)"
                                          : "one value (1 x 1)",
                            (long long)m->rows, (long long)m->columns);
  return true;
}

static bool fit_sizes(matrix *m) {
  m->size[0] = m->rows;
  m->size[1] = m->columns;
  if (m->order == 1)
    return lac_input_dimension(m->input, 0, m->along == 0 ? m->rows : m->columns,
                               &m->size[m->along]);
  return m->order == 0 || (lac_input_dimension(m->input, 0, m->rows, &m->size[0]) &&
                           lac_input_dimension(m->input, 1, m->columns, &m->size[1]));
}

static bool read_sizes(matrix *m) {
  lac_reader *reader = m->reader;
  if (!lac_reader_content(reader, '%'))
    return reader->status == LAC_OK &&
           lac_reader_error(reader, "expected a line of sizes, found the file's end");
  if (!read_size(reader, "a number of rows", &m->rows) ||
      !read_size(reader, "a number of columns", &m->columns))
    return false;
  if (m->format == COORDINATE && !read_size(reader, "a number of entries", &m->entries))
    return false;
  if (m->symmetry != GENERAL && m->rows != m->columns)
    return lac_reader_error(reader, "expected a square matrix since it is %s, found %lld x %lld",
                            symmetries[m->symmetry], (long long)m->rows, (long long)m->columns);
  return check_order(m) && fit_sizes(m) && lac_reader_end_line(reader);
}

/* ---- What both formats share -------------------------------------------------------------- */

static bool read_value(matrix *m, void *value) {
  if (m->field == PATTERN) {
    lac_set_value(m->type, 1, 0, value);
    return true;
  }
  return lac_input_value(m->input, m->type, m->field == COMPLEX, value);
}

/* Makes the value at (i,j) that at (j,i). */
static bool mirror_value(matrix *m, void *value) {
  if (m->symmetry == HERMITIAN)
    lac_conjugate_value(m->type, value);
  if (m->symmetry == SKEW_SYMMETRIC && !lac_negate_value(m->type, value)) {
    lac_reader_error(m->reader, "expected a value whose negative fits %s too",
                     lac_type_name(m->type));
    return false;
  }
  return true;
}

static bool missing(matrix *m, const char *what, int64_t expected, int64_t found) {
  if (m->reader->status == LAC_OK)
    lac_reader_error(m->reader, "expected %lld %s, found the file's end after %lld",
                     (long long)expected, what, (long long)found);
  return false;
}

static bool expect_end(matrix *m, const char *what, int64_t expected) {
  if (!lac_reader_content(m->reader, '%'))
    return m->reader->status == LAC_OK;
  return lac_reader_error(m->reader, "expected the file's end after %lld %s, found more",
                          (long long)expected, what);
}

/* ---- Coordinate format -------------------------------------------------------------------- */

static bool read_coordinate(matrix *m, const char *what, int64_t size, int64_t *coordinate) {
  if (!lac_reader_integer(m->reader, what, coordinate))
    return false;
  if (*coordinate < 1 || *coordinate > size)
    return lac_reader_error(m->reader, "expected %s from 1 to %lld, found %lld", what,
                            (long long)size, (long long)*coordinate);
  --*coordinate;
  return true;
}

static bool append(matrix *m, const int64_t coordinates[2], const void *value) {
  lac_list *list = &m->input->list;
  if (m->order == 0 && list->count > 0)
    return lac_reader_error(m->reader, "expected one value, found a second");
  m->reader->status =
      lac_list_append(list, m->order == 1 ? &coordinates[m->along] : coordinates, value);
  return m->reader->status == LAC_OK;
}

static bool append_mirrored(matrix *m, const int64_t coordinates[2], void *value) {
  if (m->symmetry == GENERAL)
    return true;
  if (coordinates[0] != coordinates[1])
    return mirror_value(m, value) && append(m, (int64_t[2]){coordinates[1], coordinates[0]}, value);
  if (m->symmetry == SKEW_SYMMETRIC)
    return lac_reader_error(
        m->reader,
        "expected no entry on the diagonal of a skew-symmetric matrix, found (%lld, %lld)",
        (long long)coordinates[0] + 1, (long long)coordinates[1] + 1);
  return true;
}

static bool read_entry(matrix *m) {
  int64_t coordinates[2];
  char value[LAC_VALUE_WIDTH];
  return read_coordinate(m, "a row", m->rows, &coordinates[0]) &&
         read_coordinate(m, "a column", m->columns, &coordinates[1]) && read_value(m, value) &&
         lac_reader_end_line(m->reader) && append(m, coordinates, value) &&
         append_mirrored(m, coordinates, value);
}

/* ---- On threads: a chunk of the entries --------------------------------------------------- */

static bool parse_chunk(lac_input *chunk, void *copy) {
  matrix *m = copy;
  m->input = chunk;
  m->reader = &chunk->reader;
  for (m->found = 0; lac_reader_content(m->reader, '%'); m->found++)
    if (!read_entry(m))
      return false;
  return m->reader->status == LAC_OK;
}

static bool accept_chunk(void *state, const void *copy) {
  matrix *m = state;
  const matrix *chunk = copy;
  if (chunk->found > m->entries - m->found)
    return false;
  m->found += chunk->found;
  return true;
}

static const lac_chunk_format chunks = {sizeof(matrix), parse_chunk, accept_chunk};

static bool read_entries(matrix *m) {
  if (m->order > 0)
    lac_chunks_read(m->input, &chunks, m);
  for (; m->found < m->entries; m->found++) {
    if (!lac_reader_content(m->reader, '%'))
      return missing(m, "entries", m->entries, m->found);
    if (!read_entry(m))
      return false;
  }
  return expect_end(m, "entries", m->entries);
}

/* The header may lie, so that room is made for as many entries as it says only up to a bound. */
static bool read_coordinate_format(matrix *m) {
  enum { TRUSTED_ENTRIES = 1 << 16 };
  int64_t capacity = m->entries < TRUSTED_ENTRIES ? m->entries : TRUSTED_ENTRIES;
  const int64_t *dimensions = m->order == 1 ? &m->size[m->along] : m->size;
  m->reader->status = lac_list_create(&m->input->list, m->type, m->order, dimensions, capacity);
  return m->reader->status == LAC_OK && read_entries(m);
}

/* ---- Array format ------------------------------------------------------------------------- */

static int64_t count_values(const matrix *m) {
  int64_t n = m->rows;
  if (m->symmetry == GENERAL)
    return n * m->columns;
  int64_t below = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  return m->symmetry == SKEW_SYMMETRIC ? below : below + n;
}

static bool make_room(matrix *m) {
  lac_list *list = &m->input->list;
  int64_t count = lac_memory_bytes(m->size[0], m->size[1]);
  if (lac_memory_bytes(count, lac_type_width(m->type)) < 0)
    return lac_reader_error(m->reader,
                            "expected a size that fits in memory, found %lld x %lld values",
                            (long long)m->size[0], (long long)m->size[1]);
  if (!lac_reader_may_have(m->reader, count_values(m)))
    return lac_reader_error(m->reader, "expected %lld values, found a file too short for them",
                            (long long)count_values(m));
  m->input->has_all = true;
  *list = (lac_list){.type = m->type, .order = m->order, .values.width = lac_type_width(m->type)};
  for (int64_t d = 0; d < m->order; d++)
    list->dimensions[d] = m->order == 1 ? m->size[m->along] : m->size[d];
  m->reader->status = lac_array_allocate(&list->values, count);
  return m->reader->status == LAC_OK;
}

static char *value_at(const matrix *m, int64_t i, int64_t j) {
  const lac_array *values = &m->input->list.values;
  return (char *)values->data + (j * m->size[0] + i) * values->width;
}

static int64_t first_row(const matrix *m, int64_t j) {
  return m->symmetry == GENERAL ? 0 : m->symmetry == SKEW_SYMMETRIC ? j + 1 : j;
}

static bool read_array_value(matrix *m, int64_t i, int64_t j) {
  char *value = value_at(m, i, j);
  if (!read_value(m, value) || !lac_reader_end_line(m->reader))
    return false;
  if (m->symmetry == GENERAL || i == j)
    return true;
  memcpy(value_at(m, j, i), value, (size_t)m->input->list.values.width);
  return mirror_value(m, value_at(m, j, i));
}

static bool read_array_format(matrix *m) {
  int64_t found = 0;
  if (!make_room(m))
    return false;
  for (int64_t j = 0; j < m->columns && m->rows > 0; j++)
    for (int64_t i = first_row(m, j); i < m->rows; i++, found++) {
      if (!lac_reader_content(m->reader, '%'))
        return missing(m, "values", count_values(m), found);
      if (!read_array_value(m, i, j))
        return false;
    }
  return expect_end(m, "values", found);
}

void lac_matrix_market_read(lac_input *input) {
  matrix m = {.input = input, .reader = &input->reader};
  if (!read_banner(&m) || !read_sizes(&m))
    return;
  if (m.format == COORDINATE)
    read_coordinate_format(&m);
  else
    read_array_format(&m);
}

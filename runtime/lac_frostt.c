/* lac_frostt.c - reads a tensor in FROSTT's text format (lac_file.h): an entry a line, its
 * coordinates from 1 and its value.  The first entry's words tell the order:
 *
 *     # comment
 *     2 1 4  0.5          three coordinates and a value: order 3
 *
 * A complex value is two numbers.  Where a complex type and an order are wanted one number will do
 * too.
 */
#include "lac_chunks.h"
#include "lac_error.h"
#include "lac_input.h"
#include "lac_value.h"

typedef struct entry_list {
  lac_input *input;
  lac_reader *reader;
  int32_t type;
  bool pair;
  int64_t order;
  int64_t largest[LAC_FILE_ORDER];
} entry_list;

static int64_t count_words(const char *text) {
  int64_t count = 0;
  for (text = lac_skip_spaces(text); *text != '\n'; text = lac_skip_spaces(text), count++)
    while (*text != '\n' && *text != ' ' && *text != '\t' && *text != '\r')
      text++;
  return count;
}

static bool wrong_words(entry_list *t, int64_t expected, int64_t found) {
  return lac_reader_error(t->reader, "expected %lld coordinates and a value, found %lld words",
                          (long long)expected, (long long)found);
}

/* Decides the order and the shape of the value from the words of the first entry. */
static bool choose_order(entry_list *t, int64_t words) {
  int64_t wanted = t->input->options.order;
  bool is_complex = lac_type_is_complex(t->type);
  t->pair = is_complex && (wanted < 0 || words == wanted + 2);
  t->order = words - (t->pair ? 2 : 1);
  if (wanted >= 0 && t->order != wanted)
    return wrong_words(t, wanted, words);
  if (t->order < 0)
    return lac_reader_error(t->reader, "expected two numbers for a complex value, found one");
  if (t->order > LAC_FILE_ORDER)
    return lac_reader_error(t->reader, "expected a tensor of order %d at most, found order %lld",
                            LAC_FILE_ORDER, (long long)t->order);
  return true;
}

static int64_t wanted_size(const entry_list *t, int64_t d) {
  const lac_read_options *options = &t->input->options;
  return options->dimensions && options->order > d ? options->dimensions[d] : 0;
}

static bool read_coordinate(entry_list *t, int64_t d, int64_t *coordinate) {
  if (!lac_reader_integer(t->reader, "a coordinate", coordinate))
    return false;
  int64_t size = wanted_size(t, d);
  if (*coordinate < 1)
    return lac_reader_error(t->reader,
                            "expected coordinates from 1 on, found %lld in dimension %lld",
                            (long long)*coordinate, (long long)d);
  if (size > 0 && *coordinate > size)
    return lac_reader_error(t->reader,
                            "expected coordinates from 1 to %lld in dimension %lld, found %lld",
                            (long long)size, (long long)d, (long long)*coordinate);
  if (*coordinate > t->largest[d])
    t->largest[d] = *coordinate;
  --*coordinate;
  return true;
}

static bool read_entry(entry_list *t) {
  int64_t coordinates[LAC_FILE_ORDER] = {0};
  char value[LAC_VALUE_WIDTH];
  for (int64_t d = 0; d < t->order; d++)
    if (!read_coordinate(t, d, &coordinates[d]))
      return false;
  if (!lac_input_value(t->input, t->type, t->pair, value) || !lac_reader_end_line(t->reader))
    return false;
  if (t->order == 0 && t->input->list.count > 0)
    return lac_reader_error(t->reader, "expected one value, found a second");
  t->reader->status = lac_list_append(&t->input->list, coordinates, value);
  return t->reader->status == LAC_OK;
}

/* ---- On threads: a chunk of the entries --------------------------------------------------- */

static bool parse_chunk(lac_input *chunk, void *copy) {
  entry_list *t = copy;
  t->input = chunk;
  t->reader = &chunk->reader;
  while (lac_reader_content(t->reader, '#'))
    if (!read_entry(t))
      return false;
  return t->reader->status == LAC_OK;
}

static bool accept_chunk(void *state, const void *copy) {
  entry_list *t = state;
  const entry_list *chunk = copy;
  for (int64_t d = 0; d < t->order; d++)
    if (chunk->largest[d] > t->largest[d])
      t->largest[d] = chunk->largest[d];
  return true;
}

static const lac_chunk_format chunks = {sizeof(entry_list), parse_chunk, accept_chunk};

/* ---- The file ----------------------------------------------------------------------------- */

static bool create(entry_list *t) {
  static const int64_t unknown[LAC_FILE_ORDER] = {0};
  t->reader->status = lac_list_create(&t->input->list, t->type, t->order, unknown, 1 << 12);
  return t->reader->status == LAC_OK;
}

static void set_dimensions(entry_list *t) {
  for (int64_t d = 0; d < t->order; d++) {
    int64_t wanted = wanted_size(t, d);
    t->input->list.dimensions[d] = wanted > 0 ? wanted : t->largest[d];
  }
}

/* A file without entries is a tensor without entries, where it is known of which order. */
static bool begin(entry_list *t, bool has_entry) {
  if (t->reader->status != LAC_OK)
    return false;
  if (has_entry)
    return choose_order(t, count_words(t->reader->cursor)) && create(t);
  t->order = t->input->options.order;
  if (t->order < 1)
    return lac_reader_error(
        t->reader, "expected an entry to tell the order of the tensor, found the file's end");
  return create(t);
}

void lac_frostt_read(lac_input *input) {
  int32_t type = input->options.type >= 0 ? input->options.type : LAC_F64;
  entry_list t = {.input = input, .reader = &input->reader, .type = type};
  bool has_entry = lac_reader_content(t.reader, '#');
  if (!begin(&t, has_entry))
    return;
  for (bool first = true; has_entry; has_entry = lac_reader_content(t.reader, '#')) {
    if (!read_entry(&t))
      return;
    if (first && t.order > 0)
      lac_chunks_read(input, &chunks, &t);
    first = false;
  }
  if (t.reader->status == LAC_OK)
    set_dimensions(&t);
}

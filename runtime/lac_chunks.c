/* lac_chunks.c - lines of a file read by several threads at once; see lac_chunks.h. */
#include "lac_chunks.h"

#include "lac_kernel.h"
#include "lac_memory.h"

#include <pthread.h>
#include <signal.h>

enum { MOST_CHUNKS = 64, BYTES_OF_A_LINE = 8 };
static const int64_t chunk_bytes = INT64_C(1) << 21; /* that a thread reads before others join it */

typedef struct chunk {
  const lac_chunk_format *format;
  lac_input input;
  void *state;
  pthread_t thread;
  bool started, good;
} chunk;

/* ---- Cutting ------------------------------------------------------------------------------ */

static const char *line_after(const char *text, const char *limit) {
  const char *end = text < limit ? memchr(text, '\n', (size_t)(limit - text)) : NULL;
  return end ? end + 1 : limit;
}

/* Chunk i of `count`: where it begins.  Of fewer bytes than chunks all but the last are empty. */
static const char *begin_of(const lac_reader *reader, int64_t i, int64_t count) {
  int64_t all = reader->limit - reader->cursor, at = all / count * i;
  return i == count ? reader->limit
         : at == 0  ? reader->cursor
                    : line_after(reader->cursor + at - 1, reader->limit);
}

/* A reader of some complete lines, of which the first has number 1. */
static lac_reader lines_of(const lac_reader *reader, const char *begin, const char *end) {
  return (lac_reader){.cursor = begin, .limit = end, .path = reader->path, .at_end = true};
}

/* ---- A chunk ------------------------------------------------------------------------------ */

/* Made once: what a list has room for serves the lines that come after. */
static bool make_chunk(chunk *c, const lac_input *input, const lac_chunk_format *format) {
  const lac_list *list = &input->list;
  *c = (chunk){.format = format, .state = lac_memory_allocate((int64_t)format->size)};
  c->input.options = input->options;
  return lac_list_create(&c->input.list, list->type, list->order, list->dimensions, 1) == LAC_OK &&
         c->state;
}

static void free_chunk(chunk *c) {
  lac_list_free(&c->input.list);
  lac_memory_release(c->state, c->state ? (int64_t)c->format->size : 0);
}

static void begin_chunk(chunk *c, const void *state, lac_reader lines) {
  memcpy(c->state, state, c->format->size);
  c->input.list.count = 0;
  c->input.reader = lines;
  c->started = false;
}

static void *parse_chunk(void *data) {
  chunk *c = data;
  c->good = c->format->parse(&c->input, c->state);
  return NULL;
}

/* Signals are the host's: its threads take them, ours do not. */
static void start(chunk *c) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  c->started = !pthread_create(&c->thread, NULL, parse_chunk, c);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The first one on this thread. */
static void parse_all(chunk *chunks, int64_t count) {
  for (int64_t i = 1; i < count; i++)
    start(&chunks[i]);
  for (int64_t i = 0; i < count; i++)
    if (!chunks[i].started)
      parse_chunk(&chunks[i]);
  for (int64_t i = 1; i < count; i++)
    if (chunks[i].started)
      pthread_join(chunks[i].thread, NULL);
}

/* ---- Putting together --------------------------------------------------------------------- */

/* The entries of a chunk behind those that there are; the reader behind its lines. */
static bool take_chunk(lac_input *input, void *state, const chunk *c) {
  if (!c->good || !c->format->accept(state, c->state) ||
      lac_list_append_all(&input->list, &c->input.list) != LAC_OK)
    return false;
  input->reader.cursor = c->input.reader.limit;
  input->reader.line += c->input.reader.line;
  return true;
}

/* The complete lines that the reader has; whether that went well for all of them. */
static bool read_lines(lac_input *input, void *state, chunk *chunks, int64_t count) {
  const lac_reader *reader = &input->reader;
  bool good = true;
  for (int64_t i = 0; i < count; i++)
    begin_chunk(&chunks[i], state,
                lines_of(reader, begin_of(reader, i, count), begin_of(reader, i + 1, count)));
  parse_all(chunks, count);
  for (int64_t i = 0; i < count && good; i++)
    good = take_chunk(input, state, &chunks[i]);
  return good;
}

/* ---- The file ----------------------------------------------------------------------------- */

static int64_t thread_count(void) {
  int64_t wanted = lac_threads();
  return wanted < MOST_CHUNKS ? wanted : MOST_CHUNKS;
}

/* Little is read faster by one. */
static bool is_worthwhile(const lac_reader *reader) {
  return (reader->limit - reader->cursor) / BYTES_OF_A_LINE >= lac_threads_from();
}

static void read_blocks(lac_input *input, void *state, chunk *chunks, int64_t count) {
  bool good = true;
  while (good && lac_reader_block(&input->reader, count * chunk_bytes))
    good = is_worthwhile(&input->reader) && read_lines(input, state, chunks, count);
}

void lac_chunks_read(lac_input *input, const lac_chunk_format *format, void *state) {
  chunk chunks[MOST_CHUNKS];
  int64_t count = thread_count(), made = 0;
  bool good = count > 1;
  for (; good && made < count; made++)
    good = make_chunk(&chunks[made], input, format);
  if (good)
    read_blocks(input, state, chunks, count);
  while (made > 0)
    free_chunk(&chunks[--made]);
}

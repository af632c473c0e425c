/* arena.c - memory by bumping a pointer through blocks, each twice the one before:
 *
 *     arena -> [ header | used ......... | free ] -> [ header | used ..... ] -> NULL
 */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

typedef struct block {
  struct block *next;
  size_t used, size;
  max_align_t bytes[];
} block;

struct arena {
  block *blocks; /* the one in use first */
};

static void *allocate_or_exit(size_t size) {
  void *bytes = calloc(1, size);
  if (!bytes) {
    fputs("error: out of memory while compiling\n", stderr);
    exit(1);
  }
  return bytes;
}

arena *arena_create(void) {
  return allocate_or_exit(sizeof(arena));
}

/* Frees the blocks that were added after `last`. */
static void free_blocks(arena *memory, const block *last) {
  while (memory->blocks != last) {
    block *next = memory->blocks->next;
    free(memory->blocks);
    memory->blocks = next;
  }
}

void arena_free(arena *memory) {
  if (!memory)
    return;
  free_blocks(memory, NULL);
  free(memory);
}

arena_mark arena_mark_here(const arena *memory) {
  return (arena_mark){memory->blocks, memory->blocks ? memory->blocks->used : 0};
}

void arena_release(arena *memory, arena_mark mark) {
  free_blocks(memory, mark.block);
  block *b = memory->blocks;
  if (!b)
    return;
  memset((char *)b->bytes + mark.used, 0, b->used - mark.used);
  b->used = mark.used;
}

static size_t next_block_size(const arena *memory, size_t needed) {
  size_t size = memory->blocks ? 2 * memory->blocks->size : FIRST_BLOCK;
  if (size > LARGEST_BLOCK)
    size = LARGEST_BLOCK;
  return size < needed ? needed : size;
}

static void add_block(arena *memory, size_t needed) {
  size_t size = next_block_size(memory, needed);
  block *b = allocate_or_exit(sizeof(block) + size);
  b->size = size;
  b->next = memory->blocks;
  memory->blocks = b;
}

static size_t round_up(size_t size) {
  size_t unit = _Alignof(max_align_t);
  return (size + unit - 1) / unit * unit;
}

void *arena_alloc(arena *memory, size_t size) {
  size = round_up(size);
  if (!memory->blocks || memory->blocks->size - memory->blocks->used < size)
    add_block(memory, size);
  block *b = memory->blocks;
  void *bytes = (char *)b->bytes + b->used;
  b->used += size;
  return bytes;
}

char *arena_text(arena *memory, const char *text, size_t length) {
  char *copy = arena_alloc(memory, length + 1);
  if (length)
    memcpy(copy, text, length);
  return copy;
}

char *arena_format(arena *memory, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  char *text = arena_alloc(memory, (size_t)(length < 0 ? 0 : length) + 1);
  if (length > 0)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}

/* arena.h - memory of one pass: many small allocations, freed at once when the pass ends. */
#ifndef LACUNA_ARENA_H
#define LACUNA_ARENA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arena arena;

/* A new arena; ends the process with a message when memory runs out, as LLVM does (compiling, not
 * running, is what stops).  arena_free frees it with everything allocated from it. */
arena *arena_create(void);
void arena_free(arena *memory);

/* `size` zeroed bytes, aligned for any type. */
void *arena_alloc(arena *memory, size_t size);

/* A zeroed array of `count` elements of type T. */
#define ARENA_ARRAY(memory, T, count) ((T *)arena_alloc((memory), sizeof(T) * (size_t)(count)))

/* Where the arena is now; and frees all that was allocated since then, later marks included. */
typedef struct arena_mark {
  void *block;
  size_t used;
} arena_mark;
arena_mark arena_mark_here(const arena *memory);
void arena_release(arena *memory, arena_mark mark);

/* A copy of `length` bytes of text with a terminating NUL; and printf into the arena. */
char *arena_text(arena *memory, const char *text, size_t length);
char *arena_format(arena *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif

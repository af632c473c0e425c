/* format_table.c - formats that are drawn beside compositions of dense, compressed and singleton
 * levels: blocks, diagonals, and every other level format.  A new level format gets lines here.
 */
#include "format_table.h"

typedef struct drawn_format {
  int order, weight;
  const char *levels; /* of dimensions d0, d1, ... */
} drawn_format;

static const drawn_format table[] = {
    {1, 1, "d0 : bitmap"},
    {1, 1, "d0 : loose_compressed"},
    {1, 1, "d0 floordiv 2 : compressed, d0 mod 2 : dense"},
    {1, 1, "d0 floordiv 3 : dense, d0 mod 3 : bitmap"},
    {1, 1, "d0 : run_length"},
    {1, 1, "d0 : tuples(1)"},
    {2, 1, "d1 - d0 : compressed, d0 : range, d1 : offset"},
    {2, 1, "d0 - d1 : compressed, d1 : range, d0 : offset"},
    {2, 1, "d0 : dense, d1 - d0 : compressed, d1 : offset"},
    {2, 1, "d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense"},
    {2, 1,
     "d1 floordiv 2 : compressed, d0 floordiv 2 : compressed, d1 mod 2 : dense, d0 mod 2 : dense"},
    {2, 1,
     "d0 floordiv 3 : dense, d1 floordiv 2 : dense, d0 mod 3 : compressed(nonunique), d1 mod 2 : "
     "singleton"},
    {2, 1,
     "d0 floordiv 2 : compressed(nonunique), d1 floordiv 2 : singleton, d0 mod 2 : dense, d1 mod 2 "
     ": dense"},
    {2, 1, "d0 floordiv 2 : dense, d1 : compressed, d0 mod 2 : dense"},
    {2, 1, "d0 : dense, d1 floordiv 4 : compressed, d1 mod 4 : dense"},
    {2, 1, "d1 floordiv 5 : dense, d0 floordiv 4 : compressed, d1 mod 5 : dense, d0 mod 4 : dense"},
    {2, 1,
     "d0 floordiv 32 : dense, d1 floordiv 3 : compressed, d0 mod 32 : dense, d1 mod 3 : dense"},
    {2, 1,
     "d1 floordiv 16 : dense, d0 floordiv 8 : dense, d0 mod 8 : compressed(nonunique), d1 mod 16 : "
     "singleton"},
    {2, 1, "d0 : dense, d1 : bitmap"},
    {2, 1, "d1 : bitmap, d0 : compressed"},
    {2, 1, "d0 : bitmap, d1 : bitmap"},
    {2, 1, "d0 : compressed, d1 : bitmap"},
    {2, 1, "d0 : dense, d1 : loose_compressed"},
    {2, 1, "d1 : loose_compressed, d0 : loose_compressed"},
    {2, 1, "d0 : dense, d1 : run_length"},
    {2, 1, "d1 : run_length, d0 : run_length"},
    {2, 1, "d0 : run_length, d1 : dense"},
    {1, 1, "d0 : hashed"},
    {1, 1, "d0 : banded"},
    {1, 1, "d0 floordiv 3 : hashed, d0 mod 3 : dense"},
    {2, 1, "d0 : dense, d1 : hashed"},
    {2, 1, "d1 : hashed, d0 : hashed"},
    {2, 1, "d1 : dense, d0 : banded"},
    {2, 1, "d0 : banded, d1 : hashed"},
    {2, 1, "d0 : hashed, d1 : dense"},
    {3, 1, "d2 : hashed, d0 : banded, d1 : hashed"},
    {3, 1, "d0 : dense, d1 : dense, d2 : hashed"},
    {2, 1, "d0 : tuples(2, nonunique), d1 : element(1)"},
    {2, 1, "d1 : tuples(2, nonunique), d0 : element(1, nonunique)"},
    {2, 1, "d1 : dense, d0 : tuples(1)"},
    {3, 1, "d0 floordiv 2 : compressed, d1 : dense, d2 : compressed, d0 mod 2 : dense"},
    {3, 1,
     "d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d2 floordiv 3 : compressed, d0 mod 2 : "
     "dense, d1 mod 2 : dense, d2 mod 3 : dense"},
    {3, 1, "d2 : dense, d0 : bitmap, d1 : loose_compressed"},
    {3, 1, "d1 : run_length, d0 : bitmap, d2 : compressed"},
    {3, 1, "d0 : compressed, d2 - d1 : compressed, d1 : range, d2 : offset"},
    {3, 1, "d0 : run_length, d2 : compressed, d1 : run_length"},
    {3, 1, "d2 : tuples(3, nonunique), d0 : element(1, nonunique), d1 : element(2)"},
    {3, 1, "d1 : dense, d0 : tuples(2, nonunique), d2 : element(1)"},
    {1, 1, "d0 : sliced"},
    {1, 1, "d0 floordiv 4 : dense, d0 mod 4 : nm(4)"},
    {2, 1, "d0 : dense, d1 floordiv 3 : dense, d1 mod 3 : nm(3)"},
    {2, 1, "d0 floordiv 2 : dense, d1 : dense, d0 mod 2 : nm(2)"},
    {2, 1, "#d0 : sliced, d0 : dense, d1 : padded"},
    {2, 1, "#d1 : sliced, d1 : dense, d0 : padded"},
    {2, 1, "d0 floordiv 3 : dense, #d0 : sliced, d0 mod 3 : dense, d1 : padded"},
    {2, 1, "d0 : dense, #d0 : sliced, d1 : padded"},
    {2, 1, "d1 : dense, d0 : sliced"},
    {3, 1, "#d0 : sliced, d0 : dense, d1 : padded, d2 : padded"},
    {3, 1, "d1 floordiv 2 : dense, #d1 : sliced, d1 mod 2 : dense, d2 : padded, d0 : padded"},
};

enum { TABLE_SIZE = sizeof table / sizeof *table };

const char *draw_from_table(int order, uint64_t *random) {
  int total = 0;
  for (int i = 0; i < TABLE_SIZE; i++)
    total += table[i].order == order ? table[i].weight : 0;
  int left = total ? random_below(random, total) : 0;
  for (int i = 0; i < TABLE_SIZE && total; i++) {
    if (table[i].order != order)
      continue;
    left -= table[i].weight;
    if (left < 0)
      return table[i].levels;
  }
  return 0;
}

/* format_table.h - the formats that only the compiler packs. */
#ifndef LACUNA_TEST_FORMAT_TABLE_H
#define LACUNA_TEST_FORMAT_TABLE_H

#include "random.h"

/* The levels of one of so many dimensions, as text; NULL where there is none. */
const char *draw_from_table(int order, uint64_t *random);

/* Levels of any formats, of so many dimensions (up to 3), written to `text` (MIX_LENGTH). */
enum { MIX_LENGTH = 720 };
void draw_mix(int order, uint64_t *random, char *text);

#endif

/* level_entries.h - how many entries the levels of an access have: as tin.holds tells, where
 * entries are anywhere, and else as is guessed. */
#ifndef LACUNA_LEVEL_ENTRIES_H
#define LACUNA_LEVEL_ENTRIES_H

#include "statement.h"

/* The entries of level l of an access under each entry of the level above; the entries of all. */
double level_entries(const statement *s, const access *a, int l);
double access_entries(const statement *s, const access *a);

/* Over how many coordinates of a dimension the entries are said to be spread (tin_held_spread);
 * negative where not even its size is known. */
double access_spread(const access *a, int dimension);

/* What it takes to convert the access where its entries are to be sorted, as loop_cost counts. */
double access_sorting_cost(const statement *s, const access *a);
/* The same of what is no longer than lists are guessed to be. */
double access_listing_cost(const statement *s, const access *a);

#endif

/* Packs entries into levels and reads them back, level by level (Chou et al. 2018, section 3.1).
 *
 * A position of a level stands for a range of the sorted entries:
 *
 *     dense        a range is cut by coordinate 0, 1, ..., size-1; parts may be empty
 *     compressed   a range is cut where the coordinate changes (nonunique: or the branch that an
 *                  entry is in; at every entry where a list is below)
 *     singleton    a range of one entry stays as it is
 */
#include "store.h"

#include "lac_coo.h"

#include <stdlib.h>
#include <string.h>

typedef struct range {
  int64_t begin, end;
} range;

typedef struct packer {
  const tensor *t;
  const entry *entries;
  range *ranges, *cut;
  int64_t range_count, cut_count;
} packer;

//--- Sorting -------------------------------------------------------------------------------------

/* Which of the branches that have a coordinate an entry is in: -1 where each entry has its own. */
enum { BRANCHES = 3 };
static int branch_of(const entry *e, const tensor *t, int level) {
  level_kind below = level + 1 < t->order ? t->levels[level + 1] : LEVEL_SINGLETON;
  bool branches = t->levels[level] == LEVEL_COMPRESSED_NONUNIQUE && below < LEVEL_SINGLETON;
  return branches ? (int)(e->number % BRANCHES) : -1;
}

/* By what a level's entries are sorted.  Where coordinates are in no order, by something like
 * chance: of the coordinate where those that are the same stand together, else of the entry. */
static int64_t sort_key(const entry *e, const tensor *t, int level) {
  int64_t coordinate = e->coordinates[t->modes[level]];
  int branch = branch_of(e, t, level);
  level_kind kind = t->levels[level];
  int64_t key = branch < 0 ? coordinate : coordinate * BRANCHES + branch;
  if (!t->unordered || kind == LEVEL_DENSE)
    return key;
  return ((kind == LEVEL_COMPRESSED || branch >= 0 ? key : e->number) + 1) * 7919 % 10007;
}

static int compare_entries(const entry *x, const entry *y, const tensor *t) {
  for (int l = 0; l < t->order; l++) {
    int64_t a = sort_key(x, t, l), b = sort_key(y, t, l);
    if (a != b)
      return a < b ? -1 : 1;
  }
  return 0;
}

static void merge_sort(const tensor *t, entry *entries, entry *scratch, int64_t count) {
  int64_t half = count / 2, left = 0, right = half, n = 0;
  if (count < 2)
    return;
  merge_sort(t, entries, scratch, half);
  merge_sort(t, entries + half, scratch, count - half);
  while (left < half && right < count)
    scratch[n++] = compare_entries(&entries[right], &entries[left], t) < 0 ? entries[right++]
                                                                           : entries[left++];
  while (left < half)
    scratch[n++] = entries[left++];
  memcpy(entries, scratch, (size_t)n * sizeof *entries);
}

static entry *sorted_entries(const tensor *t) {
  size_t bytes = ((size_t)t->count + 1) * sizeof(entry);
  entry *entries = malloc(bytes), *scratch = malloc(bytes);
  memcpy(entries, t->entries, (size_t)t->count * sizeof *entries);
  merge_sort(t, entries, scratch, t->count);
  free(scratch);
  return entries;
}

//--- Packing -------------------------------------------------------------------------------------

static lac_array make_array(int64_t count, int32_t width) {
  return (lac_array){malloc((size_t)(count ? count * width : 1)), count, count, width, 0};
}

static void put(lac_array *array, int64_t at, int64_t value) {
  memcpy((char *)array->data + at * array->width, &value, (size_t)array->width);
}

static int64_t coordinate_at(const packer *p, int level, int64_t entry_number) {
  return p->entries[entry_number].coordinates[p->t->modes[level]];
}

static void add_cut(packer *p, int64_t begin, int64_t end) {
  p->cut[p->cut_count++] = (range){begin, end};
}

static void pack_dense(packer *p, int level, int64_t size) {
  for (int64_t r = 0; r < p->range_count; r++) {
    int64_t at = p->ranges[r].begin;
    for (int64_t i = 0; i < size; i++) {
      int64_t begin = at;
      while (at < p->ranges[r].end && coordinate_at(p, level, at) == i)
        at++;
      add_cut(p, begin, at);
    }
  }
}

/* Whether two entries next to one another are in one branch of a level. */
static bool share_branch(const packer *p, int level, int64_t a, int64_t b, bool unique) {
  int branch = branch_of(&p->entries[a], p->t, level);
  return coordinate_at(p, level, a) == coordinate_at(p, level, b) &&
         (unique || (branch >= 0 && branch == branch_of(&p->entries[b], p->t, level)));
}

static void pack_compressed(packer *p, int level, lac_level *into, bool unique) {
  lac_array *positions = &into->array[LAC_POSITIONS];
  *positions = make_array(p->range_count + 1, p->t->position_bits / 8);
  put(positions, 0, 0);
  for (int64_t r = 0; r < p->range_count; r++) {
    int64_t end = p->ranges[r].end;
    for (int64_t at = p->ranges[r].begin, begin = at; at < end; begin = at) {
      at++;
      while (at < end && share_branch(p, level, begin, at, unique))
        at++;
      add_cut(p, begin, at);
    }
    put(positions, r + 1, p->cut_count);
  }
}

static void pack_coordinates(packer *p, int level, lac_level *into) {
  lac_array *coordinates = &into->array[LAC_COORDINATES];
  *coordinates = make_array(p->cut_count, p->t->coordinate_bits / 8);
  for (int64_t r = 0; r < p->cut_count; r++)
    put(coordinates, r, coordinate_at(p, level, p->cut[r].begin));
}

static const char *kind_name(level_kind kind) {
  return kind == LEVEL_DENSE                  ? "dense"
         : kind <= LEVEL_COMPRESSED_NONUNIQUE ? "compressed"
                                              : "singleton";
}

static void pack_level(packer *p, int level, lac_level *into) {
  level_kind kind = p->t->levels[level];
  int64_t size = p->t->dimensions[p->t->modes[level]];
  *into = (lac_level){.kind = kind_name(kind), .size = size};
  int64_t room = kind == LEVEL_DENSE ? p->range_count * size : p->t->count;
  p->cut = malloc(((size_t)room + 1) * sizeof *p->cut);
  p->cut_count = 0;
  if (kind == LEVEL_DENSE)
    pack_dense(p, level, size);
  else if (kind == LEVEL_COMPRESSED || kind == LEVEL_COMPRESSED_NONUNIQUE)
    pack_compressed(p, level, into, kind == LEVEL_COMPRESSED);
  else
    for (int64_t r = 0; r < p->range_count; r++)
      add_cut(p, p->ranges[r].begin, p->ranges[r].end);
  if (kind != LEVEL_DENSE)
    pack_coordinates(p, level, into);
  free(p->ranges);
  p->ranges = p->cut;
  p->range_count = p->cut_count;
}

static void pack_values(const packer *p, element fill, lac_tensor *stored) {
  stored->values = make_array(p->range_count, lac_type_width(p->t->type));
  for (int64_t r = 0; r < p->range_count; r++) {
    element value = p->ranges[r].begin < p->ranges[r].end ? 0 : fill;
    for (int64_t e = p->ranges[r].begin; e < p->ranges[r].end; e++)
      value = p->ranges[r].end == p->ranges[r].begin + 1
                  ? p->entries[e].value
                  : ring_plus(NULL, p->t->type, value, p->entries[e].value);
    element_store(p->t->type, value, stored->values.data, r);
  }
}

void store_entries(const tensor *t, element fill, lac_tensor *stored) {
  packer p = {
      .t = t, .entries = sorted_entries(t), .ranges = malloc(sizeof(range)), .range_count = 1};
  p.ranges[0] = (range){0, t->count};
  *stored = (lac_tensor){.order = t->order, .level_count = t->order, .type = t->type};
  stored->dimensions = calloc(MAX_TENSOR_ORDER, sizeof *stored->dimensions);
  stored->levels = calloc(MAX_TENSOR_ORDER, sizeof *stored->levels);
  memcpy(stored->dimensions, t->dimensions, sizeof t->dimensions);
  for (int l = 0; l < t->order; l++)
    pack_level(&p, l, &stored->levels[l]);
  pack_values(&p, fill, stored);
  free(p.ranges);
  free((entry *)p.entries);
}

void store_free(lac_tensor *stored) {
  for (int64_t l = 0; l < stored->level_count; l++)
    for (int a = 0; a < LAC_ARRAYS; a++)
      free(stored->levels[l].array[a].data);
  free(stored->values.data);
  free(stored->levels);
  free(stored->dimensions);
  *stored = (lac_tensor){0};
}

int32_t store_list(const tensor *t, lac_tensor *list) {
  int64_t order[MAX_TENSOR_ORDER];
  int32_t status = lac_coo_create(list, t->type, t->order, t->dimensions, t->count);
  for (int64_t e = 0; !status && e < t->count; e++) {
    unsigned char bytes[16];
    element_store(t->type, t->entries[e].value, bytes, 0);
    status = lac_coo_append(list, t->entries[e].coordinates, bytes);
  }
  for (int l = 0; l < t->order; l++)
    order[l] = t->modes[l];
  return status || t->order == 0 ? status : lac_coo_sort(list, order);
}

//--- Reading back --------------------------------------------------------------------------------

int32_t store_check(const tensor *t, const lac_tensor *stored) {
  uint8_t flags[MAX_TENSOR_ORDER + 1] = {0};
  for (int l = 0; l < t->order; l++) {
    if (t->levels[l] == LEVEL_COMPRESSED_NONUNIQUE || t->levels[l] == LEVEL_SINGLETON_NONUNIQUE)
      flags[l] = LAC_NONUNIQUE;
    if (t->unordered && t->levels[l] != LEVEL_DENSE)
      flags[l] |= LAC_UNORDERED;
  }
  return lac_tensor_check(stored, flags);
}

typedef struct reader {
  const tensor *t;
  const lac_tensor *stored;
  element *dense;
  bool *seen, sound;
  int64_t at[MAX_TENSOR_ORDER];
} reader;

static void read_value(reader *r, int64_t position) {
  int64_t at = 0;
  for (int d = 0; d < r->t->order; d++) {
    r->sound &= r->at[d] >= 0 && r->at[d] < r->t->dimensions[d];
    at = at * r->t->dimensions[d] + r->at[d];
  }
  r->sound = r->sound && !r->seen[at];
  if (!r->sound)
    return;
  r->seen[at] = true;
  r->dense[at] = element_load(r->t->type, r->stored->values.data, position);
}

static void read_level(reader *r, int level, int64_t parent) {
  if (level == r->t->order) {
    read_value(r, parent);
    return;
  }
  const lac_level *stored = &r->stored->levels[level];
  const lac_array *coordinates = &stored->array[LAC_COORDINATES];
  level_kind kind = r->t->levels[level];
  int64_t begin = parent, end = parent + 1;
  if (kind == LEVEL_DENSE) {
    begin = parent * stored->size;
    end = begin + stored->size;
  } else if (kind <= LEVEL_COMPRESSED_NONUNIQUE) {
    begin = lac_array_get(&stored->array[LAC_POSITIONS], parent);
    end = lac_array_get(&stored->array[LAC_POSITIONS], parent + 1);
  }
  for (int64_t p = begin; r->sound && p < end; p++) {
    r->at[r->t->modes[level]] = kind == LEVEL_DENSE ? p - begin : lac_array_get(coordinates, p);
    read_level(r, level + 1, p);
  }
}

element *store_spread(const tensor *t, element fill, const lac_tensor *stored, bool **there) {
  int64_t volume = tensor_volume(t);
  size_t room = (size_t)(volume ? volume : 1);
  reader r = {t, stored, calloc(room, sizeof *r.dense), calloc(room, sizeof *r.seen), true, {0}};
  for (int64_t i = 0; i < volume; i++)
    r.dense[i] = fill;
  read_level(&r, 0, 0);
  if (r.sound) {
    *there = r.seen;
    return r.dense;
  }
  free(r.seen);
  free(r.dense);
  return NULL;
}

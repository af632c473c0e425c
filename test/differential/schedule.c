/* Random schedules: mostly ones that can be carried out, so that what they make is compared; now
 * and then any, so that what cannot be is refused. */
#include "schedule_attempts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 12 };

//--- What an index variable subscripts -----------------------------------------------------------

bool is_used(const test_case *c, int v) {
  for (int d = 0; d < c->result.order; d++)
    if (c->result_variables[d] == v)
      return true;
  return c->root->variables >> v & 1;
}

static bool is_of_result(const test_case *c, int v) {
  for (int d = 0; d < c->result.order; d++)
    if (c->result_variables[d] == v)
      return true;
  return false;
}

bool is_dense(const tensor *t) {
  if (t->exotic)
    return false;
  for (int l = 0; l < t->order; l++)
    if (t->levels[l] != LEVEL_DENSE)
      return false;
  return true;
}

static bool is_nonunique(level_kind kind) {
  return kind == LEVEL_COMPRESSED_NONUNIQUE || kind == LEVEL_SINGLETON_NONUNIQUE;
}

/* The levels that must be walked along the variable, and whether one may repeat coordinates. */
typedef struct levels_along {
  int count;
  bool repeats;
} levels_along;

static void add_walked(const test_case *c, const node *access, int v, levels_along *found) {
  const tensor *t = &c->tensors[access->tensor];
  for (int l = 0; l < t->order; l++) {
    if (subscript_bare(&access->subscripts[t->modes[l]]) != v || t->levels[l] == LEVEL_DENSE)
      continue;
    found->count++;
    found->repeats |= is_nonunique(t->levels[l]);
  }
}

static levels_along walked_along(const test_case *c, int v) {
  levels_along found = {0};
  for (int n = 0; n < c->node_count; n++)
    if (c->nodes[n].kind == NODE_ACCESS)
      add_walked(c, &c->nodes[n], v, &found);
  return found;
}

/* Whether the statement is one product, so that it is one nest of loops and vanishes where any
 * operand does. */
static bool is_product(const node *n) {
  if (!n)
    return true;
  bool fits = n->kind == NODE_ACCESS || n->kind == NODE_MULTIPLY || n->kind == NODE_NEGATE;
  return fits && is_product(n->left) && is_product(n->right);
}

static bool is_simple(const test_case *c) {
  return !c->accumulate && is_product(c->root);
}

const char *split_name(maker *m) {
  return chance(m, 70) ? "split" : chance(m, 50) ? "split_up" : "divide";
}

//--- What can be carried out ---------------------------------------------------------------------

/* Whether its coordinates are those of the result's first level. */
static bool is_first_of_result(const test_case *c, int v) {
  const tensor *t = &c->result;
  return t->order && !t->exotic && c->result_variables[t->modes[0]] == v;
}

/* Iterations that write to places of their own, or append pieces of a result, or (shared) reduce
 * into the same. */
static bool can_parallelize(const test_case *c, int v, bool shared) {
  if (!shared && is_first_of_result(c, v))
    return true;
  return is_dense(&c->result) && (shared ? is_simple(c) : is_of_result(c, v));
}

static bool can_walk_in_parallel(const test_case *c, int v) {
  levels_along found = walked_along(c, v);
  return found.count == 0 || (found.count == 1 && !found.repeats && is_simple(c));
}

static bool can_stride(const test_case *c, int v) {
  return is_dense(&c->result) && walked_along(c, v).count == 0;
}

bool is_one_nest(const test_case *c) {
  bool all_of_result = true;
  for (int v = 0; v < c->variable_count; v++)
    all_of_result &= !is_used(c, v) || is_of_result(c, v);
  return all_of_result || is_simple(c);
}

const char *shared_race(maker *m) {
  if (m->c->result.order == 0 && chance(m, 40))
    return "parallel_reduction";
  return chance(m, 50) ? "atomics" : "temporary";
}

/* How those do that write to places of their own. */
static const char *apart_race(maker *m) {
  return chance(m, 85) ? "no_races" : "ignore_races";
}

//--- Loops over what levels hold
//-------------------------------------------------------------------

const char variable_names[] = "ijklm";

const char *next_level(const char *levels) {
  while ((levels = strstr(levels, ", "))) {
    levels += 2;
    if (*levels == 'd' || *levels == '#')
      return levels;
  }
  return NULL;
}

static int count_levels(const char *levels) {
  int count = 0;
  for (; levels; levels = next_level(levels))
    count++;
  return count;
}

bool write_loop_name(const node *access, const char *expression, char *name) {
  bool counts = *expression == '#';
  const char *at = expression + counts;
  char *rest;
  if (*at != 'd')
    return false;
  int d = (int)strtol(at + 1, &rest, 10), other = -1;
  bool adds = !strncmp(rest, " + d", 4);
  if (adds || !strncmp(rest, " - d", 4))
    other = (int)strtol(rest + 4, NULL, 10);
  int v = subscript_bare(&access->subscripts[d]);
  int w = other < 0 ? v : subscript_bare(&access->subscripts[other]);
  if (v < 0 || w < 0)
    return false;
  if (counts)
    sprintf(name, "%c_slot", variable_names[v]);
  else if (other >= 0)
    sprintf(name, adds ? "%c_plus_%c" : "%c_%c", variable_names[v], variable_names[w]);
  else if (!strncmp(rest, " floordiv ", 10))
    sprintf(name, "%c_block", variable_names[v]);
  else if (!strncmp(rest, " mod ", 5))
    sprintf(name, "%c_in", variable_names[v]);
  else
    sprintf(name, "%c", variable_names[v]);
  return true;
}

const node *choose_exotic_access(maker *m) {
  const test_case *c = m->c;
  for (int n = pick(m, c->node_count), left = c->node_count; left > 0; left--, n++) {
    const node *access = &c->nodes[n % c->node_count];
    if (access->kind == NODE_ACCESS && c->tensors[access->tensor].exotic)
      return access;
  }
  return NULL;
}

/* Splits the loop through a level, and may go in strides, or with the blocks around the loop
 * through the level above. */
static bool attempt_exotic(maker *m) {
  char name[16], above[16], *text = m->c->schedule;
  const node *access = choose_exotic_access(m);
  if (!access)
    return false;
  const char *levels = m->c->tensors[access->tensor].exotic, *previous = NULL;
  for (int l = pick(m, count_levels(levels)); l > 0; l--) {
    previous = levels;
    levels = next_level(levels);
  }
  if (!write_loop_name(access, levels, name))
    return false;
  text += sprintf(text, "%s(%s,x0,x1,%d)", split_name(m), name, 1 + pick(m, 5));
  if (previous && chance(m, 40) && write_loop_name(access, previous, above))
    sprintf(text, " reorder(x0,%s,x1)", above);
  else if (chance(m, 30))
    sprintf(text, " reorder(x1,x0)");
  return true;
}

//--- Positions -----------------------------------------------------------------------------------

const node *choose_access(maker *m) {
  const test_case *c = m->c;
  for (int n = pick(m, c->node_count), left = c->node_count; left > 0; left--, n++)
    if (c->nodes[n % c->node_count].kind == NODE_ACCESS)
      return &c->nodes[n % c->node_count];
  return NULL;
}

/* The number of a level that is walked along a variable alone; -1 where the one looked at is not.
 */
static int numbered_level(maker *m, const node *access) {
  const tensor *t = &m->c->tensors[access->tensor];
  int l = t->exotic || !t->order ? -1 : pick(m, t->order);
  bool numbered = l >= 0 && t->levels[l] != LEVEL_DENSE &&
                  subscript_bare(&access->subscripts[t->modes[l]]) >= 0;
  return numbered ? l : -1;
}

/* Goes through what a level stores, all of it or in pieces, of the whole level where there are
 * levels above; on threads now and then. */
bool attempt_positions(maker *m) {
  char *text = m->c->schedule;
  const node *access = choose_access(m);
  int l = access ? numbered_level(m, access) : -1;
  if (l < 0)
    return false;
  const tensor *t = &m->c->tensors[access->tensor];
  char name = variable_names[subscript_bare(&access->subscripts[t->modes[l]])];
  text += sprintf(text, "pos(%c,p,%s)", name, t->name);
  if (chance(m, 20))
    return true;
  text += sprintf(text, " %s(p,p0,p1,%d)", split_name(m), 1 + pick(m, 5));
  if (chance(m, 15))
    text += sprintf(text, " %s(p1,p2,p3,%d)", split_name(m), 1 + pick(m, 3));
  if (chance(m, 20)) {
    sprintf(text, " coord(p1,x) %s(x,x0,x1,%d)", split_name(m), 1 + pick(m, 5));
    return true;
  }
  for (int above = l; above-- > 0 && chance(m, 60);) {
    int v = subscript_bare(&access->subscripts[t->modes[above]]);
    if (v >= 0)
      text += sprintf(text, " reorder(p0,%c)", variable_names[v]);
  }
  if (chance(m, 25))
    sprintf(text, " parallelize(p%d,cpu_thread,%s)", pick(m, 2),
            chance(m, 60) ? shared_race(m) : "no_races");
  return true;
}

//--- Collapsed variables -------------------------------------------------------------------------

/* Collapses two loops that are nested in each other, or three, and splits what they have become:
 * its coordinates, or the positions of an operand. */
bool attempt_collapse(maker *m) {
  test_case *c = m->c;
  const node *access = choose_access(m);
  const tensor *t = access ? &c->tensors[access->tensor] : NULL;
  char *text = c->schedule, last = 'f', order[4];
  int count = 2 + chance(m, 30);
  if (!t || t->exotic || t->order < count)
    return false;
  int first = pick(m, t->order - count + 1);
  for (int n = 0; n < count; n++) {
    int v = subscript_bare(&access->subscripts[t->modes[first + n]]);
    if (v < 0)
      return false;
    order[n] = variable_names[v];
  }
  for (int n = 0; n < count; n++)
    for (int k = 0; k < n; k++)
      if (order[n] == order[k])
        return false;
  text += sprintf(text, "reorder(");
  for (int n = 0; n < count; n++)
    text += sprintf(text, "%s%c", n ? "," : "", order[n]);
  text += sprintf(text, ")");
  if (chance(m, 25)) {
    bool inner = chance(m, 50);
    char v = order[inner];
    text += sprintf(text, " %s(%c,y0,y1,%d)", split_name(m), v, 1 + pick(m, 5));
    text += sprintf(text, inner ? " collapse(%c,y0,f)" : " collapse(y1,%c,f)", order[!inner]);
  } else
    text += sprintf(text, " collapse(%c,%c,f)", order[0], order[1]);
  if (count == 3)
    text += sprintf(text, " collapse(f,%c,g)", order[2]), last = 'g';
  if (chance(m, 50) && t->levels[first + count - 1] != LEVEL_DENSE)
    text += sprintf(text, " pos(%c,p,%s)", last, t->name), last = 'p';
  if (chance(m, 80)) {
    text += sprintf(text, " %s(%c,x0,x1,%d)", split_name(m), last, 1 + pick(m, 9));
    if (last != 'p' && chance(m, 20))
      text += sprintf(text, " reorder(x1,x0)");
    else if (chance(m, 30) && is_dense(&c->result))
      sprintf(text, " parallelize(x0,cpu_thread,%s)", chance(m, 70) ? shared_race(m) : "no_races");
  } else if (chance(m, 50))
    sprintf(text, " parallelize(%c,cpu_thread,%s)", last,
            is_dense(&c->result) ? shared_race(m) : "no_races");
  return is_one_nest(c);
}

//--- Compound subscripts -------------------------------------------------------------------------

/* The terms of one sign, in the order of the variables or the other way around; of one variable
 * its inner part. */
static void write_terms(const subscript *s, bool negative, bool backwards, int split, char *name) {
  for (int n = 0; n < MAX_VARIABLES; n++) {
    int v = backwards ? MAX_VARIABLES - 1 - n : n, factor = s->factors[v];
    if (factor == 0 || (factor < 0) != negative)
      continue;
    sprintf(name + strlen(name), "%s%c%s",
            !*name     ? ""
            : negative ? "_"
                       : "_plus_",
            variable_names[v], v == split ? "1" : "");
    if (abs(factor) != 1)
      sprintf(name + strlen(name), "_x%d", abs(factor));
  }
}

void write_form_name(const subscript *s, bool backwards, int split, char *name) {
  int terms = 0;
  for (int v = 0; v < MAX_VARIABLES; v++)
    terms += s->factors[v] != 0;
  *name = '\0';
  write_terms(s, false, backwards, split, name);
  write_terms(s, true, backwards, split, name);
  if (terms == 1)
    strcat(name, "_moved");
}

/* A compound subscript of an access, whose tensor it tells, or of the result; NULL for none. */
static const subscript *choose_form(maker *m, const tensor **t) {
  test_case *c = m->c;
  const node *access = choose_access(m);
  bool of_result = c->scatters && (!access || chance(m, 50));
  *t = of_result ? &c->result : access ? &c->tensors[access->tensor] : NULL;
  if (!*t || !(*t)->order)
    return NULL;
  int d = pick(m, (*t)->order);
  const subscript *form = of_result ? &c->result_subscripts[d] : &access->subscripts[d];
  return subscript_bare(form) < 0 ? form : NULL;
}

/* Splits the loop through a compound subscript, or one through the positions there. */
static bool attempt_form(maker *m) {
  char name[NAME_SIZE], *text = m->c->schedule;
  const tensor *t;
  const subscript *form = choose_form(m, &t);
  int v = pick(m, m->c->variable_count);
  if (!form)
    return false;
  write_form_name(form, chance(m, 30), -1, name);
  if (chance(m, 30))
    text += sprintf(text, "reorder(%c,%s) ", variable_names[v], name);
  if (chance(m, 30))
    text += sprintf(text, "pos(%s,p,%s) split(p,p0,p1,%d)", name, t->name, 1 + pick(m, 5));
  else
    text += sprintf(text, "%s(%s,p0,p1,%d)", split_name(m), name, 1 + pick(m, 5));
  if (chance(m, 30))
    sprintf(text, " parallelize(p0,cpu_thread,%s)", shared_race(m));
  return true;
}

/* A variable of the subscript; -1 for none. */
static int choose_term(maker *m, const subscript *s) {
  for (int n = pick(m, MAX_VARIABLES), left = MAX_VARIABLES; left > 0; left--, n++)
    if (s->factors[n % MAX_VARIABLES] && is_used(m->c, n % MAX_VARIABLES))
      return n % MAX_VARIABLES;
  return -1;
}

/* All loops in any order, with one through a compound subscript in the place of one over a variable
 * of it; split now and then. */
static bool attempt_form_order(maker *m) {
  test_case *c = m->c;
  char name[NAME_SIZE], *text = c->schedule;
  const tensor *t;
  const subscript *form = choose_form(m, &t);
  int v = form ? choose_term(m, form) : -1, count = 0, loops[MAX_VARIABLES];
  if (v < 0)
    return false;
  write_form_name(form, chance(m, 10), -1, name);
  for (int n = 0; n < c->variable_count; n++)
    if (is_used(c, n))
      loops[count++] = n;
  text += sprintf(text, "reorder(");
  for (int left = count; left > 0; left--) {
    int at = pick(m, left), loop = loops[at];
    loops[at] = loops[left - 1];
    if (loop == v)
      text += sprintf(text, "%s%s", left == count ? "" : ",", name);
    else
      text += sprintf(text, "%s%c", left == count ? "" : ",", variable_names[loop]);
  }
  text += sprintf(text, ")");
  if (chance(m, 30))
    sprintf(text, " %s(%s,p0,p1,%d)", split_name(m), name, 1 + pick(m, 5));
  return count > 1 && is_one_nest(c) && !choose_exotic_access(m);
}

//--- Any order -----------------------------------------------------------------------------------

void shuffle(maker *m, int count, char names[][4]) {
  for (int n = count - 1; n > 0; n--) {
    char swapped[4];
    int other = pick(m, n + 1);
    memcpy(swapped, names[n], sizeof swapped);
    memcpy(names[n], names[other], sizeof swapped);
    memcpy(names[other], swapped, sizeof swapped);
  }
}

/* All loops in any order, whatever is stored in which; one of them split before, or after. */
bool attempt_reorder(maker *m) {
  test_case *c = m->c;
  char names[MOST_LOOPS][4] = {{0}}, *text = c->schedule;
  int count = 0, split = chance(m, 40) ? pick(m, c->variable_count) : -1;
  *text = '\0';
  for (int v = 0; v < c->variable_count; v++) {
    char name = variable_names[v];
    if (v == split && is_used(c, v)) {
      text += sprintf(text, "%s(%c,%c0,%c1,%d) ", split_name(m), name, name, name, 1 + pick(m, 5));
      sprintf(names[count++], "%c0", name);
      sprintf(names[count++], "%c1", name);
    } else if (is_used(c, v))
      sprintf(names[count++], "%c", name);
  }
  shuffle(m, count, names);
  text += sprintf(text, "reorder(");
  for (int n = 0; n < count; n++)
    text += sprintf(text, "%s%s", n ? "," : "", names[n]);
  text += sprintf(text, ")");
  if (chance(m, 20) && is_dense(&c->result))
    sprintf(text, " parallelize(%s,cpu_thread,atomics)", names[0]);
  return count > 1 && is_one_nest(c) && !choose_exotic_access(m);
}

//--- Strategies ----------------------------------------------------------------------------------

/* Any strategies for the loop over a variable: what a walk does not allow is left off. */
static bool attempt_strategies(maker *m, int v) {
  static const char *const all[] = {"lanes=%d",   "write_out",  "look_up", "blocks",
                                    "select",     "search",     "reserve", "read_ahead=%d",
                                    "static",     "dynamic=%d", "flat",    "cursor",
                                    "cursors=%d", "jam=%d",     "stream"};
  char *text = m->c->schedule;
  text += sprintf(text, "strategies(%c", variable_names[v]);
  for (size_t n = 0; n < sizeof all / sizeof *all; n++)
    if (chance(m, 40)) {
      text += sprintf(text, ", ");
      text += sprintf(text, all[n], 1 << pick(m, 5));
    }
  sprintf(text, ")");
  return is_used(m->c, v) && is_one_nest(m->c) && !choose_exotic_access(m);
}

/* The parts n2, n3 of part `within` of n, the other part, and another loop now and then, in any
 * order. */
static int write_parts_order(maker *m, int v, int within, char *text) {
  int count = 3, other = pick(m, m->c->variable_count);
  char names[MOST_LOOPS][4] = {{0}};
  for (int n = 0; n < count; n++)
    sprintf(names[n], "%c%d", variable_names[v], n ? n + 1 : 1 - within);
  if (other != v && is_used(m->c, other))
    sprintf(names[count++], "%c", variable_names[other]);
  shuffle(m, count, names);
  int length = sprintf(text, " reorder(%s", names[0]);
  for (int n = 1; n < count; n++)
    length += sprintf(text + length, ",%s", names[n]);
  return length + sprintf(text + length, ")");
}

/* Parts of parts, in any order, some on threads or lanes. */
bool attempt_nested(maker *m) {
  int v = pick(m, m->c->variable_count), within = pick(m, 2);
  char n = variable_names[v], *text = m->c->schedule;
  text += sprintf(text, "%s(%c,%c0,%c1,%d) ", split_name(m), n, n, n, 1 + pick(m, 5));
  text += sprintf(text, "%s(%c%d,%c2,%c3,%d)", split_name(m), n, within, n, n, 1 + pick(m, 3));
  if (chance(m, 40))
    text += write_parts_order(m, v, within, text);
  if (chance(m, 30))
    sprintf(text, " parallelize(%c3,cpu_vector)", n);
  else if (chance(m, 40))
    sprintf(text, " parallelize(%c%d,cpu_thread,%s)", n, pick(m, 2) ? 2 : 0,
            is_of_result(m->c, v) ? apart_race(m) : shared_race(m));
  return is_used(m->c, v);
}

//--- Choosing ------------------------------------------------------------------------------------

/* One schedule; whether it can be carried out. */
static bool attempt(maker *m) {
  static const char *const names = variable_names;
  test_case *c = m->c;
  if (choose_exotic_access(m) && chance(m, 70))
    return chance(m, 75) ? attempt_exotic(m) : attempt_exotic_precompute(m);
  if (chance(m, 20))
    return attempt_precompute(m);
  if (chance(m, 10))
    return attempt_numbered(m);
  if (all_are_padded() && chance(m, 15))
    return attempt_window(m);
  if (chance(m, 20))
    return attempt_collapse(m);
  if (chance(m, 25))
    return (chance(m, 60) ? attempt_form_order(m) : attempt_form(m)) || attempt_positions(m);
  if (chance(m, 40))
    return attempt_reorder(m);
  if (chance(m, 15))
    return attempt_strategies(m, pick(m, m->c->variable_count));
  if (chance(m, 15))
    return attempt_nested(m);
  int v = pick(m, c->variable_count), size = 1 + pick(m, 5), shared = pick(m, 2);
  const char *split = split_name(m), *race = shared ? shared_race(m) : apart_race(m);
  char name = names[v], *text = c->schedule;
  bool used = is_used(c, v);
  switch (pick(m, 9)) {
  case 0:
    sprintf(text, "%s(%c,%c0,%c1,%d)", split, name, name, name, size);
    return used;
  case 1:
    sprintf(text, "parallelize(%c,cpu_thread,%s)", name, race);
    return used && can_parallelize(c, v, shared) && can_walk_in_parallel(c, v);
  case 2:
    sprintf(text, "%s(%c,%c0,%c1,%d) parallelize(%c%d,cpu_thread,%s)", split, name, name, name,
            size, name, pick(m, 2), race);
    return used && can_parallelize(c, v, shared);
  case 3:
    sprintf(text, "%s(%c,%c0,%c1,%d) reorder(%c1,%c0)", split, name, name, name, size, name, name);
    return used && can_stride(c, v);
  case 4:
    sprintf(text, "unroll(%c,%d)", name, size);
    return used;
  case 5:
    sprintf(text, "bound(%c,x,%d,%s) %s(x,x0,x1,%d)", name, (int)c->extents[v],
            chance(m, 50) ? "max_exact" : "max_constraint", split, size);
    return used;
  case 6:
    sprintf(text, "parallelize(%c,cpu_vector)", name);
    return used && is_simple(c) && walked_along(c, v).count < 2;
  case 7:
    sprintf(text, "%s(%c,%c0,%c1,%d) parallelize(%c1,cpu_vector)", split, name, name, name,
            8 * size, name);
    return used && is_simple(c) && walked_along(c, v).count < 2;
  default:
    return attempt_reorder(m);
  }
}

void choose_schedule(maker *m) {
  test_case *c = m->c;
  if (chance(m, 10))
    return;
  bool any = chance(m, 10), found = attempt(m) || any;
  for (int n = 1; n < ATTEMPTS && !found; n++)
    found = attempt(m);
  if (!found)
    c->schedule[0] = '\0';
  c->threads = 1 + pick(m, 2);
  c->deterministic = chance(m, 25);
}

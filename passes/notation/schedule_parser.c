/* schedule_parser.c - the scheduling language as text.
 *
 * Each command is a row: its name and the kinds of its arguments, one letter each.
 */
#include "schedule_parser.h"

#include "lac_ascii.h"
#include "nearest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* v: a variable that exists, w: a new one, +: the one before again any number of times, V: a list
 * of variables that exist, W: as many new ones, n: a positive number, z: one or 0, s: the subject
 * (text), e: the subject, a value, p: what a bound says, u: a unit, r: a race strategy, *:
 * strategies, any number, ?: the name of a workspace, or nothing. */
static const struct command_form {
  const char *name, *arguments, *usage;
} forms[] = {
    [SCHEDULE_REORDER] = {"reorder", "vv+", "reorder(i, j, ...)"},
    [SCHEDULE_SPLIT] = {"split", "vwwn", "split(i, i0, i1, size)"},
    [SCHEDULE_SPLIT_UP] = {"split_up", "vwwn", "split_up(i, i0, i1, size)"},
    [SCHEDULE_COLLAPSE] = {"collapse", "vvw", "collapse(i, j, f)"},
    [SCHEDULE_POS] = {"pos", "vws", "pos(i, ip, tensor)"},
    [SCHEDULE_COORD] = {"coord", "vw", "coord(ip, i)"},
    [SCHEDULE_PRECOMPUTE] = {"precompute", "eVW?",
                             "precompute(expression, {i, ...}, {iw, ...}, workspace)"},
    [SCHEDULE_BOUND] = {"bound", "vwzp",
                        "bound(i, ib, size, max_exact|min_exact|max_constraint|min_constraint)"},
    [SCHEDULE_UNROLL] = {"unroll", "vn", "unroll(i, factor)"},
    [SCHEDULE_PARALLELIZE] = {"parallelize", "vur", "parallelize(i, unit, race strategy)"},
    [SCHEDULE_STRATEGIES] = {"strategies", "v*", "strategies(i, name, name=number, ...)"},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

/* Other names of commands, as TACO has them. */
static const struct command_alias {
  const char *name;
  schedule_kind kind;
} aliases[] = {{"divide", SCHEDULE_SPLIT_UP}, {"fuse", SCHEDULE_COLLAPSE}};
enum { ALIAS_COUNT = sizeof aliases / sizeof *aliases };

typedef struct parser {
  arena *memory;
  const char *at;
  const char *error;
} parser;

typedef struct span {
  const char *start;
  size_t length;
} span;

/* ---- words ------------------------------------------------------------------------------ */

static void skip_space(parser *p) {
  while (lac_is_space(*p->at))
    ++p->at;
}

static bool is_word_start(char c) {
  return lac_is_letter(c) || c == '_';
}

static span read_word(parser *p) {
  span word = {p->at, 0};
  if (is_word_start(*p->at))
    while (lac_is_letter_or_digit(p->at[word.length]) || p->at[word.length] == '_')
      ++word.length;
  p->at += word.length;
  return word;
}

/* Text up to a comma or closing parenthesis outside all parentheses and braces, without space
 * around. */
static span read_argument(parser *p) {
  skip_space(p);
  const char *start = p->at;
  for (int depth = 0; *p->at; ++p->at) {
    if (depth == 0 && (*p->at == ',' || *p->at == ')'))
      break;
    depth += *p->at == '(' || *p->at == '{';
    depth -= *p->at == ')' || *p->at == '}';
  }
  span argument = {start, (size_t)(p->at - start)};
  while (argument.length && lac_is_space(start[argument.length - 1]))
    --argument.length;
  return argument;
}

static const char *text_of(parser *p, span s) {
  return arena_text(p->memory, s.start, s.length);
}

static bool is_identifier(const char *text) {
  if (!is_word_start(*text))
    return false;
  for (; *text; ++text)
    if (!lac_is_letter_or_digit(*text) && *text != '_')
      return false;
  return true;
}

/* "CPUThread" and "cpu_thread" are one word. */
static bool same_word(const char *x, const char *y) {
  for (;; ++x, ++y) {
    while (*x == '_')
      ++x;
    while (*y == '_')
      ++y;
    if (lac_small_letter(*x) != lac_small_letter(*y))
      return false;
    if (!*x)
      return true;
  }
}

/* ---- arguments -------------------------------------------------------------------------- */

static bool expected(parser *p, const char *command, const char *what, const char *found) {
  p->error = arena_format(p->memory, "%s: expected %s, found '%s'", command, what, found);
  return false;
}

static bool fail(parser *p, const char *what, const char *found) {
  p->error = arena_format(p->memory, "expected %s, found '%s'", what, found);
  return false;
}

static bool read_number(parser *p, const schedule_command *c, const char *text, int64_t least,
                        int64_t *number) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end || errno || value < least)
    return expected(p, c->name, least ? "a positive number" : "a number that is not negative",
                    text);
  *number = value;
  return true;
}

/* "search", "lanes=4" */
static bool add_strategy(parser *p, schedule_command *c, const char *text) {
  size_t length = strcspn(text, " =");
  const char *rest = text + length;
  schedule_strategy *s = &c->strategies[c->strategy_count++];
  *s = (schedule_strategy){.name = arena_text(p->memory, text, length)};
  while (lac_is_space(*rest))
    ++rest;
  if (!is_identifier(s->name) || (*rest && *rest != '='))
    return expected(p, c->name, "a strategy such as search or lanes=4", text);
  for (int i = 0; i < c->strategy_count - 1; ++i)
    if (!strcmp(c->strategies[i].name, s->name))
      return expected(p, c->name, "each strategy once", text);
  return !*rest || read_number(p, c, rest + 1, 1, &s->number);
}

static bool set_unit(parser *p, schedule_command *c, const char *text) {
  for (int unit = CIN_CPU_THREAD; unit <= CIN_GPU_THREAD; ++unit)
    if (same_word(text, cin_unit_name((cin_unit)unit))) {
      c->unit = (cin_unit)unit;
      return true;
    }
  return expected(p, c->name, "cpu_thread, cpu_vector, gpu_block, gpu_warp or gpu_thread", text);
}

static bool set_race(parser *p, schedule_command *c, const char *text) {
  for (int race = CIN_NO_RACES; race <= CIN_PARALLEL_REDUCTION; ++race)
    if (same_word(text, cin_race_name((cin_race)race))) {
      c->race = (cin_race)race;
      return true;
    }
  return expected(p, c->name, "no_races, ignore_races, atomics, temporary or parallel_reduction",
                  text);
}

/* Of the end where that is not said. */
static bool set_bound(parser *p, schedule_command *c, const char *text) {
  static const struct {
    const char *word;
    cin_bound_kind kind;
  } words[] = {{"max_exact", CIN_MAX_EXACT},
               {"min_exact", CIN_MIN_EXACT},
               {"max_constraint", CIN_MAX_CONSTRAINT},
               {"min_constraint", CIN_MIN_CONSTRAINT},
               {"exact", CIN_MAX_EXACT},
               {"max", CIN_MAX_CONSTRAINT}};
  for (size_t n = 0; n < sizeof words / sizeof *words; ++n)
    if (same_word(text, words[n].word)) {
      c->bound = words[n].kind;
      c->property = words[n].word;
      return true;
    }
  return expected(p, c->name, "max_exact, min_exact, max_constraint or min_constraint", text);
}

static bool add_name(parser *p, schedule_command *c, bool made, const char *text) {
  if (!is_identifier(text))
    return expected(p, c->name, made ? "a name for a new variable" : "a variable", text);
  if (made)
    c->made[c->made_count++] = text;
  else
    c->known[c->known_count++] = text;
  return true;
}

/* "i", or "{i, j}", or "{}" */
static bool add_names(parser *p, schedule_command *c, bool made, const char *text) {
  if (*text != '{')
    return add_name(p, c, made, text);
  parser inside = {.memory = p->memory, .at = text + 1};
  skip_space(&inside);
  while (*inside.at != '}') {
    span name = read_word(&inside);
    skip_space(&inside);
    bool ends = *inside.at == '}', goes_on = *inside.at == ',';
    if (!name.length || (!ends && !goes_on))
      return expected(p, c->name, "a list of variables such as {i, j}", text);
    add_name(p, c, made, text_of(p, name));
    inside.at += goes_on;
    skip_space(&inside);
    if (goes_on && *inside.at == '}')
      return expected(p, c->name, "a list of variables such as {i, j}", text);
  }
  return !inside.at[1] || expected(p, c->name, "a list of variables such as {i, j}", text);
}

static bool add_new_names(parser *p, schedule_command *c, const char *text) {
  if (!add_names(p, c, true, text))
    return false;
  return c->made_count == c->known_count ||
         expected(p, c->name,
                  arena_format(p->memory, "as many new variables as variables, %d", c->known_count),
                  text);
}

static bool set_value(parser *p, schedule_command *c, const char *text) {
  einsum_error error;
  c->subject = text;
  c->value = einsum_parse_value(p->memory, text, strlen(text), &error);
  if (!c->value)
    p->error = arena_format(p->memory, "%s: %s", c->name,
                            einsum_error_text(p->memory, text, strlen(text), &error));
  return c->value;
}

static bool set_workspace(parser *p, schedule_command *c, const char *text) {
  c->workspace = text;
  return is_identifier(text) || expected(p, c->name, "a name for a workspace", text);
}

static bool set_argument(parser *p, schedule_command *c, char form, const char *text) {
  switch (form) {
  case 'e':
    return set_value(p, c, text);
  case 'V':
    return add_names(p, c, false, text);
  case 'W':
    return add_new_names(p, c, text);
  case '?':
    return set_workspace(p, c, text);
  case 'n':
  case 'z':
    return read_number(p, c, text, form == 'n', &c->number);
  case 'u':
    return set_unit(p, c, text);
  case 'r':
    return set_race(p, c, text);
  case 'p':
    return set_bound(p, c, text);
  case '*':
    return add_strategy(p, c, text);
  case 's':
    c->subject = text;
    return *text || expected(p, c->name, "a tensor", text);
  default:
    return add_name(p, c, form == 'w', text);
  }
}

/* ---- commands --------------------------------------------------------------------------- */

static bool set_form(schedule_command *c, schedule_kind kind) {
  c->kind = kind;
  c->name = forms[kind].name;
  return true;
}

static bool find_form(parser *p, schedule_command *c) {
  for (int kind = 0; kind < FORM_COUNT; ++kind)
    if (same_word(c->name, forms[kind].name))
      return set_form(c, (schedule_kind)kind);
  for (int n = 0; n < ALIAS_COUNT; ++n)
    if (same_word(c->name, aliases[n].name))
      return set_form(c, aliases[n].kind);
  const char *known = forms[0].name;
  for (int kind = 1; kind < FORM_COUNT; ++kind)
    known = arena_format(p->memory, "%s, %s", known, forms[kind].name);
  nearest near = nearest_to(c->name);
  nearest_offer_words(&near, known);
  p->error = arena_format(p->memory, "expected one of %s, found '%s'%s", known, c->name,
                          nearest_hint(&near));
  return false;
}

static bool wrong_count(parser *p, const schedule_command *c) {
  p->error = arena_format(p->memory, "%s: expected %s, found '%s'", c->name, forms[c->kind].usage,
                          c->text);
  return false;
}

/* The text of the whole command, from its name to the parenthesis that closes it. */
static bool find_end(parser *p, schedule_command *c, const char *start) {
  int depth = 0;
  const char *end = p->at;
  do {
    if (!*end)
      return expected(p, c->name, "')'", "the end of the schedule");
    depth += *end == '(';
    depth -= *end == ')';
    ++end;
  } while (depth);
  c->text = arena_text(p->memory, start, (size_t)(end - start));
  size_t most = strlen(c->text);
  c->known = arena_alloc(p->memory, sizeof *c->known * most);
  c->made = arena_alloc(p->memory, sizeof *c->made * most);
  c->strategies = arena_alloc(p->memory, sizeof *c->strategies * most);
  return true;
}

static bool parse_arguments(parser *p, schedule_command *c) {
  const char *form = forms[c->kind].arguments;
  do {
    ++p->at;
    const char *text = text_of(p, read_argument(p));
    if (!*form || !*p->at)
      return wrong_count(p, c);
    if (!set_argument(p, c, *form == '+' ? form[-1] : *form, text))
      return false;
    form += *form != '+' && *form != '*';
    form += *form == '?' && *p->at != ',';
  } while (*p->at == ',');
  ++p->at;
  c->race_is_open = *form == 'r' && c->unit == CIN_CPU_VECTOR;
  return !*form || *form == '+' || *form == '*' || c->race_is_open || wrong_count(p, c);
}

static bool parse_command(parser *p, schedule_command *c) {
  const char *start = p->at;
  c->name = text_of(p, read_word(p));
  if (!*c->name)
    return fail(p, "a command", arena_text(p->memory, start, strcspn(start, " ")));
  if (!find_form(p, c))
    return false;
  skip_space(p);
  if (*p->at != '(')
    return expected(p, c->name, forms[c->kind].usage,
                    arena_text(p->memory, start, strcspn(start, " ;")));
  return find_end(p, c, start) && parse_arguments(p, c);
}

static void skip_separators(parser *p) {
  while (lac_is_space(*p->at) || *p->at == ',' || *p->at == ';')
    ++p->at;
}

/* "y:", the name of a result; NULL where no such begins. */
static const char *read_result(parser *p) {
  const char *start = p->at;
  span name = read_word(p);
  skip_space(p);
  if (name.length && *p->at == ':') {
    ++p->at;
    return text_of(p, name);
  }
  p->at = start;
  return NULL;
}

static bool parse_commands(parser *p, schedule *result) {
  const char *of = NULL, *next;
  for (skip_separators(p); *p->at; skip_separators(p)) {
    if ((next = read_result(p)))
      of = next;
    skip_space(p);
    schedule_command *c = &result->commands[result->count++];
    c->result = of;
    if (!parse_command(p, c))
      return false;
  }
  return true;
}

static bool check_characters(parser *p) {
  int open = 0;
  for (const char *at = p->at; *at; ++at) {
    open += (*at == '{') - (*at == '}');
    if (*at == '"' || open < 0)
      return fail(p, "no '\"', and braces in pairs", arena_text(p->memory, at, 1));
  }
  return !open || fail(p, "braces in pairs", p->at);
}

bool schedule_parse(arena *memory, const char *text, schedule *result) {
  parser p = {.memory = memory, .at = text};
  *result =
      (schedule){.commands = arena_alloc(memory, sizeof(schedule_command) * (strlen(text) + 1))};
  bool parsed = check_characters(&p) && parse_commands(&p, result);
  result->error = p.error;
  return parsed;
}

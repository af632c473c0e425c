/* Tensor index notation, parsed by recursive descent (the grammar stands in einsum_parser.h).
 *
 * After the first error every token is the end of the text, so that the descent winds up without
 * tests at each step; the first error is the one reported.
 */
#include "einsum_parser.h"

#include "lac_ascii.h"
#include "tin.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH_LIMIT = 200, NODE_LIMIT = 25000, INTEGER_DIGITS = 15 };

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SYMBOL } token_kind;

typedef struct token {
  token_kind kind;
  const char *text;
  size_t length;
  bool is_integer; /* of a number */
} token;

typedef struct parser {
  arena *memory;
  const char *text, *end;
  token next;
  einsum *statement;
  int tensor_room, variable_room, access_room;
  int depth, node_count;
  einsum_error *error; /* message is NULL as long as there was none */
} parser;

/*--- Errors ------------------------------------------------------------------------------------*/

static int column_at(const parser *p, const char *place) {
  return (int)(place - p->text) + 1;
}

static void fail(parser *p, int column, const char *message) {
  if (!p->error->message)
    *p->error = (einsum_error){.column = column, .message = message};
  p->next = (token){.kind = TOKEN_END, .text = p->end};
}

static char *shown_byte(parser *p, unsigned char byte) {
  return lac_is_printable((char)byte) ? arena_format(p->memory, "'%c'", byte)
                                      : arena_format(p->memory, "byte 0x%02x", byte);
}

static char *shown_token(parser *p) {
  if (p->next.kind == TOKEN_END)
    return arena_format(p->memory, "the end");
  int length = p->next.length > 40 ? 40 : (int)p->next.length;
  return arena_format(p->memory, "'%.*s'", length, p->next.text);
}

static void fail_expected(parser *p, const char *expected) {
  char *message = arena_format(p->memory, "expected %s, found %s", expected, shown_token(p));
  fail(p, column_at(p, p->next.text), message);
}

/*--- Tokens ------------------------------------------------------------------------------------*/

static bool is_name_start(char c) {
  return lac_is_letter(c) || c == '_';
}
static bool is_name_part(char c) {
  return lac_is_letter_or_digit(c) || c == '_' || c == '\'';
}

static const char *skip_digits(const parser *p, const char *at) {
  while (at < p->end && lac_is_digit(*at))
    at++;
  return at;
}

static const char *skip_exponent(const parser *p, const char *at) {
  if (at == p->end || (*at != 'e' && *at != 'E'))
    return at;
  const char *digits = at + 1;
  if (digits < p->end && (*digits == '+' || *digits == '-'))
    digits++;
  const char *after = skip_digits(p, digits);
  return after == digits ? at : after;
}

static const char *skip_number(const parser *p, const char *at, bool *is_integer) {
  const char *whole = skip_digits(p, at);
  const char *fraction = whole;
  if (whole < p->end && *whole == '.')
    fraction = skip_digits(p, whole + 1);
  const char *after = skip_exponent(p, fraction);
  *is_integer = after == whole;
  return after;
}

static const char *skip_name(const parser *p, const char *at) {
  while (at < p->end && is_name_part(*at))
    at++;
  return at;
}

static bool starts_number(const parser *p, const char *at) {
  return lac_is_digit(*at) || (*at == '.' && at + 1 < p->end && lac_is_digit(at[1]));
}

static void advance(parser *p) {
  if (p->error->message)
    return;
  const char *at = p->next.text + p->next.length;
  while (at < p->end && lac_is_space(*at))
    at++;
  token next = {.kind = TOKEN_END, .text = at};
  if (at == p->end) {
    p->next = next;
    return;
  }
  const char *after;
  if (is_name_start(*at)) {
    next.kind = TOKEN_NAME;
    after = skip_name(p, at);
  } else if (starts_number(p, at)) {
    next.kind = TOKEN_NUMBER;
    after = skip_number(p, at, &next.is_integer);
  } else if (at + 1 < p->end && at[1] == '=' && strchr("<>=!", *at)) {
    next.kind = TOKEN_SYMBOL;
    after = at + 2;
  } else if (*at && strchr("+-*/^=<>()[]:,", *at)) {
    next.kind = TOKEN_SYMBOL;
    after = at + 1;
  } else {
    fail(p, column_at(p, at),
         arena_format(p->memory,
                      "expected a name, a number or one of + - * / ^ = < > ( ) [ ] : ,, found %s",
                      shown_byte(p, (unsigned char)*at)));
    return;
  }
  next.length = (size_t)(after - at);
  p->next = next;
}

static bool at_symbol(const parser *p, char symbol) {
  return p->next.kind == TOKEN_SYMBOL && p->next.length == 1 && *p->next.text == symbol;
}

static bool take_symbol(parser *p, char symbol) {
  if (!at_symbol(p, symbol))
    return false;
  advance(p);
  return true;
}

static void expect_symbol(parser *p, char symbol, const char *expected) {
  if (!take_symbol(p, symbol))
    fail_expected(p, expected);
}

static char *take_text(parser *p) {
  char *text = arena_text(p->memory, p->next.text, p->next.length);
  advance(p);
  return text;
}

/*--- Tables of names ---------------------------------------------------------------------------*/

static void *grown(arena *memory, void *array, int count, int *room, size_t size) {
  if (count < *room)
    return array;
  *room = *room ? 2 * *room : 8;
  void *larger = arena_alloc(memory, size * (size_t)*room);
  if (count)
    memcpy(larger, array, size * (size_t)count);
  return larger;
}

static int variable_number(parser *p, const char *name) {
  einsum *e = p->statement;
  int found = einsum_find_variable(e, name);
  if (found >= 0)
    return found;
  e->variables =
      grown(p->memory, e->variables, e->variable_count, &p->variable_room, sizeof *e->variables);
  e->variables[e->variable_count] = name;
  return e->variable_count++;
}

static int tensor_number(parser *p, const char *name, int order, int column) {
  einsum *e = p->statement;
  int found = einsum_find_tensor(e, name);
  if (found >= 0) {
    if (e->tensors[found].order != order)
      fail(p, column,
           arena_format(p->memory, "expected %d subscripts of '%s' as before, found %d",
                        e->tensors[found].order, name, order));
    return found;
  }
  e->tensors = grown(p->memory, e->tensors, e->tensor_count, &p->tensor_room, sizeof *e->tensors);
  e->tensors[e->tensor_count] = (einsum_tensor){.name = name, .order = order, .column = column};
  return e->tensor_count++;
}

/*--- Subscripts --------------------------------------------------------------------------------*/

static int64_t take_integer(parser *p) {
  if (!p->next.is_integer || p->next.length > INTEGER_DIGITS) {
    fail_expected(p, arena_format(p->memory, "an integer of at most %d digits", INTEGER_DIGITS));
    return 0;
  }
  int64_t value = 0;
  for (size_t i = 0; i < p->next.length; i++)
    value = 10 * value + (p->next.text[i] - '0');
  advance(p);
  return value;
}

/* Coefficients and constants stay far below what 64 bits hold, so that sums of them do. */
static void check_size(parser *p, int64_t number) {
  const int64_t largest = INT64_C(1000000000000000);
  if (number > largest || number < -largest)
    fail(p, column_at(p, p->next.text), "the numbers of the subscript are too large");
}

static void add_term(parser *p, einsum_subscript *s, int variable, int64_t coefficient) {
  int t = 0;
  while (t < s->term_count && s->terms[t].variable != variable)
    t++;
  if (t == s->term_count) {
    einsum_term *terms = ARENA_ARRAY(p->memory, einsum_term, s->term_count + 1);
    if (s->term_count)
      memcpy(terms, s->terms, sizeof *terms * (size_t)s->term_count);
    terms[s->term_count++].variable = variable;
    s->terms = terms;
  }
  s->terms[t].coefficient += coefficient;
  check_size(p, s->terms[t].coefficient);
  if (s->terms[t].coefficient == 0)
    s->terms[t] = s->terms[--s->term_count];
}

static void parse_subscript_term(parser *p, einsum_subscript *s, int sign) {
  int64_t coefficient = sign;
  if (p->next.kind == TOKEN_NUMBER) {
    coefficient *= take_integer(p);
    if (!take_symbol(p, '*')) {
      s->constant += coefficient;
      check_size(p, s->constant);
      return;
    }
  }
  if (p->next.kind != TOKEN_NAME) {
    fail_expected(p, "an index variable");
    return;
  }
  int variable = variable_number(p, take_text(p));
  if (take_symbol(p, '*')) {
    if (p->next.kind != TOKEN_NUMBER) {
      fail_expected(p, "an integer");
      return;
    }
    if (__builtin_mul_overflow(coefficient, take_integer(p), &coefficient))
      coefficient = INT64_C(1) << 60;
    check_size(p, coefficient);
  }
  if (p->statement->variable_count > NODE_LIMIT || s->term_count > DEPTH_LIMIT)
    fail(p, column_at(p, p->next.text), "the subscripts are too long");
  else
    add_term(p, s, variable, coefficient);
}

static einsum_subscript parse_subscript(parser *p) {
  einsum_subscript s = {0};
  int sign = take_symbol(p, '-') ? -1 : 1;
  for (;;) {
    parse_subscript_term(p, &s, sign);
    if (take_symbol(p, '+'))
      sign = 1;
    else if (take_symbol(p, '-'))
      sign = -1;
    else
      return s;
  }
}

static void parse_subscripts(parser *p, einsum_access *access) {
  int room = 0;
  if (take_symbol(p, ')'))
    return;
  do {
    if (access->order == TIN_GREATEST_ORDER)
      fail_expected(p, arena_format(p->memory, "at most %d subscripts", TIN_GREATEST_ORDER));
    access->subscripts =
        grown(p->memory, access->subscripts, access->order, &room, sizeof *access->subscripts);
    access->subscripts[access->order++] = parse_subscript(p);
  } while (take_symbol(p, ','));
  expect_symbol(p, ')', "',' or ')'");
}

/*--- Padding -----------------------------------------------------------------------------------*/

static bool at_word(const parser *p, const char *word) {
  return p->next.kind == TOKEN_NAME && p->next.length == strlen(word) &&
         !memcmp(p->next.text, word, p->next.length);
}

static const char *take_pad_value(parser *p) {
  const char *sign = take_symbol(p, '-') ? "-" : "";
  if (p->next.kind != TOKEN_NUMBER && !at_word(p, "inf") && !at_word(p, "nan")) {
    fail_expected(p, "a number, inf or nan");
    return "0";
  }
  return arena_format(p->memory, "%s%s", sign, take_text(p));
}

/* [pad] or [pad:VALUE], behind a name. */
static void parse_padding(parser *p, einsum_access *access) {
  if (!take_symbol(p, '['))
    return;
  if (!at_word(p, "pad")) {
    fail_expected(p, "'pad'");
    return;
  }
  advance(p);
  access->padded = true;
  if (take_symbol(p, ':'))
    access->pad = take_pad_value(p);
  expect_symbol(p, ']', access->pad ? "']'" : "':' or ']'");
}

/* What is a variable stays within its dimension, whose size it has. */
static void check_padding(parser *p, const einsum_access *access, const char *name, int column) {
  bool any = false;
  for (int s = 0; s < access->order; s++)
    any |= !einsum_subscript_is_bare(&access->subscripts[s]);
  if (access->padded && !any)
    fail(
        p, column,
        arena_format(p->memory,
                     "expected a subscript of '%s', which is padded, that is more than a variable, "
                     "found none",
                     name));
}

/*--- Expressions -------------------------------------------------------------------------------*/

static einsum_node *parse_value(parser *p);

static einsum_node *node_make(parser *p, einsum_kind kind, int column) {
  if (++p->node_count > NODE_LIMIT)
    fail(p, column,
         arena_format(p->memory, "the expression has more than %d operations", NODE_LIMIT));
  einsum_node *node = ARENA_ARRAY(p->memory, einsum_node, 1);
  node->kind = kind;
  node->column = column;
  return node;
}

/* What stands between the parentheses is no subscript: either the name is one of a function that
 * there is not, or the place is the one to look at. */
static void suspect_function(parser *p, const char *name, int column) {
  nearest near = nearest_to(name);
  int place = p->error->column - 1;
  scalar_function_offer(&near);
  bool calls = p->text + place < p->end && p->text[place] == '(';
  if (!*nearest_hint(&near) && !calls)
    return;
  *p->error = (einsum_error){
      .column = column,
      .message = arena_format(p->memory, "no function '%s'%s", name, nearest_hint(&near))};
}

static einsum_node *parse_access(parser *p, const char *name, int column) {
  einsum_node *node = node_make(p, EINSUM_ACCESS, column);
  einsum_access *access = ARENA_ARRAY(p->memory, einsum_access, 1);
  bool fine = !p->error->message;
  parse_padding(p, access);
  fine &= !p->error->message;
  if (take_symbol(p, '('))
    parse_subscripts(p, access);
  if (fine && p->error->message && einsum_find_tensor(p->statement, name) < 0)
    suspect_function(p, name, column);
  check_padding(p, access, name, column);
  access->tensor = tensor_number(p, name, access->order, column);
  node->access = access;
  einsum *e = p->statement;
  e->accesses =
      grown(p->memory, e->accesses, e->access_count, &p->access_room, sizeof *e->accesses);
  e->accesses[e->access_count++] = access;
  einsum_node_note(p->memory, node);
  return node;
}

static einsum_node *call_make(parser *p, const scalar_function *function, int column,
                              einsum_node *left, einsum_node *right) {
  einsum_node *call = node_make(p, EINSUM_CALL, column);
  call->function = function;
  call->left = left;
  call->right = right;
  einsum_node_note(p->memory, call);
  return call;
}

static void check_arity(parser *p, const scalar_function *f, int count, int column) {
  if (count == f->arity || (f->is_variadic && count > f->arity))
    return;
  fail(p, column,
       arena_format(p->memory, "expected %s%d argument%s of '%s', found %d",
                    f->is_variadic ? "at least " : "", f->arity, f->arity == 1 ? "" : "s", f->name,
                    count));
}

/* max(a, b, c) is max(max(a, b), c); select(a, b, c) has three. */
static einsum_node *parse_call(parser *p, const scalar_function *function, int column) {
  advance(p);
  einsum_node *first = parse_value(p), *call = NULL;
  int count = 1;
  for (; take_symbol(p, ','); count++) {
    einsum_node *argument = parse_value(p);
    if (function->arity == 3 && count == 2)
      call->third = argument;
    else
      call = call_make(p, function, column, call ? call : first, argument);
  }
  expect_symbol(p, ')', "',' or ')'");
  check_arity(p, function, count, column);
  call = call ? call : call_make(p, function, column, first, NULL);
  einsum_node_note(p->memory, call);
  return call;
}

static einsum_node *parse_primary(parser *p) {
  int column = column_at(p, p->next.text);
  if (p->next.kind == TOKEN_NUMBER) {
    einsum_node *number = node_make(p, EINSUM_NUMBER, column);
    number->number = take_text(p);
    return number;
  }
  if (take_symbol(p, '(')) {
    einsum_node *inside = parse_value(p);
    expect_symbol(p, ')', "')'");
    return inside;
  }
  if (p->next.kind == TOKEN_NAME) {
    const char *name = take_text(p);
    const scalar_function *function = scalar_function_find(name);
    return function && at_symbol(p, '(') ? parse_call(p, function, column)
                                         : parse_access(p, name, column);
  }
  fail_expected(p, "a tensor, a number or '('");
  return node_make(p, EINSUM_NUMBER, column);
}

static einsum_node *parse_factor(parser *p);

/* x^y^z is x^(y^z), and -x^y is -(x^y). */
static einsum_node *parse_power(parser *p) {
  einsum_node *base = parse_primary(p);
  int column = column_at(p, p->next.text);
  return take_symbol(p, '^')
             ? call_make(p, scalar_function_find("pow"), column, base, parse_factor(p))
             : base;
}

static einsum_node *parse_factor(parser *p) {
  int column = column_at(p, p->next.text);
  einsum_node *factor;
  if (++p->depth > DEPTH_LIMIT) {
    fail(p, column, arena_format(p->memory, "nested more than %d deep", DEPTH_LIMIT));
    factor = node_make(p, EINSUM_NUMBER, column);
  } else if (take_symbol(p, '-')) {
    factor = node_make(p, EINSUM_NEGATE, column);
    factor->left = parse_factor(p);
    einsum_node_note(p->memory, factor);
  } else if (take_symbol(p, '+')) {
    factor = parse_factor(p);
  } else {
    factor = parse_power(p);
  }
  p->depth--;
  return factor;
}

static einsum_node *binary_make(parser *p, einsum_kind kind, einsum_node *left,
                                einsum_node *(*parse_right)(parser *)) {
  einsum_node *node = node_make(p, kind, column_at(p, p->next.text));
  advance(p);
  node->left = left;
  node->right = parse_right(p);
  einsum_node_note(p->memory, node);
  return node;
}

static einsum_node *parse_product(parser *p) {
  einsum_node *product = parse_factor(p);
  for (;;) {
    if (at_symbol(p, '*'))
      product = binary_make(p, EINSUM_MULTIPLY, product, parse_factor);
    else if (at_symbol(p, '/'))
      product = binary_make(p, EINSUM_DIVIDE, product, parse_factor);
    else
      return product;
  }
}

static einsum_node *parse_sum(parser *p) {
  einsum_node *sum = parse_product(p);
  for (;;) {
    if (at_symbol(p, '+'))
      sum = binary_make(p, EINSUM_ADD, sum, parse_product);
    else if (at_symbol(p, '-'))
      sum = binary_make(p, EINSUM_SUBTRACT, sum, parse_product);
    else
      return sum;
  }
}

/* The comparison at hand; NULL for anything else. */
static const scalar_function *comparison_at(const parser *p) {
  static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
  for (size_t n = 0; n < sizeof operators / sizeof *operators; n++)
    if (p->next.kind == TOKEN_SYMBOL && p->next.length == strlen(operators[n]) &&
        !memcmp(p->next.text, operators[n], p->next.length))
      return scalar_operator_find(operators[n]);
  return NULL;
}

static einsum_node *parse_value(parser *p) {
  einsum_node *value = parse_sum(p);
  const scalar_function *comparison = comparison_at(p);
  int column = column_at(p, p->next.text);
  if (!comparison)
    return value;
  advance(p);
  value = call_make(p, comparison, column, value, parse_sum(p));
  if (comparison_at(p))
    fail(p, column_at(p, p->next.text),
         arena_format(p->memory, "expected parentheses around one of two comparisons, found %s",
                      shown_token(p)));
  return value;
}

/*--- Statements --------------------------------------------------------------------------------*/

static void check_result_subscripts(parser *p, int column) {
  const einsum_access *result = &p->statement->result_access;
  for (int s = 0; s < result->order; s++) {
    const einsum_subscript *at = &result->subscripts[s];
    if (at->term_count == 0 && at->constant < 0) {
      fail(p, column,
           arena_format(p->memory,
                        "expected subscripts from 0 on in the result '%s', found %" PRId64,
                        p->statement->result, at->constant));
      return;
    }
  }
}

static void parse_left_side(parser *p) {
  int column = column_at(p, p->next.text);
  if (p->next.kind != TOKEN_NAME) {
    fail_expected(p, "the name of the result");
    return;
  }
  einsum *e = p->statement;
  e->result = take_text(p);
  e->result_access.tensor = -1;
  if (take_symbol(p, '('))
    parse_subscripts(p, &e->result_access);
  check_result_subscripts(p, column);
  e->accumulate = take_symbol(p, '+');
  expect_symbol(p, '=', e->accumulate ? "'='" : "'=' or '+='");
  if (e->accumulate && !p->error->message)
    e->result_access.tensor = tensor_number(p, e->result, e->result_access.order, column);
}

/* A scalar that is called as an index variable is: most likely a forgotten pair of parentheses. */
static void check_scalars(parser *p) {
  const einsum *e = p->statement;
  for (int t = 0; t < e->tensor_count; t++)
    if (e->tensors[t].order == 0 && einsum_find_variable(e, e->tensors[t].name) >= 0) {
      fail(p, e->tensors[t].column,
           arena_format(p->memory, "expected a tensor or a scalar, found the index variable '%s'",
                        e->tensors[t].name));
      return;
    }
}

static const einsum *parse(arena *memory, const char *text, size_t length, bool has_left_side,
                           einsum_error *error) {
  *error = (einsum_error){0};
  parser p = {.memory = memory, .text = text, .end = text + length, .error = error};
  p.next = (token){.kind = TOKEN_END, .text = text};
  p.statement = ARENA_ARRAY(memory, einsum, 1);
  advance(&p);
  if (has_left_side)
    parse_left_side(&p);
  p.statement->expression = parse_value(&p);
  if (p.next.kind != TOKEN_END)
    fail_expected(&p, "an operator or the end");
  if (!error->message)
    check_scalars(&p);
  return error->message ? NULL : p.statement;
}

const einsum *einsum_parse(arena *memory, const char *text, size_t length, einsum_error *error) {
  return parse(memory, text, length, true, error);
}

/* The result has all variables, so that nothing is summed. */
const einsum *einsum_parse_value(arena *memory, const char *text, size_t length,
                                 einsum_error *error) {
  const einsum *parsed = parse(memory, text, length, false, error);
  if (!parsed)
    return NULL;
  einsum *e = ARENA_ARRAY(memory, einsum, 1);
  int count = parsed->variable_count;
  einsum_subscript *all = ARENA_ARRAY(memory, einsum_subscript, count + 1);
  einsum_term *terms = ARENA_ARRAY(memory, einsum_term, count + 1);
  for (int v = 0; v < count; v++) {
    terms[v] = (einsum_term){v, 1};
    all[v] = (einsum_subscript){1, &terms[v], 0};
  }
  *e = *parsed;
  e->result_access = (einsum_access){.tensor = -1, .order = count, .subscripts = all};
  return e;
}

/* Cuts a text at its semicolons, and follows names from statement to statement. */
#include "program.h"

#include "lac_ascii.h"

#include <string.h>

typedef struct parser {
  arena *memory;
  const char *text;
  program *p;
  einsum_error error;
} parser;

static bool fail(parser *r, int column, const char *message) {
  r->error = (einsum_error){column, message};
  return false;
}

//--- Cutting -------------------------------------------------------------------------------------

static const char *skip_spaces(const char *text) {
  while (lac_is_space(*text))
    text++;
  return text;
}

/* Moves over a statement and the semicolon behind it; the statement's length. */
static size_t take_piece(const char **at) {
  size_t length = strcspn(*at, ";");
  *at += length + ((*at)[length] == ';');
  return length;
}

static int count_semicolons(const char *text) {
  int count = 0;
  for (; *text; text++)
    count += *text == ';';
  return count;
}

//--- Names ---------------------------------------------------------------------------------------

int program_find_operand(const program *p, const char *name) {
  for (int i = 0; i < p->operand_count; i++)
    if (!strcmp(p->operands[i].name, name))
      return i;
  return -1;
}

int program_find_result(const program *p, const char *name) {
  for (int s = p->statement_count - 1; s >= 0; s--)
    if (!strcmp(p->statements[s].e->result, name))
      return s;
  return -1;
}

static int order_of(const program *p, const program_statement *s, int tensor) {
  int maker = s->makers[tensor], operand = s->operands[tensor];
  return maker >= 0 ? p->statements[maker].e->result_access.order : p->operands[operand].order;
}

/* An operand of the statement is the last result of its name, or an operand of the program. */
static bool link_operand(parser *r, program_statement *s, int tensor, int column) {
  const einsum_tensor *t = &s->e->tensors[tensor];
  program *p = r->p;
  s->makers[tensor] = program_find_result(p, t->name);
  s->operands[tensor] = s->makers[tensor] < 0 ? program_find_operand(p, t->name) : -1;
  if (s->makers[tensor] < 0 && s->operands[tensor] < 0) {
    s->operands[tensor] = p->operand_count;
    p->operands[p->operand_count++] = (program_operand){t->name, t->order};
  }
  int order = order_of(p, s, tensor);
  return order == t->order ||
         fail(r, column + t->column - 1,
              arena_format(r->memory, "expected %d subscripts of '%s' as before, found %d", order,
                           t->name, t->order));
}

static void grow_operands(parser *r, int more) {
  program_operand *all = ARENA_ARRAY(r->memory, program_operand, r->p->operand_count + more + 1);
  if (r->p->operand_count)
    memcpy(all, r->p->operands, (size_t)r->p->operand_count * sizeof *all);
  r->p->operands = all;
}

static bool parse_statement(parser *r, const char *start, size_t length) {
  program *p = r->p;
  program_statement *s = &p->statements[p->statement_count];
  int column = (int)(start - r->text) + 1;
  s->text = arena_text(r->memory, start, length);
  s->e = einsum_parse(r->memory, s->text, length, &r->error);
  if (!s->e) {
    r->error.column += column - 1;
    return false;
  }
  s->operands = ARENA_ARRAY(r->memory, int, s->e->tensor_count + 1);
  s->makers = ARENA_ARRAY(r->memory, int, s->e->tensor_count + 1);
  grow_operands(r, s->e->tensor_count);
  for (int t = 0; t < s->e->tensor_count; t++)
    if (!link_operand(r, s, t, column))
      return false;
  int before = program_find_result(p, s->e->result);
  if (before >= 0)
    p->statements[before].is_hidden = true;
  p->statement_count++;
  return true;
}

const program *program_parse(arena *memory, const char *text, const char **error) {
  parser r = {memory, text, ARENA_ARRAY(memory, program, 1), {0, NULL}};
  const char *at = text;
  r.p->statements = ARENA_ARRAY(memory, program_statement, count_semicolons(text) + 2);
  *error = NULL;
  do {
    const char *start = at = skip_spaces(at);
    if (!parse_statement(&r, start, take_piece(&at))) {
      *error = einsum_error_text(memory, text, strlen(text), &r.error);
      return NULL;
    }
  } while (*skip_spaces(at)); /* the last one may end in a semicolon too */
  return r.p;
}

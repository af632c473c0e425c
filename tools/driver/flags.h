/* flags.h - the command line of a tool, as a table of its flags.
 *
 *     static const flag flags[] = {
 *         {"-f", "NAME:FORMAT", "store NAME so", FLAG_NAMED, offsetof(options, bindings), 0},
 *         {"--threads", "N", "run on N threads", FLAG_COUNT, offsetof(options, threads), 1, 64},
 *         {"--strict", NULL, "keep the order", FLAG_SET, offsetof(options, strict), 0}};
 *
 * A value stands after its flag, or after a '=' in the same word where the flag begins with "--".
 * What is no flag is the program: an expression or a file.
 */
#ifndef LACUNA_FLAGS_H
#define LACUNA_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What `NAME:VALUE` after a flag says (`name` "" where VALUE stands alone); `next` in the order of
 * the command line. */
typedef struct binding {
  const char *flag;
  char *name;
  const char *value;
  struct binding *next;
} binding;

/* What follows a flag, and what stands at its offset in the options. */
typedef enum flag_kind {
  FLAG_SET,           /* nothing; a bool that becomes true */
  FLAG_TEXT,          /* any text; a const char * */
  FLAG_COUNT,         /* an integer from `least` to `most`; an int64_t */
  FLAG_NAMED,         /* NAME:VALUE; a binding *, to which it is appended */
  FLAG_NAMED_OR_TEXT, /* the same, or a text without a colon: the binding's name is then "" */
  FLAG_LOAD           /* a library of level formats, which is loaded; nothing in the options */
} flag_kind;

typedef struct flag {
  const char *name;
  const char *argument; /* as help shows it; NULL where the flag takes none */
  const char *help;
  flag_kind kind;
  size_t offset;
  int64_t least, most;
} flag;

typedef struct flag_table {
  const char *tool;
  const flag *flags;
  int count;
} flag_table;

/* Takes the command line apart into `options` and `*program` (NULL where there is none).  False
 * with a message on stderr where it cannot be understood.  The texts are those of `argv`. */
bool flags_parse(const flag_table *table, int argc, char **argv, void *options,
                 const char **program);

/* A line for each flag. */
void flags_print(const flag_table *table);

/* Prints `error: MESSAGE 'WHAT' (TOOL --help lists the flags)`; false. */
bool flags_complain(const flag_table *table, const char *message, const char *what);

/* The same for a word that is no flag, with the one that was probably meant. */
bool flags_complain_unknown(const flag_table *table, const char *word);

/* Takes an integer, also as 1e6, from `least` to `most`; false where the text is none. */
bool flags_integer(const char *text, int64_t least, int64_t most, int64_t *value);

/* The value of `flag NAME:VALUE` for this name (the last one given), or NULL. */
const char *binding_value(const binding *list, const char *flag, const char *name);

void bindings_free(binding *list);

#endif

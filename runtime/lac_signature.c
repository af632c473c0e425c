/* lac_signature.c - how a tensor is stored, in text:
 *
 *     f64 2 dense compressed:64:32
 *     |   | |     |          |  bits of the coordinates
 *     |   | |     |          bits of the positions
 *     |   | level 0, level 1: the name of the level format
 *     |   order
 *     element type
 *
 * After the widths the layout of the level may stand, compressed:64:32{#0 = p + 1 positions; ...}
 * (lac_layout.h).
 */
#include "lac_error.h"
#include "lac_storage.h"

#include <stdio.h>
#include <string.h>

static void skip_spaces(lac_signature *signature) {
  while (*signature->rest == ' ')
    signature->rest++;
}

static bool read_type(lac_signature *signature) {
  char name[8] = "";
  size_t length = strcspn(signature->rest, " ");
  if (length >= sizeof name)
    return false;
  memcpy(name, signature->rest, length);
  signature->rest += length;
  signature->type = lac_type_from_name(name);
  return signature->type >= 0;
}

static bool read_number(lac_signature *signature, int64_t *number) {
  const char *begin = signature->rest;
  *number = 0;
  while (*signature->rest >= '0' && *signature->rest <= '9' && *number < 1000000)
    *number = *number * 10 + (*signature->rest++ - '0');
  return signature->rest > begin && strchr(" :{", *signature->rest);
}

bool lac_signature_open(lac_signature *signature, const char *text) {
  *signature = (lac_signature){.text = text, .rest = text};
  skip_spaces(signature);
  signature->malformed = !read_type(signature);
  skip_spaces(signature);
  if (!signature->malformed)
    signature->malformed = !read_number(signature, &signature->order);
  skip_spaces(signature);
  return !signature->malformed;
}

static bool is_width(int64_t bits) {
  return bits == 0 || bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

static bool read_widths(lac_signature *signature, lac_signature_level *level) {
  for (int slot = 0; *signature->rest == ':'; slot++) {
    int64_t bits;
    signature->rest++;
    if (slot == LAC_ARRAYS || !read_number(signature, &bits) || !is_width(bits))
      return false;
    level->bits[slot] = (int32_t)bits;
  }
  return true;
}

static bool read_layout(lac_signature *signature, lac_signature_level *level) {
  if (*signature->rest != '{')
    return strchr(" ", *signature->rest) != NULL;
  const char *end = strchr(signature->rest, '}');
  if (!end)
    return false;
  level->layout = (lac_layout_text){signature->rest + 1, end};
  signature->rest = end + 1;
  return true;
}

bool lac_signature_next(lac_signature *signature, lac_signature_level *level) {
  if (signature->malformed || !*signature->rest)
    return false;
  *level = (lac_signature_level){.kind = signature->rest};
  while (*signature->rest && *signature->rest != ' ' && *signature->rest != ':' &&
         *signature->rest != '{')
    signature->rest++;
  level->kind_length = (size_t)(signature->rest - level->kind);
  signature->malformed =
      level->kind_length == 0 || !read_widths(signature, level) || !read_layout(signature, level);
  skip_spaces(signature);
  return !signature->malformed;
}

int64_t lac_signature_level_count(const lac_signature *signature) {
  lac_signature rest = *signature;
  lac_signature_level level;
  int64_t count = 0;
  while (lac_signature_next(&rest, &level))
    count++;
  return rest.malformed ? -1 : count;
}

int32_t lac_signature_malformed(const lac_signature *signature) {
  return lac_error_set(LAC_ERROR_FORMAT, "malformed signature '%s' of a tensor's storage",
                       signature->text);
}

/* ---- The signature of a tensor ------------------------------------------------------------ */

static int used_slots(const lac_level *level) {
  int used = 0;
  for (int slot = 0; slot < LAC_ARRAYS; slot++)
    if (level->array[slot].width > 0)
      used = slot + 1;
  return used;
}

static void append(char *text, size_t size, const char *piece) {
  size_t length = strlen(text);
  if (length < size)
    snprintf(text + length, size - length, "%s", piece);
}

static void describe_level(const lac_level *level, char *text, size_t size) {
  char width[16];
  append(text, size, " ");
  append(text, size, level->kind ? level->kind : "?");
  for (int slot = 0, used = used_slots(level); slot < used; slot++) {
    snprintf(width, sizeof width, ":%d", 8 * level->array[slot].width);
    append(text, size, width);
  }
}

void lac_signature_describe(const lac_tensor *tensor, char *text, size_t size) {
  const char *type = lac_type_name(tensor->type);
  snprintf(text, size, "%s %lld", type ? type : "?", (long long)tensor->order);
  for (int64_t l = 0; l < tensor->level_count && tensor->levels && strlen(text) + 1 < size; l++)
    describe_level(&tensor->levels[l], text, size);
}

void lac_signature_shorten(const char *signature, char *text, size_t size) {
  size_t length = 0;
  bool within = false;
  for (; *signature && length + 1 < size; signature++) {
    within |= *signature == '{';
    if (!within)
      text[length++] = *signature;
    within &= *signature != '}';
  }
  text[length] = '\0';
}

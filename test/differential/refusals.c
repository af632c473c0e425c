/* Counts messages by kind. */
#include "refusals.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* After `case:1:2: `, the place. */
static const char *without_place(const char *message) {
  const char *place = strstr(message, "case:");
  const char *end = place ? strstr(place, ": ") : NULL;
  return end ? end + 2 : message;
}

/* 'x' becomes '.', a number '#'. */
static void make_kind(const char *message, char kind[REFUSAL_LENGTH]) {
  int length = 0;
  for (const char *at = without_place(message); *at && length < REFUSAL_LENGTH - 4; at++) {
    if (!strncmp(at, "one of ", 7))
      break;
    const char *quote = *at == '\'' ? strchr(at + 1, '\'') : NULL;
    if (quote) {
      length += sprintf(kind + length, "'.'");
      at = quote;
    } else if (!isdigit((unsigned char)*at))
      kind[length++] = *at;
    else if (length == 0 || kind[length - 1] != '#')
      kind[length++] = '#';
  }
  kind[length] = '\0';
}

void refusals_add(refusals *all, const char *message, uint64_t seed) {
  char kind[REFUSAL_LENGTH];
  make_kind(message, kind);
  while (__atomic_exchange_n(&all->lock, 1, __ATOMIC_ACQUIRE))
    ;
  for (int k = 0; k < REFUSAL_KINDS; k++)
    if (!all->kinds[k].count || !strcmp(all->kinds[k].text, kind)) {
      memcpy(all->kinds[k].text, kind, sizeof kind);
      all->kinds[k].count++;
      all->kinds[k].seed = seed;
      break;
    }
  __atomic_store_n(&all->lock, 0, __ATOMIC_RELEASE);
}

void refusals_print(const refusals *all) {
  for (int k = 0; k < REFUSAL_KINDS && all->kinds[k].count; k++)
    printf("%6lld refused, last case %llu: %s\n", (long long)all->kinds[k].count,
           (unsigned long long)all->kinds[k].seed, all->kinds[k].text);
}

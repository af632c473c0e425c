/* lac_setting.c - see lac_setting.h. */
#include "lac_setting.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { UNREAD = -1 };

void lac_setting_set(lac_setting *setting, int64_t number) {
  atomic_store(&setting->number, number < 0 ? UNREAD : number);
}

static int64_t read_variable(lac_setting *setting, int64_t usual) {
  const char *text = getenv(setting->variable);
  char *end = NULL;
  long long number = text ? strtoll(text, &end, 10) : 0;
  int64_t unread = UNREAD, said = text && end != text && number >= 0 ? number : usual;
  atomic_compare_exchange_strong(&setting->number, &unread, said);
  return atomic_load(&setting->number);
}

int64_t lac_setting_get(lac_setting *setting, int64_t usual) {
  int64_t number = atomic_load_explicit(&setting->number, memory_order_relaxed);
  return number == UNREAD ? read_variable(setting, usual) : number;
}

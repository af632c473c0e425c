/* Keeps the slowest cases, sorted. */
#include "slowest.h"

#include <stdio.h>
#include <string.h>

/* No case should take longer to compile. */
static const double slow_seconds = 2;

static void insert(slow_case *cases, slow_case one) {
  int at = SLOWEST_CASES;
  while (at > 0 && cases[at - 1].seconds < one.seconds)
    at--;
  if (at == SLOWEST_CASES)
    return;
  memmove(&cases[at + 1], &cases[at], (size_t)(SLOWEST_CASES - 1 - at) * sizeof *cases);
  cases[at] = one;
}

void slowest_add(slowest *all, double seconds, uint64_t seed) {
  while (__atomic_exchange_n(&all->lock, 1, __ATOMIC_ACQUIRE))
    ;
  all->slow += seconds > slow_seconds;
  insert(all->cases, (slow_case){seconds, seed});
  __atomic_store_n(&all->lock, 0, __ATOMIC_RELEASE);
}

void slowest_print(const slowest *all) {
  printf("slowest to compile, in seconds of processor time:\n");
  for (int i = 0; i < SLOWEST_CASES && all->cases[i].seconds > 0; i++)
    printf("%8.2f  --case %llu\n", all->cases[i].seconds, (unsigned long long)all->cases[i].seed);
  printf("%lld slow cases, of more than %g s\n", (long long)all->slow, slow_seconds);
}

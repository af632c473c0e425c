/* lac_network.c - a bitonic sorting network (Batcher, Sorting Networks and Their Applications,
 * 1968) in registers of eight numbers, for processors with AVX-512.
 *
 *     reversed (4)   0 1 2 3   each with the one opposite     two halves in order become a
 *                    | \_/ |   in its group of 4              lower and an upper one
 *                     \___/
 *     apart (1)      0 1 2 3   each with the one so far       which are put in order alike
 *                    |_| |_|   apart
 *
 * Groups of 2, 4, ... are merged so: first reversed, then apart by a quarter, an eighth, ... of the
 * group.  Each pair has its lesser number first afterwards: no branch depends on what they are.
 * Within a register a shuffle brings the partners together, further apart it is two registers.
 */
#include "lac_network.h"

#ifdef __x86_64__
#include <immintrin.h>

enum { LANES = 8, REGISTERS = LAC_NETWORK_LIMIT / LANES };

#define FOR_AVX512 __attribute__((target("avx512f"))) static inline
#define ALWAYS FOR_AVX512 __attribute__((always_inline))

/* Lane i with lane p<i>; `upper` are those that keep the greater one. */
#define EXCHANGE(r, upper, p0, p1, p2, p3, p4, p5, p6, p7)                                         \
  exchange(r, upper, _mm512_setr_epi64(p0, p1, p2, p3, p4, p5, p6, p7))
ALWAYS __m512i exchange(__m512i r, __mmask8 upper, __m512i partners) {
  __m512i other = _mm512_permutexvar_epi64(partners, r);
  return _mm512_mask_max_epi64(_mm512_min_epi64(r, other), upper, r, other);
}

ALWAYS __m512i reversed(__m512i r) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), r);
}
ALWAYS __m512i exchange_reversed_4(__m512i r) {
  return EXCHANGE(r, 0xCC, 3, 2, 1, 0, 7, 6, 5, 4);
}
ALWAYS __m512i exchange_reversed_8(__m512i r) {
  return EXCHANGE(r, 0xF0, 7, 6, 5, 4, 3, 2, 1, 0);
}
ALWAYS __m512i exchange_apart_1(__m512i r) {
  return EXCHANGE(r, 0xAA, 1, 0, 3, 2, 5, 4, 7, 6);
}
ALWAYS __m512i exchange_apart_2(__m512i r) {
  return EXCHANGE(r, 0xCC, 2, 3, 0, 1, 6, 7, 4, 5);
}
ALWAYS __m512i exchange_apart_4(__m512i r) {
  return EXCHANGE(r, 0xF0, 4, 5, 6, 7, 0, 1, 2, 3);
}

ALWAYS __m512i sort_register(__m512i r) {
  r = exchange_apart_1(r);
  r = exchange_apart_1(exchange_reversed_4(r));
  return exchange_apart_1(exchange_apart_2(exchange_reversed_8(r)));
}

ALWAYS void exchange_registers(__m512i *r, __m512i *s, bool reverse) {
  __m512i other = reverse ? reversed(*s) : *s;
  __m512i greater = _mm512_max_epi64(*r, other);
  *r = _mm512_min_epi64(*r, other);
  *s = reverse ? reversed(greater) : greater;
}

/* Two halves of `count` registers in order. */
ALWAYS void merge(__m512i *r, int count) {
  for (int i = 0; i < count / 2; i++)
    exchange_registers(&r[i], &r[count - 1 - i], true);
  for (int apart = count / 4; apart > 0; apart /= 2)
    for (int i = 0; i < count; i++)
      if (!(i & apart))
        exchange_registers(&r[i], &r[i + apart], false);
  for (int i = 0; i < count; i++)
    r[i] = exchange_apart_1(exchange_apart_2(exchange_apart_4(r[i])));
}

ALWAYS __mmask8 first_lanes(int64_t count) {
  return (__mmask8)(count >= LANES ? 0xFF : count <= 0 ? 0 : (1 << count) - 1);
}

/* All of the first ones, the last eight numbers once more: lanes under a mask would have to be in
 * the cache before they could be read again. */
ALWAYS void store(int64_t *numbers, int64_t count, const __m512i *r, int used) {
  __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  int64_t whole = count / LANES, more = count % LANES;
  for (int i = 0; i < used; i++) {
    if (i < whole)
      _mm512_storeu_si512(numbers + LANES * i, r[i]);
    else if (i == whole && more) {
      __m512i from = _mm512_add_epi64(lanes, _mm512_set1_epi64(more));
      _mm512_storeu_si512(numbers + count - LANES, _mm512_permutex2var_epi64(r[i - 1], from, r[i]));
    }
  }
}

/* In `used` registers; lanes behind the last number have the greatest one. */
ALWAYS void sort_in(int64_t *numbers, int64_t count, int used) {
  __m512i r[REGISTERS], greatest = _mm512_set1_epi64(INT64_MAX);
  for (int i = 0; i < used; i++)
    r[i] = sort_register(
        _mm512_mask_loadu_epi64(greatest, first_lanes(count - LANES * i), numbers + LANES * i));
  for (int size = 2; size <= used; size *= 2)
    for (int first = 0; first < used; first += size)
      merge(r + first, size);
  store(numbers, count, r, used);
}

FOR_AVX512 void sort_with_avx512(int64_t *numbers, int64_t count) {
  if (count <= 2 * LANES)
    sort_in(numbers, count, 2);
  else if (count <= 4 * LANES)
    sort_in(numbers, count, 4);
  else
    sort_in(numbers, count, REGISTERS);
}

bool lac_network_sort(int64_t *numbers, int64_t count) {
  if (!__builtin_cpu_supports("avx512f"))
    return false;
  sort_with_avx512(numbers, count);
  return true;
}

#else
bool lac_network_sort(int64_t *numbers, int64_t count) {
  (void)numbers;
  (void)count;
  return false;
}
#endif

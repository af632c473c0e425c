// Threads that compile and run at once: each its own kernels, the same one, and one shared.
// RUN: %cc %includes %s %lacuna -lpthread -o %t
// RUN: rm -rf %t.cache && env XDG_CACHE_HOME=%t.cache %t && env XDG_CACHE_HOME=%t.cache %t
// RUN: env LACUNA_CACHE=off %t
#include "lacuna.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 3, N = 100 };

static lacuna_kernel *shared;
static double x[N];

/* y(i) = FACTOR * x(i), for a factor of each kernel's own. */
static lacuna_kernel *compile(lacuna_compiler *c, int factor, unsigned cache) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func @scale(%%x: tensor<?xf64>) -> tensor<?xf64> {\n"
           "  %%y = tin.einsum \"y(i) = %d * x(i)\" (%%x) : (tensor<?xf64>) -> tensor<?xf64>\n"
           "  return %%y : tensor<?xf64>\n}\n",
           factor);
  lacuna_options options = lacuna_options_default();
  options.cache = cache;
  lacuna_kernel *k = lacuna_compile_text(c, text, "scale", &options);
  if (!k)
    fprintf(stderr, "error: %s\n", lacuna_error(c));
  return k;
}

static bool run(lacuna_kernel *k, int factor) {
  const int64_t size = N;
  lac_tensor vector = {0}, y = {0};
  bool good = !lac_lend_dense(&vector, LAC_F64, 1, &size, x) &&
              !lacuna_call(k, "scale", (void *[]){&y, &vector}) && y.values.length == N;
  for (int i = 0; good && i < N; i++)
    good = ((double *)y.values.data)[i] == factor * x[i];
  lac_tensor_free(&vector);
  lac_tensor_free(&y);
  return good;
}

static bool compile_and_run(lacuna_compiler *c, int factor, unsigned cache) {
  lacuna_kernel *k = compile(c, factor, cache);
  bool good = k && run(k, factor) && run(shared, 1);
  lacuna_kernel_free(k);
  return good;
}

static void *work(void *data) {
  int thread = *(int *)data;
  bool good = true;
  lacuna_compiler *c = lacuna_open();
  for (int round = 0; good && round < ROUNDS; round++)
    good = compile_and_run(c, 10 * thread + round, 0) &&
           compile_and_run(c, 7, LACUNA_CACHE_MEMORY) &&
           compile_and_run(c, round, LACUNA_CACHE_DISK);
  lacuna_close(c);
  return good ? data : NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS], status = 0;
  for (int i = 0; i < N; i++)
    x[i] = i;
  lacuna_compiler *c = lacuna_open();
  shared = compile(c, 1, 0);
  lacuna_close(c);
  if (!shared)
    return 1;
  for (int t = 0; t < THREADS; t++) {
    numbers[t] = t;
    pthread_create(&threads[t], NULL, work, &numbers[t]);
  }
  for (int t = 0; t < THREADS; t++) {
    void *done;
    pthread_join(threads[t], &done);
    status |= !done;
  }
  lacuna_kernel_free(shared);
  return status;
}

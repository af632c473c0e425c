/* From a module to functions that can be called, by way of the caches:
 *
 *     key -> in memory?  -> on disk?  -> passes, object files -> loaded, kept
 *
 * What is kept on disk is the object files (objects.h) behind the remarks that the passes made:
 *
 *     | size of remarks | remarks | objects |
 */
#include "compiled.h"

#include "cache.h"
#include "cache_folder.h"
#include "ir.h"
#include "lac_error.h"
#include "lac_tensor.h"
#include "llvm_code.h"
#include "memory_cache.h"
#include "objects.h"
#include "pipeline.h"
#include "processor.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that was asked for: to find it takes longer than a small kernel. */
typedef struct found_function {
  struct found_function *before;
  entry_point *entry;
  char name[];
} found_function;

struct compiled {
  jit *code;
  cache_bytes remarks;
  atomic_int owners;
  found_function *_Atomic found; /* the last one; only added to */
};

/* One compilation. */
typedef struct compilation {
  compiler *c;
  const char *text, *name; /* of the module; no text where it is `module` */
  MlirModule module;
  machine_options machine;
  char *pipeline, *to_sit, *to_arrays; /* the whole, and its parts but the last */
  cache_bytes key;
  compiled_times times;
} compilation;

static void take(void *value) {
  atomic_fetch_add(&((compiled *)value)->owners, 1);
}

static void release(void *value) {
  compiled_free(value);
}

static const memory_cache_methods methods = {take, release};

void compiled_free(compiled *k) {
  if (!k || atomic_fetch_sub(&k->owners, 1) > 1)
    return;
  for (found_function *f = k->found, *before; f; f = before) {
    before = f->before;
    free(f);
  }
  jit_free(k->code);
  free(k->remarks.data);
  free(k);
}

//--- Making --------------------------------------------------------------------------------------

enum { DIALECTS_MOST = 32 };

/* The names of the dialects that there are operations of. */
typedef struct dialects_met {
  MlirStringRef names[DIALECTS_MOST];
  int count;
} dialects_met;

static bool is_met(const dialects_met *m, MlirStringRef dialect) {
  for (int i = 0; i < m->count; i++)
    if (mlirStringRefEqual(m->names[i], dialect))
      return true;
  return false;
}

static bool meet(MlirOperation op, void *data) {
  dialects_met *m = data;
  MlirStringRef name = op_name(op);
  const char *dot = memchr(name.data, '.', name.length);
  MlirStringRef dialect = {name.data, dot ? (size_t)(dot - name.data) : name.length};
  if (!is_met(m, dialect))
    m->names[m->count++] = dialect;
  return m->count < DIALECTS_MOST;
}

/* Where there are more than are noted, any may be there. */
static bool has_dialect(void *data, const char *dialect) {
  const dialects_met *m = data;
  return m->count == DIALECTS_MOST || is_met(m, mlirStringRefCreateFromCString(dialect));
}

static bool convert_to_llvm(const compilation *x, MlirModule module) {
  dialects_met met = {.count = 0};
  visit_below(mlirModuleGetOperation(module), meet, &met);
  char *conversions = pipeline_of_conversions(has_dialect, &met);
  bool done = conversions && compiler_run(x->c, module, conversions, CHECK_LAST);
  free(conversions);
  return done;
}

/* The module in the LLVM dialect, or a null module. */
static MlirModule lower_module(const compilation *x) {
  MlirModule module =
      x->text ? compiler_parse(x->c, x->text, x->name)
              : mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(x->module)));
  if (mlirModuleIsNull(module) ||
      (compiler_run(x->c, module, x->to_sit, CHECK_EACH) &&
       compiler_run(x->c, module, x->to_arrays, CHECK_LATER) && convert_to_llvm(x, module)))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

static cache_bytes make_objects(compilation *x, char **error) {
  cache_bytes object = {NULL, 0};
  double start = llvm_code_clock();
  MlirModule module = lower_module(x);
  x->times.passes = llvm_code_clock() - start;
  if (mlirModuleIsNull(module))
    return object;
  object.data = objects_make(module, &x->machine, &object.size, error);
  mlirModuleDestroy(module);
  return object;
}

/* Objects and remarks as one; no data where that fails. */
static cache_bytes make_content(compilation *x, char **error) {
  cache_bytes remarks = {NULL, 0}, content = {NULL, 0};
  FILE *record = open_memstream(&remarks.data, &remarks.size);
  compiler_record(x->c, record);
  cache_bytes object = make_objects(x, error);
  compiler_record(x->c, NULL);
  if (record)
    fclose(record);
  uint64_t length = remarks.size;
  if (object.data && remarks.data)
    content.data = malloc(sizeof length + remarks.size + object.size);
  if (content.data) {
    content.size = sizeof length + remarks.size + object.size;
    memcpy(content.data, &length, sizeof length);
    memcpy(content.data + sizeof length, remarks.data, remarks.size);
    memcpy(content.data + sizeof length + remarks.size, object.data, object.size);
  }
  free(remarks.data);
  free(object.data);
  return content;
}

/* Loads the content.  NULL where it is none, or does not load. */
static compiled *load(const compilation *x, const cache_bytes *content, char **error) {
  uint64_t length;
  if (content->size < sizeof length)
    return NULL;
  memcpy(&length, content->data, sizeof length);
  if (length > content->size - sizeof length)
    return NULL;
  const char *objects = content->data + sizeof length + length;
  compiled *k = calloc(1, sizeof *k);
  if (!k)
    return NULL;
  k->owners = 1;
  k->remarks = (cache_bytes){malloc(length + 1), length};
  k->code =
      jit_load(objects, content->size - sizeof length - length, x->machine.openmp_library, error);
  if (k->code && k->remarks.data) {
    memcpy(k->remarks.data, content->data + sizeof length, length);
    return k;
  }
  compiled_free(k);
  return NULL;
}

//--- Finding -------------------------------------------------------------------------------------

/* Says again what the passes said when the code was made. */
static void repeat_remarks(const compiler *c, const compiled *k) {
  const char *at = k->remarks.data, *end = at + k->remarks.size;
  while (at < end) {
    const char *message = at + strlen(at) + 1;
    compiler_tell(c, at, message);
    at = message + strlen(message) + 1;
  }
}

static compiled *find(const compilation *x) {
  compiled *k = x->machine.cache & CACHE_MEMORY ? memory_cache_find(&x->key, &methods) : NULL;
  cache_bytes content = {NULL, 0};
  char *error = NULL;
  if (!k && x->machine.cache & CACHE_DISK)
    content = cache_read(&x->key);
  if (content.data)
    k = load(x, &content, &error);
  if (content.data && k && x->machine.cache & CACHE_MEMORY)
    memory_cache_add(&x->key, k, &methods);
  free(content.data);
  free(error);
  if (k)
    repeat_remarks(x->c, k);
  return k;
}

static compiled *make(compilation *x, char **error) {
  cache_bytes content = make_content(x, error);
  compiled *k = content.data ? load(x, &content, error) : NULL;
  if (k && x->machine.cache & CACHE_DISK)
    cache_write(&x->key, &content);
  if (k && x->machine.cache & CACHE_MEMORY)
    memory_cache_add(&x->key, k, &methods);
  free(content.data);
  return k;
}

static compiled *find_or_make(compilation *x, char **error) {
  double start = llvm_code_clock();
  compiled *k = x->machine.cache ? find(x) : NULL;
  if (k)
    x->times.machine.generate = llvm_code_clock() - start;
  return k ? k : make(x, error);
}

//--- What a module is ----------------------------------------------------------------------------

static void append_text(MlirStringRef piece, void *out) {
  fwrite(piece.data, 1, piece.length, out);
}

static char *print_module(MlirModule module) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  mlirOperationPrint(mlirModuleGetOperation(module), append_text, out);
  fclose(out);
  return text;
}

/* Without a key nothing is kept. */
static void make_key(compilation *x) {
  char *printed = x->machine.cache && !x->text ? print_module(x->module) : NULL;
  const char *text = x->text ? x->text : printed;
  if (x->machine.cache && text)
    x->key = cache_key(text, x->pipeline, &x->machine);
  if (!x->key.data)
    x->machine.cache = 0;
  free(printed);
}

/* The pipeline for the schedule and the processor; false with a message where that is none or not
 * here. */
static bool fit_pipeline(compilation *x, const struct lacuna_pipeline_options *options,
                         char **error) {
  struct lacuna_pipeline_options fitted = *options;
  processor on;
  if (!pipeline_takes(options, error))
    return false;
  bool good = processor_find(&on, &x->machine, error) && processor_runs_here(&on, error);
  if (good) {
    processor_fit(&on, &fitted);
    x->pipeline = sparse_cpu_pipeline(&fitted);
    x->to_sit = sparse_cpu_pipeline_between(&fitted, RUNG_PROGRAM, RUNG_SIT);
    x->to_arrays = sparse_cpu_pipeline_between(&fitted, RUNG_SIT, RUNG_ARRAYS);
  }
  processor_free(&on);
  return good;
}

/* Once in a process. */
static void tell_refused_size(const compiler *c) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  const char *found = cache_folder_refused_size();
  char *message = NULL;
  if (!found || atomic_flag_test_and_set(&told))
    return;
  if (asprintf(&message,
               "LACUNA_CACHE_SIZE: expected a number of bytes, as in 64M, found '%s'; it is 256M",
               found) >= 0)
    compiler_tell(c, "remark", message);
  free(message);
}

static compiled *compile(compilation *x, const struct lacuna_pipeline_options *options,
                         char **error) {
  compiled *k = NULL;
  *error = NULL;
  x->machine.entry_points = true;
  x->machine.threads = options->threads > 1 || options->deterministic ? options->threads : 0;
  x->machine.times = &x->times.machine;
  if (!cache_is_on())
    x->machine.cache = 0;
  if (x->machine.cache & CACHE_DISK)
    tell_refused_size(x->c);
  if (fit_pipeline(x, options, error) && x->pipeline && x->to_sit && x->to_arrays) {
    make_key(x);
    k = find_or_make(x, error);
  }
  free(x->key.data);
  free(x->pipeline);
  free(x->to_sit);
  free(x->to_arrays);
  if (!k && !*error) {
    compiler_fail(x->c, "no memory");
    *error = strdup(compiler_error(x->c));
  }
  return k;
}

compiled *compiled_create(compiler *c, const char *text, const char *name,
                          const struct lacuna_pipeline_options *options,
                          const machine_options *machine, compiled_times *times, char **error) {
  compilation x = {.c = c, .text = text, .name = name, .machine = *machine};
  compiled *k = compile(&x, options, error);
  if (times)
    *times = x.times;
  return k;
}

compiled *compiled_of_module(compiler *c, MlirModule module,
                             const struct lacuna_pipeline_options *options,
                             const machine_options *machine, char **error) {
  compilation x = {.c = c, .module = module, .machine = *machine};
  return compile(&x, options, error);
}

//--- Calling -------------------------------------------------------------------------------------

static entry_point *find_again(compiled *k, const char *function) {
  found_function *f = atomic_load_explicit(&k->found, memory_order_acquire);
  while (f && strcmp(f->name, function))
    f = f->before;
  return f ? f->entry : NULL;
}

/* Not where there is no memory for it; another thread may do the same. */
static void keep_found(compiled *k, const char *function, entry_point *entry) {
  found_function *f = malloc(sizeof *f + strlen(function) + 1);
  if (!f)
    return;
  f->entry = entry;
  strcpy(f->name, function);
  f->before = atomic_load(&k->found);
  while (!atomic_compare_exchange_weak(&k->found, &f->before, f))
    continue;
}

static entry_point *look_up(compiled *k, const char *function) {
  char *name = NULL, *error = NULL;
  entry_point *entry = NULL;
  if (asprintf(&name, "%s" ENTRY_POINT_SUFFIX, function) >= 0)
    *(void **)&entry = jit_lookup(k->code, name, &error);
  if (!entry)
    lac_error_set(LAC_ERROR_FORMAT, "no function '%s' to call: %s", function,
                  error ? error : "not found");
  free(error);
  free(name);
  if (entry)
    keep_found(k, function, entry);
  return entry;
}

entry_point *compiled_find(compiled *k, const char *function) {
  entry_point *entry = find_again(k, function);
  return entry ? entry : look_up(k, function);
}

int32_t compiled_call(compiled *k, const char *function, void *const *arguments) {
  entry_point *entry = compiled_find(k, function);
  return entry ? entry(arguments) : LAC_ERROR_FORMAT;
}

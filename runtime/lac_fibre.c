/* lac_fibre.c - fibres, by a switch of registers on x86-64, which takes a tenth of the time of the
 * C library's contexts (they call the system twice), and by these elsewhere; see lac_fibre.h. */
#include "lac_fibre.h"

#include "lac_error.h"
#include "lac_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#endif
#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__x86_64__)
typedef void *context; /* the top of its stack, where its registers are */
#else
typedef ucontext_t context;
#endif

struct lac_fibre {
  context at;
  void (*run)(void);
  char *stack; /* NULL: the thread's own */
  int64_t guard;
  int64_t apart;      /* so far from its end it begins, so that not all are in one set of a cache */
  const void *bottom; /* what the sanitizers know it by */
  size_t size;
  void *fake_stack, *known_as;
};

/* The thread's own, while it has switched to a fibre, and the one that is switched from. */
static _Thread_local lac_fibre own;
static _Thread_local lac_fibre *left;

/* ---- Sanitizers --------------------------------------------------------------------------- */

static void say_begins(lac_fibre *fibre) {
#ifdef ADDRESS_SANITIZER
  __asan_unpoison_memory_region(fibre->stack, LAC_FIBRE_STACK);
#endif
#ifdef THREAD_SANITIZER
  if (fibre->known_as)
    __tsan_destroy_fiber(fibre->known_as);
  fibre->known_as = __tsan_create_fiber(0);
#endif
  fibre->fake_stack = NULL;
  fibre->bottom = fibre->stack;
  fibre->size = LAC_FIBRE_STACK;
}

static void say_freed(lac_fibre *fibre) {
#ifdef THREAD_SANITIZER
  if (fibre->known_as)
    __tsan_destroy_fiber(fibre->known_as);
#endif
  (void)fibre;
}

static void say_leaving(lac_fibre *from, lac_fibre *to) {
#ifdef ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
#endif
#ifdef THREAD_SANITIZER
  if (!from->stack)
    from->known_as = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to->known_as, 0);
#endif
  left = from;
  (void)to;
}

static void say_arrived(lac_fibre *at) {
#ifdef ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(at->fake_stack,
                                  left->stack ? &(const void *){NULL} : &left->bottom,
                                  left->stack ? &(size_t){0} : &left->size);
#endif
  (void)at;
}

/* ---- Contexts ----------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* Puts what a function keeps for its caller onto the stack, and that one's address into `from`;
 * takes the same from `to`. */
void lac_fibre_swap(context *from, context *to);
__asm__(".text\n"
        ".hidden lac_fibre_swap\n"
        ".globl lac_fibre_swap\n"
        ".type lac_fibre_swap, @function\n"
        "lac_fibre_swap:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq (%rsi), %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size lac_fibre_swap, . - lac_fibre_swap\n");

/* As if `run`, called with nowhere to return to, had just been about to begin. */
static void make_context(lac_fibre *fibre, void (*run)(void)) {
  enum { REGISTERS = 6, WORDS = REGISTERS + 2 };
  void *end = fibre->stack + LAC_FIBRE_STACK - fibre->apart;
  void **top = (void **)end - WORDS;
  for (int i = 0; i < WORDS; i++)
    top[i] = NULL;
  memcpy(&top[REGISTERS], &run, sizeof run);
  fibre->at = top;
}

#else

static void lac_fibre_swap(context *from, context *to) {
  swapcontext(from, to);
}

static void make_context(lac_fibre *fibre, void (*run)(void)) {
  getcontext(&fibre->at);
  fibre->at.uc_stack.ss_sp = fibre->stack;
  fibre->at.uc_stack.ss_size = LAC_FIBRE_STACK;
  fibre->at.uc_link = NULL;
  makecontext(&fibre->at, run, 0);
}

#endif

static _Thread_local lac_fibre *arriving;

static void begin(void) {
  say_arrived(arriving);
  arriving->run();
}

void lac_fibre_switch(lac_fibre *from, lac_fibre *to) {
  from = from ? from : &own;
  arriving = to ? to : &own;
  say_leaving(from, arriving);
  lac_fibre_swap(&from->at, &arriving->at);
  say_arrived(from);
}

void lac_fibre_restart(lac_fibre *fibre) {
  say_begins(fibre);
  make_context(fibre, begin);
}

/* ---- Stacks ------------------------------------------------------------------------------- */

static bool map_stack(lac_fibre *fibre) {
  fibre->guard = sysconf(_SC_PAGESIZE);
  char *base = mmap(NULL, (size_t)(fibre->guard + LAC_FIBRE_STACK), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED)
    return false;
  fibre->stack = base + fibre->guard;
  return mprotect(base, (size_t)fibre->guard, PROT_NONE) == 0;
}

lac_fibre *lac_fibre_create(void (*run)(void)) {
  enum { APART = 16, CACHE_LINE = 64 };
  static int64_t made;
  lac_fibre *fibre = lac_memory_allocate(sizeof *fibre);
  if (!fibre)
    return NULL;
  fibre->run = run;
  fibre->apart = made++ % APART * CACHE_LINE * 3;
  if (map_stack(fibre)) {
    lac_fibre_restart(fibre);
    return fibre;
  }
  lac_error_set(LAC_ERROR_MEMORY, "out of memory: a thread of the emulated device has no stack");
  lac_fibre_free(fibre);
  return NULL;
}

void lac_fibre_free(lac_fibre *fibre) {
  if (!fibre)
    return;
  say_freed(fibre);
  if (fibre->stack)
    munmap(fibre->stack - fibre->guard, (size_t)(fibre->guard + LAC_FIBRE_STACK));
  lac_memory_release(fibre, sizeof *fibre);
}

bool lac_fibre_holds(const lac_fibre *fibre, const void *at, int64_t bytes) {
  const char *begin = at;
  return begin >= fibre->stack && bytes <= LAC_FIBRE_STACK &&
         begin <= fibre->stack + LAC_FIBRE_STACK - bytes;
}

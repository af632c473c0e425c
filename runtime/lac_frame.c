/* lac_frame.c - the temporaries of one activation of a compiled function that calls several
 * kernels.
 *
 * A frame is the first status that was taken and a list of tensors.  A tensor that was given to the
 * caller remembers where it went, so that giving it twice copies it from there. */
#include "lac_error.h"
#include "lac_kernel.h"
#include "lac_memory.h"
#include "lac_program.h"

typedef struct temporary {
  lac_tensor tensor;
  const lac_tensor *given_to;
  struct temporary *next;
} temporary;

struct lac_frame {
  temporary *temporaries;
  int32_t status;
};

lac_frame *lac_frame_enter(void) {
  return lac_memory_allocate(sizeof(lac_frame));
}

bool lac_frame_ok(const lac_frame *frame) {
  return frame && frame->status == LAC_OK;
}

bool lac_frame_takes(lac_frame *frame, const lac_tensor *tensor) {
  if (lac_frame_ok(frame) && !lac_program_has_dimensions(tensor))
    frame->status = LAC_ERROR_FORMAT;
  return lac_frame_ok(frame);
}

void lac_frame_check(lac_frame *frame, int32_t status) {
  if (lac_frame_ok(frame))
    frame->status = status;
}

lac_tensor *lac_frame_tensor(lac_frame *frame) {
  temporary *fresh = frame ? lac_memory_allocate(sizeof(temporary)) : NULL;
  if (!fresh) {
    lac_frame_check(frame, LAC_ERROR_MEMORY);
    return NULL;
  }
  fresh->next = frame->temporaries;
  frame->temporaries = fresh;
  return &fresh->tensor;
}

static temporary *find_temporary(lac_frame *frame, const lac_tensor *value) {
  temporary *found = frame->temporaries;
  while (found && &found->tensor != value)
    found = found->next;
  return found;
}

static void give(temporary *owner, lac_tensor *out) {
  lac_tensor_free(out);
  *out = owner->tensor;
  owner->tensor = (lac_tensor){0};
  owner->given_to = out;
}

void lac_frame_result(lac_frame *frame, lac_tensor *value, lac_tensor *out) {
  if (!lac_frame_ok(frame) || !value || value == out)
    return;
  temporary *owner = find_temporary(frame, value);
  if (owner && !owner->given_to) {
    give(owner, out);
    return;
  }
  lac_tensor copy;
  lac_frame_check(frame, lac_tensor_copy(owner ? owner->given_to : value, &copy));
  if (!lac_frame_ok(frame))
    return;
  lac_tensor_free(out);
  *out = copy;
}

const void *lac_frame_mark(const lac_frame *frame) {
  return frame ? frame->temporaries : NULL;
}

static bool is_kept(const temporary *t, int64_t count, lac_tensor *const *kept) {
  for (int64_t i = 0; i < count; i++)
    if (kept[i] == &t->tensor)
      return true;
  return false;
}

static void free_temporary(temporary *t) {
  lac_tensor_free(&t->tensor);
  lac_memory_release(t, sizeof *t);
}

void lac_frame_sweep(lac_frame *frame, const void *mark, int64_t count, lac_tensor *const *kept) {
  temporary **link = frame ? &frame->temporaries : NULL;
  while (link && *link && *link != mark) {
    temporary *here = *link;
    if (is_kept(here, count, kept)) {
      link = &here->next;
      continue;
    }
    *link = here->next;
    free_temporary(here);
  }
}

int32_t lac_frame_leave(lac_frame *frame) {
  if (!frame)
    return LAC_ERROR_MEMORY;
  int32_t status = frame->status;
  for (temporary *here = frame->temporaries, *next; here; here = next) {
    next = here->next;
    free_temporary(here);
  }
  lac_memory_release(frame, sizeof *frame);
  return status;
}

/* lac_device_arrays.c - which arrays are on devices: a list, looked through from its begin; see
 * lac_device_arrays.h. */
#include "lac_device_arrays.h"

#include "lac_device_stays.h"
#include "lac_error.h"
#include "lac_memory.h"

typedef struct on_device {
  void *at;     /* NULL: it is not there */
  bool current; /* its contents are the array's */
} on_device;

typedef struct entry {
  char *host;
  int64_t bytes;
  bool stays;
  bool scratch;   /* of launches alone, until it leaves */
  bool written;   /* by launches that are not finished */
  int64_t number; /* as which one they asked for it; 0: they have not */
  int32_t use;
  on_device on[LAC_DEVICES];
} entry;

static entry *entries;
static int64_t count, room, asked;
_Atomic int64_t lac_device_staying;

/* ---- The list ----------------------------------------------------------------------------- */

static bool make_room(void) {
  enum { AT_FIRST = 32 };
  if (count < room)
    return true;
  int64_t more = room ? 2 * room : AT_FIRST, width = sizeof *entries;
  entry *grown = lac_memory_resize(entries, room * width, more * width);
  if (!grown)
    return false;
  entries = grown;
  room = more;
  return true;
}

static entry *add(void *host, int64_t bytes, bool stays) {
  if (!make_room())
    return NULL;
  entries[count] = (entry){.host = host, .bytes = bytes, .stays = stays};
  lac_device_staying += stays;
  return &entries[count++];
}

static bool overlaps(const entry *e, const void *host, int64_t bytes) {
  const char *begin = host;
  return begin < e->host + e->bytes && e->host < begin + bytes;
}

static entry *find(const void *host, int64_t bytes) {
  for (int64_t i = 0; i < count; i++)
    if (entries[i].host == host && bytes <= entries[i].bytes)
      return &entries[i];
  return NULL;
}

/* ---- Places on devices -------------------------------------------------------------------- */

static const lac_device *const devices[LAC_DEVICES] = {&lac_driver, &lac_emulated};

static void release(entry *e, const lac_device *device) {
  on_device *on = &e->on[device->number];
  if (on->at && on->at != e->host)
    device->release(on->at, e->bytes);
  *on = (on_device){NULL, false};
}

/* Also where the device cannot be entered any more: it keeps memory for the next arrays. */
static void enter_and_release(entry *e, const lac_device *device) {
  bool is_entered = device->enter() == LAC_OK;
  release(e, device);
  if (is_entered)
    device->leave();
}

/* Leaves every device; the last entry takes its place. */
static void drop(entry *e) {
  for (int i = 0; i < LAC_DEVICES; i++)
    if (e->on[i].at)
      enter_and_release(e, devices[i]);
  lac_device_staying -= e->stays;
  *e = entries[--count];
}

/* What is not there to stay needs no memory on a device that reads the host's. */
static int32_t allocate(entry *e, const lac_device *device) {
  on_device *on = &e->on[device->number];
  int32_t came_to = LAC_OK;
  bool is_shared = !e->stays && device->reads_host();
  on->at = is_shared ? e->host : device->allocate(e->bytes, &came_to);
  on->current = is_shared;
  return came_to;
}

static int32_t fill(entry *e, const lac_device *device) {
  on_device *on = &e->on[device->number];
  int32_t came_to = device->copy_to(on->at, e->host, e->bytes);
  on->current = came_to == LAC_OK;
  return came_to;
}

static int32_t clear(entry *e, const lac_device *device) {
  on_device *on = &e->on[device->number];
  int32_t came_to = device->clear(on->at, e->bytes);
  on->current = came_to == LAC_OK;
  return came_to;
}

static int32_t put(entry *e, const lac_device *device, int64_t bytes, int32_t use) {
  on_device *on = &e->on[device->number];
  int32_t came_to = on->at ? LAC_OK : allocate(e, device);
  bool is_written_whole = use == LAC_DEVICE_WRITES && bytes == e->bytes;
  if (came_to == LAC_OK && !on->current && !is_written_whole)
    came_to = use & LAC_DEVICE_SCRATCH ? clear(e, device) : fill(e, device);
  return came_to;
}

/* ---- Launches ----------------------------------------------------------------------------- */

/* Arrays of one launch share no memory where one of them is written: there are two copies. */
static bool stands_apart(const entry *e, const void *host, int64_t bytes, int32_t use) {
  return !overlaps(e, host, bytes) || e->number == 0 || !((e->use | use) & LAC_DEVICE_WRITES);
}

static int32_t check_apart(const entry *self, const void *host, int64_t bytes, int32_t use) {
  for (int64_t i = 0; i < count; i++)
    if (&entries[i] != self && !stands_apart(&entries[i], host, bytes, use))
      return lac_error_set(LAC_ERROR_DEVICE,
                           "expected arrays of a launch to share no memory where one is written, "
                           "found %lld bytes of array %lld among the %lld of array %lld",
                           (long long)bytes, (long long)asked + 1, (long long)entries[i].bytes,
                           (long long)entries[i].number);
  return LAC_OK;
}

/* What stays and is written under another array's name is not what it was. */
static void leave_what_is_written(const entry *self, const void *host, int64_t bytes) {
  for (int64_t i = 0; i < count; i++)
    if (&entries[i] != self && entries[i].stays && overlaps(&entries[i], host, bytes))
      for (int d = 0; d < LAC_DEVICES; d++)
        entries[i].on[d].current = false;
}

void *lac_device_arrays_ask(const lac_device *device, void *host, int64_t bytes, int32_t use,
                            int32_t *came_to) {
  entry *e = find(host, bytes);
  *came_to = check_apart(e, host, bytes, use);
  if (*came_to != LAC_OK)
    return NULL;
  e = e ? e : add(host, bytes, false);
  if (!e) {
    *came_to = LAC_ERROR_MEMORY;
    return NULL;
  }
  *came_to = put(e, device, bytes, use);
  e->number = e->number ? e->number : ++asked;
  e->use |= use;
  e->scratch |= use & LAC_DEVICE_SCRATCH;
  if (use & LAC_DEVICE_WRITES)
    leave_what_is_written(e, e->host, e->bytes);
  return *came_to == LAC_OK ? e->on[device->number].at : NULL;
}

void lac_device_arrays_launched(const lac_device *device) {
  for (int64_t i = 0; i < count; i++)
    if (entries[i].use & LAC_DEVICE_WRITES) {
      for (int d = 0; d < LAC_DEVICES; d++)
        entries[i].on[d].current = d == device->number;
      entries[i].written = !entries[i].scratch;
    }
}

int32_t lac_device_arrays_fetch(const lac_device *device) {
  int32_t came_to = LAC_OK;
  for (int64_t i = 0; i < count && came_to == LAC_OK; i++) {
    const entry *e = &entries[i];
    const void *at = e->on[device->number].at;
    if (e->written && at != e->host)
      came_to = device->copy_from(e->host, at, e->bytes);
  }
  return came_to;
}

static int32_t copy_now(const lac_device *device, void *host, const void *at, int64_t bytes) {
  int32_t came_to = device->enter();
  if (came_to != LAC_OK)
    return came_to;
  came_to = device->copy_from(host, at, bytes);
  if (came_to == LAC_OK)
    came_to = device->wait();
  device->leave();
  return came_to;
}

int32_t lac_device_arrays_look(void *host, int64_t bytes) {
  int32_t came_to = LAC_OK;
  for (int64_t i = 0; i < count; i++) {
    const entry *e = &entries[i];
    for (int d = 0; d < LAC_DEVICES && overlaps(e, host, bytes); d++) {
      const char *at = e->on[d].at;
      bool is_there = at && at != e->host && e->on[d].current && (e->written || e->scratch);
      if (is_there && came_to == LAC_OK)
        came_to = copy_now(devices[d], host, at + ((char *)host - e->host), bytes);
    }
  }
  return came_to;
}

void lac_device_arrays_leave(const void *host) {
  entry *e = find(host, 0);
  if (e && e->scratch)
    drop(e);
}

void lac_device_arrays_end(const lac_device *device, bool fine) {
  for (int64_t i = count - 1; i >= 0; i--) {
    entry *e = &entries[i];
    if (!fine && e->use & LAC_DEVICE_WRITES)
      e->on[device->number].current = false;
    e->number = e->use = e->written = 0;
    if (!e->stays && !e->scratch)
      drop(e);
  }
  asked = 0;
}

int64_t lac_device_arrays_number(const lac_device *device, const void *at, int32_t *use) {
  for (int64_t i = 0; i < count; i++)
    if (entries[i].number && entries[i].on[device->number].at == at) {
      *use = entries[i].use;
      return entries[i].number;
    }
  return *use = 0;
}

/* ---- What stays --------------------------------------------------------------------------- */

int32_t lac_device_arrays_stay(void *host, int64_t bytes) {
  lac_device_arrays_forget(host, bytes);
  return add(host, bytes, true) ? LAC_OK : LAC_ERROR_MEMORY;
}

void lac_device_arrays_forget(const void *host, int64_t bytes) {
  for (int64_t i = count - 1; i >= 0; i--)
    if (entries[i].stays && overlaps(&entries[i], host, bytes))
      drop(&entries[i]);
}

/* lac_device_codes.c - kernels that are loaded: a list in the order in which they were asked for,
 * the last one first; see lac_device_codes.h. */
#include "lac_device_codes.h"

#include "lac_error.h"
#include "lac_memory.h"

#include <string.h>

static lac_device_code *codes;
static lac_device_image *images;

/* ---- Images ------------------------------------------------------------------------------- */

static int64_t size_of_image(int64_t bytes) {
  return (int64_t)sizeof(lac_device_image) + bytes + 1;
}

static lac_device_image *find_image(const void *text, int64_t bytes) {
  lac_device_image *image = images;
  while (image && (image->bytes != bytes || memcmp(image->text, text, (size_t)bytes) != 0))
    image = image->next;
  return image;
}

static lac_device_image *load_image(const lac_device *device, const void *text, int64_t bytes,
                                    int32_t *came_to) {
  lac_device_image *image = lac_memory_allocate(size_of_image(bytes));
  *came_to = image ? LAC_OK : LAC_ERROR_MEMORY;
  if (!image)
    return NULL;
  image->bytes = bytes;
  memcpy(image->text, text, (size_t)bytes);
  *came_to = device->load(image);
  if (*came_to != LAC_OK) {
    lac_memory_release(image, size_of_image(bytes));
    return NULL;
  }
  image->next = images;
  images = image;
  return image;
}

static void drop_unused_image(const lac_device *device, lac_device_image *image) {
  if (!image || image->kernels > 0)
    return;
  lac_device_image **at = &images;
  while (*at != image)
    at = &(*at)->next;
  *at = image->next;
  device->unload(image);
  lac_memory_release(image, size_of_image(image->bytes));
}

/* ---- Kernels ------------------------------------------------------------------------------ */

static bool is_it(const lac_device_code *code, const char *name, const void *image, int64_t bytes,
                  void (*entry)(void **arguments)) {
  if (code->entry != entry || !code->image != !image || strcmp(code->name, name) != 0)
    return false;
  return !image ||
         (code->image->bytes == bytes && memcmp(code->image->text, image, (size_t)bytes) == 0);
}

/* Takes it out of its place. */
static lac_device_code *take(lac_device_code **at) {
  lac_device_code *code = *at;
  *at = code->next;
  return code;
}

static lac_device_code *put_first(lac_device_code *code) {
  code->next = codes;
  return codes = code;
}

/* The one that was asked for least lately of those of a device, where there are as many as may be
 * kept. */
static void make_room(const lac_device *device) {
  lac_device_code **oldest = NULL;
  int64_t count = 0;
  for (lac_device_code **at = &codes; *at; at = &(*at)->next)
    if (!(*at)->image == (device == &lac_emulated)) {
      oldest = at;
      count++;
    }
  if (count < LAC_DEVICE_CODES)
    return;
  lac_device_code *code = take(oldest);
  lac_device_image *image = code->image;
  if (image)
    image->kernels--;
  drop_unused_image(device, image);
  lac_memory_release(code, code->bytes);
}

static lac_device_code *make_code(const lac_device *device, const char *name,
                                  lac_device_image *image, void (*entry)(void **arguments),
                                  int32_t *came_to) {
  int64_t bytes = (int64_t)(sizeof(lac_device_code) + strlen(name) + 1);
  lac_device_code *code = lac_memory_allocate(bytes);
  *came_to = code ? LAC_OK : LAC_ERROR_MEMORY;
  if (!code)
    return NULL;
  code->bytes = bytes;
  code->entry = entry;
  code->image = image;
  memcpy(code->name, name, strlen(name) + 1);
  *came_to = device->find(code);
  if (*came_to == LAC_OK)
    return code;
  lac_memory_release(code, bytes);
  return NULL;
}

static lac_device_code *load(const lac_device *device, const char *name, const void *text,
                             int64_t bytes, void (*entry)(void **arguments), int32_t *came_to) {
  lac_device_image *image = text ? find_image(text, bytes) : NULL;
  if (text && !image)
    image = load_image(device, text, bytes, came_to);
  if (text && !image)
    return NULL;
  lac_device_code *code = make_code(device, name, image, entry, came_to);
  if (code && image)
    image->kernels++;
  drop_unused_image(device, image);
  return code;
}

lac_device_code *lac_device_codes_find(const lac_device *device, const char *name,
                                       const void *image, int64_t bytes,
                                       void (*entry)(void **arguments), int32_t *came_to) {
  *came_to = LAC_OK;
  for (lac_device_code **at = &codes; *at; at = &(*at)->next)
    if (is_it(*at, name, image, bytes, entry))
      return put_first(take(at));
  make_room(device);
  lac_device_code *code = load(device, name, image, bytes, entry, came_to);
  return code ? put_first(code) : NULL;
}

/* Goes through the loaded files for those that hold certain addresses, and reads their build ids:
 *
 *     program header PT_NOTE -> | name size | size | NT_GNU_BUILD_ID | "GNU\0" | the id | ...
 */
#include "identity.h"

#include "lac_error.h"
#include "level_format.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct dl_phdr_info loaded;

static bool holds(const loaded *file, const void *address) {
  for (int i = 0; i < file->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &file->dlpi_phdr[i];
    uintptr_t begin = file->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && (uintptr_t)address >= begin &&
        (uintptr_t)address < begin + part->p_memsz)
      return true;
  }
  return false;
}

static bool holds_level_format(const loaded *file) {
  for (int i = 0; i < level_format_count(); i++)
    if (holds(file, level_format_at(i)))
      return true;
  return false;
}

static bool is_named(const loaded *file, const char *name) {
  const char *slash = strrchr(file->dlpi_name, '/');
  return !strncmp(slash ? slash + 1 : file->dlpi_name, name, strlen(name));
}

static bool matters(const loaded *file) {
  return holds(file, (const void *)(uintptr_t)&identity_write) ||
         holds(file, (const void *)(uintptr_t)&lac_error_message) || is_named(file, "libMLIR") ||
         is_named(file, "libLLVM") || holds_level_format(file);
}

static size_t aligned(size_t size) {
  return (size + 3) & ~(size_t)3;
}

/* Writes the id among the notes of one program header; false where there is none. */
static bool write_note(FILE *out, const char *notes, size_t size) {
  size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note, id = name + aligned(note.n_namesz);
    if (id + note.n_descsz > size)
      return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4)) {
      for (size_t i = 0; i < note.n_descsz; i++)
        fprintf(out, "%02x", (unsigned char)notes[id + i]);
      return true;
    }
    at = id + aligned(note.n_descsz);
  }
  return false;
}

static bool write_build_id(FILE *out, const loaded *file) {
  for (int i = 0; i < file->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &file->dlpi_phdr[i];
    if (part->p_type == PT_NOTE &&
        write_note(out, (const char *)(file->dlpi_addr + part->p_vaddr), part->p_memsz))
      return true;
  }
  return false;
}

static void write_stamp(FILE *out, const loaded *file) {
  const char *path = *file->dlpi_name ? file->dlpi_name : "/proc/self/exe";
  struct stat found = {0};
  if (stat(path, &found))
    fprintf(out, "%s pid %ld", path, (long)getpid());
  else
    fprintf(out, "%s %lld %lld.%09ld", path, (long long)found.st_size,
            (long long)found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

static int write_file(loaded *file, size_t size, void *data) {
  (void)size;
  FILE *out = data;
  if (!matters(file))
    return 0;
  if (!write_build_id(out, file))
    write_stamp(out, file);
  fputc('\n', out);
  return 0;
}

void identity_write(FILE *out) {
  dl_iterate_phdr(write_file, out);
}

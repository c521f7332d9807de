#include "core/affinity.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number at `*text` and moves behind it. False where none begins. */
static bool read_number(const char **text, unsigned long *number) {
  const char *start = *text + strspn(*text, " ");
  if (*start < '0' || *start > '9') return false;
  char *end;
  *number = strtoul(start, &end, 10);
  *text = end + strspn(end, " ");
  return true;
}

static bool entry_has(const char *entry, uint32_t device, uint32_t part) {
  unsigned long number;
  if (!read_number(&entry, &number) || number != device) return false;
  if (*entry != '.') return *entry == 0 || *entry == ',';
  entry++;
  return read_number(&entry, &number) && number == part && (*entry == 0 || *entry == ',');
}

bool zecl_affinity_has(const char *mask, uint32_t device, uint32_t part) {
  if (!mask || !*mask) return true;
  for (const char *entry = mask; entry; entry = strchr(entry, ',')) {
    if (*entry == ',') entry++;
    if (entry_has(entry, device, part)) return true;
  }
  return false;
}

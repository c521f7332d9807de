/* Virtual memory: reserved address space, whose pages show physical memory where they are mapped.
 * What is mapped where is kept here; the engine or the host maps it. */
#include "memory/virtual_memory.h"

#include "core/check.h"
#include "core/context.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "memory/physical_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ACCESS = 3, MAPPED = 4 }; /* a page's byte: its attribute, and this */

struct reservation {
  struct reservation *next;
  struct zecl_context *context;
  char *base;
  size_t size;
  unsigned char pages[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reservation *reservations;

static size_t page(void) {
  return zecl_virtual()->page();
}

struct range { /* of pages of a reservation */
  struct reservation *reservation;
  size_t first, count;
};

static bool is_aligned(const void *pointer, size_t size) {
  return size != 0 && size % page() == 0 && (uintptr_t)pointer % page() == 0;
}

static ze_result_t check_range(ze_context_handle_t context, const void *pointer, size_t size) {
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(size != 0 && size % page() == 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  ZECL_REQUIRE(is_aligned(pointer, size), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  return ZE_RESULT_SUCCESS;
}

/* The pages of one reservation of the context; the caller holds the lock. */
static bool find(
    ze_context_handle_t context, const void *pointer, size_t size, struct range *range) {
  const char *start = pointer;
  for (struct reservation *r = reservations; r; r = r->next) {
    if (r->context != zecl_context_of(context) || start < r->base ||
        (size_t)(start - r->base) >= r->size || size > r->size - (size_t)(start - r->base))
      continue;
    *range = (struct range){r, (size_t)(start - r->base) / page(), size / page()};
    return true;
  }
  return false;
}

ze_result_t zecl_zeVirtualMemQueryPageSize(
    ze_context_handle_t context, ze_device_handle_t device, size_t size, size_t *page_size) {
  ZECL_ENTER(zeVirtualMemQueryPageSize);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(page_size);
  ZECL_REQUIRE(size != 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  *page_size = page();
  return ZE_RESULT_SUCCESS;
}

/* The requested start is a hint. */
ze_result_t zecl_zeVirtualMemReserve(
    ze_context_handle_t context, const void *start, size_t size, void **pointer) {
  ZECL_ENTER(zeVirtualMemReserve);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(pointer);
  *pointer = NULL;
  ZECL_REQUIRE(
      size != 0 && size % page() == 0 && size <= PTRDIFF_MAX, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  ZECL_REQUIRE(!start || is_aligned(start, size), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  struct reservation *r = calloc(1, sizeof *r + size / page());
  if (!r) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  void *base = zecl_virtual()->reserve(start, size);
  if (!base) {
    free(r);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  zecl_object_retain(context);
  r->context = zecl_context_of(context);
  r->base = base;
  r->size = size;
  pthread_mutex_lock(&lock);
  r->next = reservations;
  reservations = r;
  pthread_mutex_unlock(&lock);
  *pointer = base;
  return ZE_RESULT_SUCCESS;
}

static void unmap_all(const struct reservation *reservation) {
  for (size_t i = 0; i < reservation->size / page(); i++)
    if (reservation->pages[i] & MAPPED)
      zecl_virtual()->unmap(reservation->base + i * page(), page());
}

ze_result_t zecl_zeVirtualMemFree(ze_context_handle_t context, const void *pointer, size_t size) {
  ZECL_ENTER(zeVirtualMemFree);
  ZECL_TRY(check_range(context, pointer, size));
  struct reservation *found = NULL;
  pthread_mutex_lock(&lock);
  for (struct reservation **link = &reservations; *link; link = &(*link)->next)
    if ((*link)->base == pointer && (*link)->size == size &&
        (*link)->context == zecl_context_of(context)) {
      found = *link;
      *link = found->next;
      unmap_all(found);
      zecl_virtual()->give(found->base, size);
      break;
    }
  pthread_mutex_unlock(&lock);
  ZECL_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_context_release(found->context);
  free(found);
  return ZE_RESULT_SUCCESS;
}

/* Calls `change` with the range locked. */
static ze_result_t with_range(ze_context_handle_t context, const void *pointer, size_t size,
    ze_result_t (*change)(const struct range *range, void *how), void *how) {
  struct range range;
  pthread_mutex_lock(&lock);
  const ze_result_t result =
      find(context, pointer, size, &range) ? change(&range, how) : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *address_of(const struct range *range) {
  return range->reservation->base + range->first * page();
}

struct mapping {
  const struct zecl_physical *physical;
  size_t offset;
  ze_memory_access_attribute_t access;
};

static ze_result_t map(const struct range *range, void *how) {
  const struct mapping *mapping = how;
  unsigned char *pages = range->reservation->pages + range->first;
  for (size_t i = 0; i < range->count; i++)
    ZECL_REQUIRE(!(pages[i] & MAPPED), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_TRY(zecl_virtual()->map(address_of(range), range->count * page(), mapping->physical->engine,
      mapping->offset, mapping->access));
  memset(pages, (int)mapping->access | MAPPED, range->count);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeVirtualMemMap(ze_context_handle_t context, const void *pointer, size_t size,
    ze_physical_mem_handle_t physical, size_t offset, ze_memory_access_attribute_t access) {
  ZECL_ENTER(zeVirtualMemMap);
  ZECL_TRY(check_range(context, pointer, size));
  ZECL_CHECK_HANDLE(physical, ZECL_PHYSICAL);
  ZECL_REQUIRE(
      (unsigned)access <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  const size_t there = zecl_physical_of(physical)->size;
  ZECL_REQUIRE(offset % page() == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  ZECL_REQUIRE(offset <= there && size <= there - offset, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct mapping mapping = {zecl_physical_of(physical), offset, access};
  return with_range(context, pointer, size, map, &mapping);
}

static ze_result_t unmap(const struct range *range, void *how) {
  (void)how;
  unsigned char *pages = range->reservation->pages + range->first;
  for (size_t i = 0; i < range->count; i++) {
    if (pages[i] & MAPPED)
      ZECL_TRY(zecl_virtual()->unmap((char *)address_of(range) + i * page(), page()));
    pages[i] = 0;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeVirtualMemUnmap(ze_context_handle_t context, const void *pointer, size_t size) {
  ZECL_ENTER(zeVirtualMemUnmap);
  ZECL_TRY(check_range(context, pointer, size));
  return with_range(context, pointer, size, unmap, NULL);
}

static ze_result_t set_access(const struct range *range, void *how) {
  const unsigned access = *(const ze_memory_access_attribute_t *)how;
  unsigned char *pages = range->reservation->pages + range->first;
  for (size_t i = 0; i < range->count; i++) {
    char *at = (char *)address_of(range) + i * page();
    if (pages[i] & MAPPED)
      ZECL_TRY(zecl_virtual()->set_access(at, page(), (ze_memory_access_attribute_t)access));
    pages[i] = (unsigned char)((pages[i] & MAPPED) | access);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeVirtualMemSetAccessAttribute(ze_context_handle_t context, const void *pointer,
    size_t size, ze_memory_access_attribute_t access) {
  ZECL_ENTER(zeVirtualMemSetAccessAttribute);
  ZECL_TRY(check_range(context, pointer, size));
  ZECL_REQUIRE(
      (unsigned)access <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return with_range(context, pointer, size, set_access, &access);
}

struct answer {
  ze_memory_access_attribute_t access;
  size_t size;
};

static ze_result_t get_access(const struct range *range, void *how) {
  struct answer *answer = how;
  const unsigned char *pages = range->reservation->pages + range->first;
  size_t same = 1;
  while (same < range->count && (pages[same] & ACCESS) == (pages[0] & ACCESS))
    same++;
  answer->access = (ze_memory_access_attribute_t)(pages[0] & ACCESS);
  answer->size = same * page();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeVirtualMemGetAccessAttribute(ze_context_handle_t context, const void *pointer,
    size_t size, ze_memory_access_attribute_t *access, size_t *same_size) {
  ZECL_ENTER(zeVirtualMemGetAccessAttribute);
  ZECL_TRY(check_range(context, pointer, size));
  ZECL_CHECK_POINTER(access);
  ZECL_CHECK_POINTER(same_size);
  struct answer answer;
  ZECL_TRY(with_range(context, pointer, size, get_access, &answer));
  *access = answer.access;
  *same_size = answer.size;
  return ZE_RESULT_SUCCESS;
}

void zecl_virtual_each(void (*see)(const void *base, size_t size)) {
  for (const struct reservation *r = reservations; r; r = r->next)
    see(r->base, r->size);
}

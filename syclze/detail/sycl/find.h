/* The SYCL runtime that the process has loaded. */
#ifndef SYCLZE_DETAIL_SYCL_FIND_H
#define SYCLZE_DETAIL_SYCL_FIND_H

#include "../driver/shared_library.h"
#include "shared.h"

SYCLZE_EXTERN_C_BEGIN

/* Finds the runtime with the functions of the group. `*detail` is null, or the symbol that is not
 * there. */
SYCLZE_COLD struct syclze__status syclze__sycl_find(enum syclze__sycl_group group,
    struct syclze__sycl **sycl, const char **detail) SYCLZE_LINK_NAME(syclze__sycl_find);

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__sycl_handle_errors(void *const *data, void *errors) {
  (void)data, (void)errors;
  fputs("syclze: SYCL reports asynchronous errors in a context without a handler\n", stderr);
  abort();
}

#if SYCLZE_HAS_DLSYM && !defined(_WIN32)
/* The handle of libsycl, which may be in no global scope; null, and false, where it is not loaded.
 */
SYCLZE_LOCAL bool syclze__sycl_library(void **library) {
  static const char *const names[] = {"libsycl.so.9", "libsycl.so.8", "libsycl.so"};
  *library = NULL;
  if (syclze__library_find(NULL, "_ZNK4sycl3_V15queue9getNativeERi") != NULL) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names && *library == NULL; i++)
    *library = dlopen(names[i], RTLD_LAZY | 4 /* RTLD_NOLOAD */);
  return *library != NULL;
}

SYCLZE_LOCAL void syclze__sycl_fill(struct syclze__sycl *sycl, void *library) {
  void *found;
#define SYCLZE__SYCL_FIND(group, result, name, parameters, symbol)                                 \
  found = syclze__library_find(library, symbol);                                                   \
  memcpy((void *)&sycl->name, &found, sizeof found);                                               \
  if (found == NULL) sycl->missing[SYCLZE__SYCL_##group] = symbol;
  SYCLZE__SYCL_FUNCTIONS(SYCLZE__SYCL_FIND)
#undef SYCLZE__SYCL_FIND
  if (sycl->missing[SYCLZE__SYCL_MAKE] == NULL)
    sycl->missing[SYCLZE__SYCL_MAKE] = sycl->missing[SYCLZE__SYCL_READ];
  sycl->end = syclze__sycl_shared_end;
  sycl->end_context = syclze__sycl_context_end;
  sycl->handle_errors = syclze__sycl_handle_errors;
}
#else
#define syclze__sycl_library(library) ((void)(library), false)
#define syclze__sycl_fill(sycl, library) ((void)0)
#endif

SYCLZE_COLD struct syclze__status syclze__sycl_find(
    enum syclze__sycl_group group, struct syclze__sycl **sycl, const char **detail) {
  struct syclze__sycl *known = __atomic_load_n(&SYCLZE__STATE.sycl, __ATOMIC_ACQUIRE);
  void *library;
  *detail = NULL;
  *sycl = known;
  if (known == NULL) {
    if (!syclze__sycl_library(&library))
      return syclze__unsupported("no SYCL runtime (libsycl) is loaded in the process");
    *sycl = (struct syclze__sycl *)calloc(1, sizeof **sycl);
    if (*sycl == NULL) return syclze__out_of_memory();
    syclze__sycl_fill(*sycl, library);
    if (!__atomic_compare_exchange_n(
            &SYCLZE__STATE.sycl, &known, *sycl, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      free(*sycl);
      *sycl = known;
    }
  }
  *detail = (*sycl)->missing[group];
  if (*detail == NULL) return syclze__allowed();
  return syclze__unsupported(
      "the SYCL runtime (libsycl) does not export a function that this needs");
}

#endif

SYCLZE_EXTERN_C_END

#endif

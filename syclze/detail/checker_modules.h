/* The debug checker's signatures of the modules that checked files have built
 * (objects/kernel_signatures.h), until a module is destroyed. */
#ifndef SYCLZE_DETAIL_CHECKER_MODULES_H
#define SYCLZE_DETAIL_CHECKER_MODULES_H

#include "checker.h"

#if defined(SYCLZE_CHECK) && SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

struct syclze__built_module {
  const void *module;
  void *signatures;
  size_t size; /* of these, in bytes */
  struct syclze__built_module *next;
};

SYCLZE_LOCAL struct syclze__built_module **syclze__check_find_module(
    struct syclze__checker *checker, const void *module) {
  struct syclze__built_module **link = &checker->modules;
  while (*link != NULL && (*link)->module != module)
    link = &(*link)->next;
  return link;
}

/* Forgets a module, before a handle of any kind is destroyed. */
SYCLZE_LOCAL void syclze__check_forget_module(struct syclze__checker *checker, const void *module) {
  struct syclze__built_module **link = syclze__check_find_module(checker, module), *found = *link;
  if (found == NULL) return;
  *link = found->next;
  free(found->signatures);
  free(found);
}

/* Takes ownership of the allocated signatures. */
SYCLZE_LOCAL void syclze__check_keep_module(const void *module, void *signatures, size_t size) {
  struct syclze__built_module *built = (struct syclze__built_module *)calloc(1, sizeof *built);
  struct syclze__checker *checker = built != NULL ? syclze__checker_locked() : NULL;
  if (checker == NULL) {
    free(signatures);
    free(built);
    return;
  }
  syclze__check_forget_module(checker, module);
  built->module = module;
  built->signatures = signatures;
  built->size = size;
  built->next = checker->modules;
  checker->modules = built;
  syclze__lock_release(&checker->lock);
}

SYCLZE_EXTERN_C_END

#endif

#endif

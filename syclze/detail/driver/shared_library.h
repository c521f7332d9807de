/* Shared libraries that are opened at run time: by dlopen, on Windows by LoadLibrary. */
#ifndef SYCLZE_DETAIL_DRIVER_SHARED_LIBRARY_H
#define SYCLZE_DETAIL_DRIVER_SHARED_LIBRARY_H

#include "../../config.h"

#if SYCLZE_HAS_DLSYM && !defined(_WIN32)
#include <dlfcn.h>
#endif
#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES && SYCLZE_HAS_DLSYM

#ifdef _WIN32
/* Functions of kernel32 by names of their own: windows.h is the application's to include. */
extern void *syclze__windows_open(const char *name) __asm__("LoadLibraryA");
extern void *syclze__windows_loaded(const char *name) __asm__("GetModuleHandleA");
extern void *syclze__windows_find(void *library, const char *name) __asm__("GetProcAddress");
extern int syclze__windows_close(void *library) __asm__("FreeLibrary");
extern unsigned long syclze__windows_error(void) __asm__("GetLastError");

SYCLZE_LOCAL void *syclze__library_open(const char *name) {
  return syclze__windows_open(name);
}

/* Null where there is none. */
SYCLZE_LOCAL void *syclze__library_find(void *library, const char *name) {
  return syclze__windows_find(library, name);
}

/* A function of the loader that the process is linked with. */
SYCLZE_LOCAL void *syclze__library_find_linked(const char *name) {
  void *loader = syclze__windows_loaded("ze_loader.dll");
  return loader != NULL ? syclze__windows_find(loader, name) : NULL;
}

SYCLZE_LOCAL void syclze__library_close(void *library) {
  (void)syclze__windows_close(library);
}

/* Why the thread's last open failed. */
SYCLZE_LOCAL const char *syclze__library_error(char *text, size_t size) {
  snprintf(text, size, "error %lu of the system", syclze__windows_error());
  return text;
}
#else
SYCLZE_LOCAL void *syclze__library_open(const char *name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* Null where there is none. */
SYCLZE_LOCAL void *syclze__library_find(void *library, const char *name) {
  return dlsym(library, name);
}

/* A function of the loader that the process is linked with. */
SYCLZE_LOCAL void *syclze__library_find_linked(const char *name) {
  /* The null handle is RTLD_DEFAULT, which strict C modes do not declare. */
  return dlsym(NULL, name);
}

SYCLZE_LOCAL void syclze__library_close(void *library) {
  (void)dlclose(library);
}

/* Why the thread's last open failed. */
SYCLZE_LOCAL const char *syclze__library_error(char *text, size_t size) {
  const char *error = dlerror();
  snprintf(text, size, "%s", error != NULL ? error : "no cause given");
  return text;
}
#endif

#endif

SYCLZE_EXTERN_C_END

#endif

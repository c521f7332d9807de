/* The initial state of most cases: two drivers with devices, and a context of the first.
 *
 *     driver ─┬ root ── sub ── sub_sub     other_driver ── other_root
 *             └ root2                                                      */
#ifndef TESTS_UNIT_WORLD_H
#define TESTS_UNIT_WORLD_H

#include "fake.h"
#include "notes.h"
#include "syclze/syclze.h"

#ifdef __cplusplus
extern "C" {
#endif

struct world {
  ze_driver_handle_t driver, other_driver;
  ze_device_handle_t root, root2, sub, sub_sub, other_root;
  syclze_device device, device2, sub_device, sub_sub_device, other_device;
  ze_context_handle_t native_context; /* wrapped under keep, with the one device */
  syclze_context context;
};
extern struct world world;

/* fake_begin with drivers and devices, nothing wrapped. */
void world_begin_bare(void);
/* Everything. */
void world_begin(void);
/* Everything, on a loader that lacks the newer entry points. */
void world_begin_with_old_loader(void);
/* Another context under keep, with the given devices. */
syclze_context world_context(
    ze_context_handle_t native, const syclze_device *devices, uint32_t count);
/* Makes the next allocation of an object of the kind fail. */
void world_use_up(enum syclze__pool_kind kind);
/* True if threads have free memory of each kind when a case begins, as after a make and a release.
 */
extern bool world_is_warm;
/* TEST_MAIN of makes: runs each case cold and then warm. */
#define TEST_MAIN_COLD_AND_WARM(...)                                                               \
  int main(int argc, char **argv) {                                                                \
    static void (*const cases[])(void) = {__VA_ARGS__};                                            \
    const int count = (int)(sizeof cases / sizeof *cases);                                         \
    const char *filter = argc > 1 ? argv[1] : "";                                                  \
    check_run_all(cases, count, #__VA_ARGS__, filter);                                             \
    world_is_warm = true;                                                                          \
    return check_run_all(cases, count, #__VA_ARGS__, filter);                                      \
  }
#define world_end() world_end_at(__FILE__, __LINE__)
void world_end_at(const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif

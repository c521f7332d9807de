#!/bin/sh
# tests/trace/unloaded.sh: a library that traces is unloaded while a thread lives that it traced: the
# thread ends, and the process forks, without the library's code.
# shows promises 66
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks

cat >"$work/plugin.c" <<'SOURCE'
#include "syclze/command.h"
#include "syclze/syclze.h"
#ifdef XPTI
#include "syclze/trace/xpti.h"
#endif
#ifdef WRITER
#include "syclze/trace/writer.h"
#endif
#define TRY(call) do { if ((call) != ZE_RESULT_SUCCESS) return #call; } while (0)
const char *works(void);
const char *works(void) {
  uint32_t count = 1;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  void *memory;
  const int zero = 0;
#ifdef WRITER
  TRY(syclze_trace_start());
#endif
  TRY(syclze_device_get_selected(&count, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
  TRY(syclze_malloc_shared(64, device, context, &memory));
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_group_fill(&group, syclze_mem_arg(memory), &zero, sizeof zero, 64, NULL));
  TRY(syclze_queue_wait(queue));
#ifdef XPTI
  if (syclze__trace_thread_own()->xpti == NULL) return "nothing was notified";
#endif
#ifdef WRITER
  if (syclze__trace_thread_own()->ring == NULL) return "nothing was recorded";
#endif
  TRY(syclze_free(memory, context));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
  return NULL;
}
SOURCE

cat >"$work/program.c" <<'SOURCE'
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *(*works)(void);
static const char *wrong;
static sem_t worked, unloaded;
static void *work(void *nothing) {
  wrong = works();
  sem_post(&worked);
  sem_wait(&unloaded);
  return nothing;
}
int main(int argc, char **argv) {
  void *image = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  pthread_t thread;
  int status;
  if (image == NULL) return puts(dlerror()), 1;
  *(void **)&works = dlsym(image, "works");
  sem_init(&worked, 0, 0);
  sem_init(&unloaded, 0, 0);
  if (pthread_create(&thread, NULL, work, NULL) != 0) return 1;
  sem_wait(&worked);
  if (wrong != NULL) return puts(wrong), 1;
  dlclose(image);
  if (dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD) != NULL) return puts("still loaded"), 1;
  sem_post(&unloaded);
  pthread_join(thread, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, &status, 0) != child || status != 0;
}
SOURCE

for library in framework checker; do
  ${CXX:-c++} -std=c++11 -I. -DGENERATION=2025 -fPIC -shared -Wl,-z,nodelete \
    -o "$work/$library.so" tests/trace/subscriber/$library.cpp -ldl -pthread || exit 1
done
${CC:-cc} -o "$work/program" "$work/program.c" -ldl -pthread -lze_loader || exit 1

# outlives FLAGS...: a library compiled with FLAGS.
outlives() {
  ${CC:-cc} -g -I. -fPIC -shared "$@" -o "$work/plugin.so" "$work/plugin.c" -lze_loader -pthread &&
    XPTI_FRAMEWORK_DISPATCHER=$work/framework.so XPTI_SUBSCRIBERS=$work/checker.so \
      ZE_ENABLE_TRACING_LAYER=1 timeout 900 "$work/program" "$work/plugin.so"
}

check "a thread outlives a library that recorded it" outlives -DWRITER
check "a thread outlives a library that notified a framework of it" outlives -DXPTI
check "a thread outlives a library that did both" outlives -DWRITER -DXPTI
end_checks

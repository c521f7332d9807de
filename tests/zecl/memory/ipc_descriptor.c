/* File descriptors as handles of memory, and back: those of exported memory (external.h), on
 * engines whose memory is the host's. */
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "memory/ipc_file.h"
#include "memory/memory.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

ze_result_t zecl_zeMemGetIpcHandleFromFileDescriptorExp(
    ze_context_handle_t context, uint64_t descriptor, ze_ipc_mem_handle_t *answer) {
  ZECL_ENTER(zeMemGetIpcHandleFromFileDescriptorExp);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(answer);
  ZECL_REQUIRE(!zecl_engine()->memory && zecl_ipc_is_wanted(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_REQUIRE(descriptor <= INT_MAX, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_ipc_name name = {.file = (int)descriptor};
  ZECL_REQUIRE(zecl_ipc_file_complete(&name), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (zecl_ipc_is_descriptor())
    name = (struct zecl_ipc_name){.file = name.file};
  else
    name.process = getpid();
  memset(answer, 0, sizeof *answer);
  memcpy(answer, &name, sizeof name);
  return ZE_RESULT_SUCCESS;
}

/* True if the name is of an allocation of this process that has a file of its own. */
static bool is_of_own_file(struct zecl_context *context, const struct zecl_ipc_name *name) {
  struct zecl_allocation found;
  return name->event_count == 0 && name->process == getpid() &&
         zecl_memory_find(context, (void *)(uintptr_t)name->base, &found) && found.shared &&
         found.shared->file == name->file;
}

/* The descriptor stays the allocation's. */
ze_result_t zecl_zeMemGetFileDescriptorFromIpcHandleExp(
    ze_context_handle_t context, ze_ipc_mem_handle_t handle, uint64_t *answer) {
  ZECL_ENTER(zeMemGetFileDescriptorFromIpcHandleExp);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(answer);
  ZECL_REQUIRE(!zecl_engine()->memory && zecl_ipc_is_wanted(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_ipc_name name;
  memcpy(&name, &handle, sizeof name);
  const int file = name.file;
  ZECL_REQUIRE(zecl_ipc_is_descriptor() ? name.process == 0 && zecl_ipc_file_complete(&name)
                                        : is_of_own_file(zecl_context_of(context), &name),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  *answer = (uint64_t)file;
  return ZE_RESULT_SUCCESS;
}

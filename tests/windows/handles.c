/* Handles of another process, as native handles for it are on Windows (syclze/ipc.h). */
// shows queues 6
#include "syclze/detail/driver/peer_descriptor.h"
#include "tests/check.h"

#include <stdlib.h>
#include <windows.h>

/* This program again, as the process that a handle is of: it only lasts for a while. */
__attribute__((constructor)) static void be_exporter(void) {
  if (getenv("SYCLZE_TEST_EXPORTER") == NULL) return;
  Sleep(20000);
  ExitProcess(0);
}

/* With a handle of the event. */
static PROCESS_INFORMATION begin_exporter(HANDLE event, HANDLE *exported) {
  STARTUPINFOA start = {.cb = sizeof start};
  PROCESS_INFORMATION process;
  char name[MAX_PATH];
  CHECK(GetModuleFileNameA(NULL, name, sizeof name) != 0);
  CHECK(SetEnvironmentVariableA("SYCLZE_TEST_EXPORTER", "1"));
  CHECK(CreateProcessA(name, NULL, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process));
  CHECK(SetEnvironmentVariableA("SYCLZE_TEST_EXPORTER", NULL));
  CHECK(DuplicateHandle(
      GetCurrentProcess(), event, process.hProcess, exported, 0, FALSE, DUPLICATE_SAME_ACCESS));
  return process;
}

static void end_exporter(PROCESS_INFORMATION *process) {
  CHECK(TerminateProcess(process->hProcess, 0));
  CHECK_EQ(WaitForSingleObject(process->hProcess, INFINITE), WAIT_OBJECT_0);
  CloseHandle(process->hThread);
  CloseHandle(process->hProcess);
}

static syclze_ipc_handle handle_of(HANDLE native, unsigned long process) {
  syclze_ipc_handle handle;
  const uint64_t number = (uint64_t)(uintptr_t)native;
  memset(&handle, 0, sizeof handle);
  memcpy(&handle.native, &number, sizeof number);
  handle.process = (int32_t)process;
  return handle;
}

static HANDLE native_of(const syclze_ipc_handle *handle) {
  uint64_t number;
  memcpy(&number, &handle->native, sizeof number);
  return (HANDLE)(uintptr_t)number;
}

TEST(an_exported_handle_has_its_process) {
  HANDLE event = CreateEventA(NULL, TRUE, FALSE, NULL);
  syclze_ipc_handle handle = handle_of(event, 0), pointer = handle_of((HANDLE)&event, 0);
  syclze__descriptor_export(&handle);
  CHECK_EQ(handle.process, (int32_t)GetCurrentProcessId());
  syclze__descriptor_export(&pointer);
  CHECK_EQ(pointer.process, 0);
  CHECK(CloseHandle(event));
}

TEST(a_handle_of_another_process_is_duplicated_and_closed) {
  HANDLE event = CreateEventA(NULL, TRUE, FALSE, NULL), exported;
  PROCESS_INFORMATION process = begin_exporter(event, &exported);
  syclze_ipc_handle handle = handle_of(exported, process.dwProcessId);
  DWORD before, after;
  int fetched;
  CHECK(GetProcessHandleCount(GetCurrentProcess(), &before));
  CHECK_EQ(syclze__descriptor_import(&handle, &fetched).result, ZE_RESULT_SUCCESS);
  CHECK(fetched > 0);
  CHECK(SetEvent(native_of(&handle)));
  CHECK_EQ(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
  syclze__descriptor_close(fetched);
  CHECK(GetProcessHandleCount(GetCurrentProcess(), &after));
  CHECK_EQ(after, before);
  end_exporter(&process);
  CHECK(CloseHandle(event));
}

TEST(a_handle_that_its_process_does_not_have_is_refused) {
  HANDLE event = CreateEventA(NULL, TRUE, FALSE, NULL), exported;
  PROCESS_INFORMATION process = begin_exporter(event, &exported);
  syclze_ipc_handle wrong = handle_of((HANDLE)0x7ffffff0, process.dwProcessId);
  syclze_ipc_handle none = handle_of(INVALID_HANDLE_VALUE, process.dwProcessId);
  syclze_ipc_handle absent = handle_of(exported, 0x7ffffff0);
  int fetched;
  CHECK_EQ(syclze__descriptor_import(&wrong, &fetched).result, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(fetched, -1);
  CHECK_EQ(syclze__descriptor_import(&none, &fetched).result, SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze__descriptor_import(&absent, &fetched).result, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(fetched, -1);
  end_exporter(&process);
  CHECK(CloseHandle(event));
}

TEST(a_handle_of_this_process_is_taken_as_it_is) {
  HANDLE event = CreateEventA(NULL, TRUE, FALSE, NULL);
  syclze_ipc_handle handle = handle_of(event, GetCurrentProcessId());
  int fetched;
  CHECK_EQ(syclze__descriptor_import(&handle, &fetched).result, ZE_RESULT_SUCCESS);
  CHECK(native_of(&handle) == event);
  CHECK_EQ(fetched, -1);
  CHECK(CloseHandle(event));
}

TEST_MAIN(an_exported_handle_has_its_process, a_handle_of_another_process_is_duplicated_and_closed,
    a_handle_that_its_process_does_not_have_is_refused, a_handle_of_this_process_is_taken_as_it_is)

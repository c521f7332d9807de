// A subscriber that prints the parameters of ur.call.debug with the printer of the runtime
// interface itself, as sycl-trace does. Built against the headers of SYCL's runtime.
#include "ur_print.hpp"
#include "xpti/xpti_trace_framework.hpp"

#include <map>
#include <mutex>
#include <sstream>
#include <string>

namespace {

std::mutex lock;
std::map<std::string, std::string> &texts = *new std::map<std::string, std::string>;

void print(
    uint16_t, xpti::trace_event_data_t *, xpti::trace_event_data_t *, uint64_t, const void *user) {
  const auto *call = static_cast<const xpti::function_with_args_t *>(user);
  std::ostringstream text;
  ur::extras::printFunctionParams(
      text, static_cast<ur_function_t>(call->function_id), call->args_data);
  std::lock_guard<std::mutex> guard(lock);
  texts[call->function_name] = text.str();
}

} // namespace

XPTI_CALLBACK_API void xptiTraceInit(unsigned, unsigned, const char *, const char *name) {
  if (std::string(name) != "ur.call.debug") return;
  const uint8_t stream = xptiRegisterStream(name);
  // The begin is printed too, which must not crash.
  for (uint16_t type : {uint16_t(28), uint16_t(29)})
    xptiRegisterCallback(stream, type, print);
}

XPTI_CALLBACK_API void xptiTraceFinish(const char *) {
}

// The parameters of the last call of the function, or null.
extern "C" __attribute__((visibility("default"))) const char *printer_text(const char *function) {
  std::lock_guard<std::mutex> guard(lock);
  const auto found = texts.find(function);
  return found == texts.end() ? nullptr : found->second.c_str();
}

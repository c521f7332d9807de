// A subscriber that writes each notification as a line of JSON into the file that STREAMS_OUT
// names: the phase of the program, stream, type, parent, event with its metadata, and user data of
// known form. Addresses and numbers of objects are replaced by what the program calls them
// (program.h), or by "address".
#include "ur_print.hpp"
#include "xpti/xpti_trace_framework.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

namespace {

using point = xpti::trace_point_type_t;

// Never destroyed: notifications come until the program's end.
std::recursive_mutex &lock = *new std::recursive_mutex;
std::map<int, std::string> &streams = *new std::map<int, std::string>;
std::map<uint64_t, std::string> &names = *new std::map<uint64_t, std::string>;  // by address
std::map<uint64_t, std::string> &nodes = *new std::map<uint64_t, std::string>;  // by unique id
std::map<uint64_t, std::string> &queues = *new std::map<uint64_t, std::string>; // by queue id
std::string &phase = *new std::string("start");
std::thread::id main_thread;
FILE *out;

std::string quoted(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if ((unsigned char)c >= ' ') quoted += c;
  }
  return quoted + "\"";
}

std::string name_of(uint64_t value) {
  const auto found = names.find(value);
  if (found != names.end()) return found->second;
  return value > 1 << 20 ? "address" : std::to_string(value);
}

// With each address replaced: after 0x, in brackets without that, or a large decimal number.
std::string without_addresses(const std::string &text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const bool prefixed = text.compare(i, 2, "0x") == 0;
    const bool bracketed = i != 0 && text[i - 1] == '[' && text.find(']', i) >= i + 8;
    char *end = nullptr;
    uint64_t value = 0;
    if (prefixed || bracketed || isdigit((unsigned char)text[i]))
      value = strtoull(&text[i], &end, prefixed || bracketed ? 16 : 10);
    if (end == nullptr || end == &text[i] || (!prefixed && value <= 1 << 20)) {
      result += text[i++];
    } else {
      result += name_of(value);
      i = (size_t)(end - &text[0]);
    }
  }
  return result;
}

std::string text_of(const char *text) {
  return text == nullptr ? "null" : quoted(without_addresses(text));
}

std::string bytes_of(const xpti::object_data_t &object) {
  uint64_t words[16] = {};
  memcpy(words, object.data, object.size < sizeof words ? object.size : sizeof words);
  std::string text;
  for (size_t i = 0; i < (object.size + 7) / 8 && i < 16; i++)
    text += (i == 0 ? "" : " ") + name_of(words[i]);
  return text;
}

std::string value_of(const std::string &key, const xpti::object_data_t &object) {
  static const char *const types[] = {"binary", "string", "signed", "unsigned", "float", "bool"};
  std::string value;
  if (object.type == (uint8_t)xpti::metadata_type_t::string)
    value = without_addresses(std::string(object.data, object.size));
  else if (key == "queue_id" && object.size == 8) {
    uint64_t id;
    memcpy(&id, object.data, 8);
    value = queues.emplace(id, "queue of " + phase).first->second;
  } else if (object.size == sizeof(xpti::offload_kernel_arg_data_t) &&
             key.compare(0, 3, "arg") == 0) {
    xpti::offload_kernel_arg_data_t argument;
    memcpy(&argument, object.data, sizeof argument);
    value = "kind " + std::to_string(argument.type) + ", size " + std::to_string(argument.size) +
            ", index " + std::to_string(argument.index);
  } else
    value = bytes_of(object);
  const std::string size =
      object.type == (uint8_t)xpti::metadata_type_t::string ? "" : std::to_string(object.size * 8);
  return (object.type < 6 ? types[object.type] : "?") + size + " " + value;
}

std::string metadata_of(xpti::trace_event_data_t *event) {
  std::map<std::string, std::string> sorted;
  if (const xpti::metadata_t *all = xptiQueryMetadata(event))
    for (const auto &item : *all) {
      const std::string key = xptiLookupString(item.first);
      sorted[key] = value_of(key, xptiLookupObject(item.second));
    }
  std::string text;
  for (const auto &item : sorted)
    text += (text.empty() ? "" : ", ") + quoted(item.first) + ": " + quoted(item.second);
  return "{" + text + "}";
}

// The name of a node in an edge.
std::string node_of(uint64_t id) {
  const auto found = nodes.find(id);
  return found != nodes.end() ? found->second : "none";
}

std::string event_of(uint16_t type, xpti::trace_event_data_t *event, bool whole) {
  if (event == nullptr) return "null";
  const xpti::payload_t *payload = xptiQueryPayload(event);
  std::string text = "{\"name\": " + text_of(payload != nullptr ? payload->name : nullptr) +
                     ", \"type\": " + std::to_string(event->event_type);
  if (whole) {
    const bool placed =
        payload != nullptr && payload->source_file != nullptr && *payload->source_file != 0;
    const char *base = placed ? strrchr(payload->source_file, '/') : nullptr;
    text += ", \"place\": ";
    text += placed ? quoted(base != nullptr ? base + 1 : payload->source_file) : "null";
    if (type == (uint16_t)point::edge_create)
      text += ", \"source\": " + quoted(node_of(event->source_id)) +
              ", \"target\": " + quoted(node_of(event->target_id));
    text += ", \"metadata\": " + metadata_of(event);
  }
  return text + "}";
}

std::string user_of(const std::string &stream, uint16_t type, const void *user) {
  char text[512];
  if (user == nullptr) return "null";
  switch ((point)type) {
  case point::node_create:
  case point::diagnostics:
  case point::wait_begin:
  case point::wait_end:
  case point::barrier_begin:
  case point::barrier_end:
  case point::queue_create:
  case point::queue_destroy:
  case point::function_begin:
  case point::function_end:
    return text_of((const char *)user);
  case point::mem_alloc_begin:
  case point::mem_alloc_end:
  case point::mem_release_begin:
  case point::mem_release_end:
    return text_of((const char *)user);
  case point::function_with_args_begin:
  case point::function_with_args_end: {
    const auto *call = (const xpti::function_with_args_t *)user;
    std::ostringstream parameters;
    if (stream.compare(0, 7, "ur.call") == 0)
      ur::extras::printFunctionParams(
          parameters, (ur_function_t)call->function_id, call->args_data);
    return "{\"function\": " + text_of(call->function_name) +
           ", \"id\": " + std::to_string(call->function_id) + ", \"result\": " +
           (call->ret_data == nullptr ? "null" : std::to_string(*(const int *)call->ret_data)) +
           ", \"parameters\": " + quoted(without_addresses(parameters.str())) + "}";
  }
  case point::offload_alloc_memory_object_construct: {
    if (stream == "sycl.experimental.image") {
      const auto *image = (const xpti::offload_image_data_t *)user;
      snprintf(text, sizeof text,
          "{\"format\": %u, \"dimensions\": %u, \"range\": \"%zu %zu %zu\", \"host\": %s}",
          image->format, image->dim, image->range[0], image->range[1], image->range[2],
          quoted(name_of((uint64_t)image->host_object_handle)).c_str());
      return text;
    }
    const auto *object = (const xpti::offload_buffer_data_t *)user;
    snprintf(text, sizeof text,
        "{\"element\": %s, \"size\": %u, \"dimensions\": %u, \"range\": \"%zu %zu %zu\", "
        "\"host\": %s}",
        text_of(object->element_type).c_str(), object->element_size, object->dim, object->range[0],
        object->range[1], object->range[2],
        quoted(name_of((uint64_t)object->host_object_handle)).c_str());
    return text;
  }
  case point::offload_alloc_memory_object_associate:
  case point::offload_alloc_memory_object_release: {
    const auto *association = (const xpti::offload_association_data_t *)user;
    snprintf(text, sizeof text, "{\"memory\": %s}",
        quoted(name_of((uint64_t)association->mem_object_handle)).c_str());
    return text;
  }
  case point::offload_alloc_accessor: {
    const auto *accessor = (const xpti::offload_accessor_data_t *)user;
    snprintf(text, sizeof text, "{\"target\": %u, \"mode\": %u}", accessor->target, accessor->mode);
    return text;
  }
  default:
    return "\"set\"";
  }
}

const char *name_of_type(uint16_t type) {
  switch ((point)type) {
#define NAME(name)                                                                                 \
  case point::name:                                                                                \
    return #name;
    NAME(graph_create)
    NAME(node_create)
    NAME(edge_create)
    NAME(task_begin)
    NAME(task_end)
    NAME(barrier_begin)
    NAME(barrier_end)
    NAME(signal)
    NAME(wait_begin)
    NAME(wait_end)
    NAME(function_begin)
    NAME(function_end)
    NAME(metadata)
    NAME(function_with_args_begin)
    NAME(function_with_args_end)
    NAME(mem_alloc_begin)
    NAME(mem_alloc_end)
    NAME(mem_release_begin)
    NAME(mem_release_end)
    NAME(offload_alloc_memory_object_construct)
    NAME(offload_alloc_memory_object_destruct)
    NAME(offload_alloc_memory_object_associate)
    NAME(offload_alloc_memory_object_release)
    NAME(offload_alloc_accessor)
    NAME(queue_create)
    NAME(queue_destroy)
    NAME(diagnostics)
#undef NAME
  default:
    return "other";
  }
}

void collect(int number, uint16_t type, xpti::trace_event_data_t *parent,
    xpti::trace_event_data_t *event, uint64_t instance, const void *user) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (type == (uint16_t)point::node_create && event != nullptr) {
    const std::string what = user != nullptr ? (const char *)user : "node";
    std::string name = phase + ": " + what.substr(0, what.find('['));
    for (int i = 2;; i++) {
      bool taken = false;
      for (const auto &node : nodes)
        taken = taken || node.second == name;
      if (!taken) break;
      name = phase + ": " + what.substr(0, what.find('[')) + " " + std::to_string(i);
    }
    nodes[event->unique_id] = name;
  }
  fprintf(out,
      "{\"phase\": %s, \"thread\": \"%s\", \"stream\": %s, \"what\": \"%s\", \"node\": %s, "
      "\"parent\": %s, \"event\": %s, \"instance\": %s, \"user\": %s}\n",
      quoted(phase).c_str(), std::this_thread::get_id() == main_thread ? "main" : "other",
      quoted(streams[number]).c_str(), name_of_type(type),
      event != nullptr && nodes.count(event->unique_id) != 0
          ? quoted(nodes[event->unique_id]).c_str()
          : "null",
      event_of(type, parent, false).c_str(), event_of(type, event, true).c_str(),
      instance != 0 ? "true" : "false", user_of(streams[number], type, user).c_str());
}

template <int number>
void callback(uint16_t type, xpti::trace_event_data_t *parent, xpti::trace_event_data_t *event,
    uint64_t instance, const void *user) {
  collect(number, type, parent, event, instance, user);
}

// A callback knows its stream by its template argument alone.
template <int number> void subscribe(uint8_t stream, const char *name) {
  if constexpr (number < 32) {
    if (stream != number) return subscribe<number + 1>(stream, name);
    streams[number] = name;
    for (uint16_t type = 1; type < 127; type++)
      xptiRegisterCallback(stream, type, callback<number>);
  }
}

} // namespace

XPTI_CALLBACK_API void xptiTraceInit(
    unsigned major, unsigned minor, const char *version, const char *name) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (out == nullptr) {
    out = fopen(getenv("STREAMS_OUT"), "w");
    if (out != nullptr) setvbuf(out, nullptr, _IOLBF, 1 << 16);
    main_thread = std::this_thread::get_id();
  }
  const char *skipped = getenv("STREAMS_WITHOUT");
  if (out == nullptr || (skipped != nullptr && strcmp(skipped, name) == 0)) return;
  fprintf(out, "{\"stream\": %s, \"version\": \"%u.%u %s\"}\n", quoted(name).c_str(), major, minor,
      version);
  subscribe<0>(xptiRegisterStream(name), name);
}

XPTI_CALLBACK_API void xptiTraceFinish(const char *name) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (out == nullptr) return;
  fprintf(out, "{\"stream\": %s, \"end\": true}\n", quoted(name).c_str());
  fflush(out);
}

extern "C" {
__attribute__((visibility("default"))) bool xptiQuerySubscriberStreamDetailLevel(
    const char *, xpti::stream_detail_level_t *level) {
  *level = xpti::stream_detail_level_t::XPTI_STREAM_DETAIL_LEVEL_VERBOSE;
  return true;
}

__attribute__((visibility("default"))) void collector_phase(const char *name) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  phase = name;
}

__attribute__((visibility("default"))) void collector_name(const void *object, const char *name) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (name == nullptr)
    names.erase((uint64_t)(uintptr_t)object);
  else
    names[(uint64_t)(uintptr_t)object] = name;
}
}

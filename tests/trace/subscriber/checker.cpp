// A subscriber that checks the type and value of every field, in the form that CHECKER_FORM or else
// SYCLZE_TRACE_FORM selects. Declares the C interfaces of the framework and of a subscriber.
#include "checker.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace {

struct payload {
  const char *name;
  const void *stack_trace;
  const char *file;
  uint32_t line, column;
};
struct event {
  uint64_t unique_id, data_id, instance_id;
  uint16_t type, activity;
  uint32_t unused;
  uint64_t source, target;
  const payload *place;
};
struct object {
  size_t size;
  const char *data;
  uint8_t type;
};
struct function {
  uint32_t id;
  const char *name;
  void *const *arguments;
  const int32_t *result;
  void *user;
};
struct optional {
  uint32_t value;
  uint8_t engaged;
};
struct buffer_data {
  uintptr_t user, host;
  const char *element_type;
  uint32_t element_size, dimensions;
  size_t range[3];
};
struct image_data {
  uintptr_t user, host;
  uint32_t dimensions;
  size_t range[3];
  uint32_t format;
  optional addressing, normalized, filtering;
};
struct accessor_data {
  uintptr_t object, accessor;
  uint32_t target, mode;
};
struct image_accessor_data {
  uintptr_t object, accessor;
  optional target, mode;
  const char *element_type;
  uint32_t element_size;
};
struct association {
  uintptr_t user, native;
};
struct enqueue_data {
  size_t global[3], local[3], offset[3], arguments;
};
struct argument_data {
  int32_t kind;
  const void *value;
  int32_t size, index;
};
struct kernel_argument {
  uint32_t type;
  const void *next;
  uint32_t kind, index;
  size_t size;
  const void *value;
  uint32_t flags;
};
struct memory {
  uintptr_t object, pointer;
  size_t size, guard, reserved;
};
struct new_pointer {
  uint32_t type;
  const void *next;
  uint32_t index;
  const void *properties, *value;
};
struct new_value {
  uint32_t type;
  const void *next;
  uint32_t index;
  size_t size;
  const void *properties, *value;
};
struct new_launch {
  uint32_t type;
  const void *next, *command, *kernel;
  uint32_t memory_count, pointer_count, value_count, dimensions;
  const new_pointer *memories, *pointers;
  const new_value *values;
  const size_t *offset, *global, *local;
};
static_assert(sizeof(buffer_data) == 56 && sizeof(image_data) == 80 && sizeof(memory) == 40 &&
                  sizeof(accessor_data) == 24 && sizeof(image_accessor_data) == 48 &&
                  sizeof(enqueue_data) == 80 && sizeof(argument_data) == 24 &&
                  sizeof(function) == 40 && sizeof(association) == 16,
    "sizes of the framework");

enum { BINARY, STRING, SIGNED, UNSIGNED, FLOAT, BOOL };

using callback = void (*)(uint16_t, event *, event *, uint64_t, const void *);
using metadata = std::unordered_map<uint32_t, int32_t>;

struct key_of {
  const char *name;
  size_t size; // 0 for any but 0
  uint8_t type;
};
const key_of known_keys[] = {{"sycl_device", 8, UNSIGNED}, {"sycl_device_type", 0, STRING},
    {"sycl_device_name", 0, STRING}, {"kernel_name", 0, STRING}, {"from_source", 1, BOOL},
    {"sym_function_name", 0, STRING}, {"sym_source_file_name", 0, STRING},
    {"sym_line_no", 4, SIGNED}, {"sym_column_no", 4, SIGNED}, {"enqueue_kernel_data", 80, BINARY},
    {"arg0", 24, BINARY}, {"arg1", 24, BINARY}, {"arg2", 24, BINARY}, {"arg3", 24, BINARY},
    {"memory_object", 8, UNSIGNED}, {"offset", 8, UNSIGNED}, {"access_range_start", 8, UNSIGNED},
    {"access_range_end", 8, UNSIGNED}, {"allocation_type", 0, STRING}, {"copy_from", 8, UNSIGNED},
    {"copy_to", 8, UNSIGNED}, {"device_id", 8, UNSIGNED}, {"device_name", 0, STRING},
    {"memory_size", 8, UNSIGNED}, {"src_memory_ptr", 8, UNSIGNED}, {"dest_memory_ptr", 8, UNSIGNED},
    {"memory_ptr", 8, UNSIGNED}, {"value_set", 8, UNSIGNED}, {"access_mode", 4, SIGNED},
    {"event", 8, UNSIGNED}, {"sycl_context", 8, UNSIGNED}, {"is_inorder", 1, BOOL},
    {"queue_handle", 8, UNSIGNED}, {"queue_id", 8, UNSIGNED}};

std::mutex lock;
uint32_t counts[CHECKER_STREAMS][256];
std::map<std::pair<int, uint64_t>, int> open;
std::map<std::string, uint32_t> lines;
std::map<std::tuple<int, int, std::string>, uint32_t> seen;
std::map<std::string, uint64_t> values; // of the last node
std::map<uint64_t, bool> queues, nodes;
std::map<std::pair<int, uintptr_t>, uintptr_t>
    objects;                            // of memory, to what they are associated with
std::map<uint64_t, memory> allocations; // begun, by instance
std::map<std::pair<int, uint64_t>, std::pair<std::string, uint32_t>> calls; // begun
std::map<uint64_t, bool> lasting; // nodes with a unique number
std::map<uint64_t, bool> images;  // constructed
std::string wrong;
event *graph;

bool current() {
  const char *form = getenv("CHECKER_FORM");
  if (form == nullptr) form = getenv("SYCLZE_TRACE_FORM");
  return form != nullptr && strcmp(form, "current") == 0;
}

bool ends_only() {
  return getenv("CHECKER_ENDS") != nullptr;
}

template <class Function> Function framework(const char *name) {
  static void *library = dlopen(getenv("XPTI_FRAMEWORK_DISPATCHER"), RTLD_LAZY | RTLD_NOLOAD);
  return reinterpret_cast<Function>(dlsym(library, name));
}

// CHECKER_ONLY in the environment: only errors that hold the text count.
void expect(bool holds, const std::string &what) {
  if (holds || !wrong.empty()) return;
  const char *only = getenv("CHECKER_ONLY");
  if (only == nullptr || what.find(only) != std::string::npos) wrong = what;
}

// Level of detail: 1 basic, 2 normal, 3 verbose.
uint8_t level() {
  const char *text = getenv("TRACE_LEVEL");
  return text != nullptr ? static_cast<uint8_t>(atoi(text)) : 2;
}

bool detailed() {
  return level() >= 2;
}

// Checks all metadata of a notification.
void look(int stream, int type, event *e) {
  const auto &all = *framework<metadata *(*)(event *)>("xptiQueryMetadata")(e);
  const auto text = framework<const char *(*)(uint32_t)>("xptiLookupString");
  const auto find = framework<object (*)(int32_t)>("xptiLookupObject");
  if (stream == CHECKER_SYCL && type == 4) values.clear();
  for (const auto &one : all) {
    const std::string name = text(one.first);
    const object data = find(one.second);
    const key_of *key = nullptr;
    for (const key_of &k : known_keys)
      if (name == k.name) key = &k;
    const bool narrow = current() && name == "value_set" && data.size == 4;
    expect(key != nullptr && data.type == (narrow ? (uint8_t)SIGNED : key->type) &&
               data.data != nullptr &&
               (key->size != 0 ? data.size == (narrow ? 4 : key->size) : data.size != 0),
        "metadata " + name);
    seen[std::make_tuple(stream, type, name)]++;
    if (stream == CHECKER_SYCL && type == 4 && data.size == 8)
      memcpy(&values[name], data.data, sizeof values[name]);
  }
}

object find(event *e, const char *key) {
  const auto &all = *framework<metadata *(*)(event *)>("xptiQueryMetadata")(e);
  const auto text = framework<const char *(*)(uint32_t)>("xptiLookupString");
  for (const auto &one : all)
    if (strcmp(text(one.first), key) == 0)
      return framework<object (*)(int32_t)>("xptiLookupObject")(one.second);
  return object{0, nullptr, 0};
}

template <class T> T value_of(event *e, const char *key) {
  T value{};
  const object found = find(e, key);
  if (found.size == sizeof value) memcpy(&value, found.data, sizeof value);
  return value;
}

void expect_keys(event *e, std::initializer_list<const char *> keys) {
  for (const char *key : keys)
    expect(find(e, key).size != 0, std::string("no ") + key);
}

void expect_device(event *e) {
  expect_keys(e, {"sycl_device_type"});
  const object task = find(e, "kernel_name");
  // In the form of today's tools a host task is of no device.
  if (!current() || std::string(task.data, task.size) != "host task")
    expect_keys(e, {"sycl_device", "sycl_device_name"});
}

void expect_place(event *e) {
  if (detailed() && e->place->line != 0)
    expect_keys(e, {"sym_function_name", "sym_source_file_name", "sym_line_no", "sym_column_no"});
}

// graph_mix is launched with two accessors and two numbers.
void expect_kernel(event *e) {
  const object name = find(e, "kernel_name");
  if (name.size == 0) return;
  const object type = find(e, "sycl_device_type");
  const bool host = std::string(name.data, name.size) == "host task";
  expect(host == (std::string(type.data, type.size) == "HOST"), "the device type of a host task");
  if (detailed() && !host) expect(value_of<bool>(e, "from_source"), "from_source");
  if (level() < 3 || std::string(name.data, name.size) != "graph_mix") return;
  const auto data = value_of<enqueue_data>(e, "enqueue_kernel_data");
  expect(data.global[0] == 256 && data.global[1] == 1 && data.global[2] == 1 &&
             data.local[0] == 64 && data.local[1] == 1 && data.local[2] == 1 &&
             data.offset[0] == 0 && data.arguments == 4,
      "enqueue_kernel_data");
  for (int i = 0; i < 4; i++) {
    const auto one = value_of<argument_data>(e, ("arg" + std::to_string(i)).c_str());
    expect(one.kind == (i < 2 ? 0 : 1) && (i < 2 ? one.size > 0 : one.size == 4) &&
               one.index == i && one.value != nullptr,
        "arg" + std::to_string(i));
  }
}

// Metadata of a node and of its notifications.
void expect_node_data(event *e) {
  expect_device(e);
  expect_place(e);
  expect_kernel(e);
}

void expect_stashed(uint64_t id) {
  char *key = nullptr;
  uint64_t value = 0;
  framework<int32_t (*)(char **, uint64_t *)>("xptiGetStashedTuple")(&key, &value);
  expect(key != nullptr && strcmp(key, "queue_id") == 0 && (id == 0 ? queues[value] : value == id),
      "stashed queue id");
}

void expect_queue(event *e, uint64_t instance) {
  expect_keys(e, {"sycl_context", "is_inorder", "queue_handle", "queue_id"});
  expect(value_of<uint64_t>(e, "queue_id") == instance, "queue_id");
  expect_device(e);
  expect_stashed(instance);
}

// Offsets lie in the object, and the range is as long as what is transferred.
void expect_transfer(event *e) {
  expect_keys(e, {"device_id", "device_name", "allocation_type", "memory_size"});
  if (find(e, "src_memory_ptr").size != 0)
    expect_keys(e, {"dest_memory_ptr", "copy_from", "copy_to"});
  const object type = find(e, "allocation_type");
  if (std::string(type.data, type.size) == "image") {
    expect(value_of<uint64_t>(e, "memory_size") == 8 * 4 * 4, "bytes of an image copy");
    expect(value_of<uint64_t>(e, "copy_from") == value_of<uint64_t>(e, "device_id") ||
               value_of<uint64_t>(e, "copy_to") == value_of<uint64_t>(e, "device_id"),
        "the device of an image copy");
    expect_keys(e, {"memory_object"});
  } else if (find(e, "memory_object").size != 0) {
    const uint64_t start = value_of<uint64_t>(e, "access_range_start");
    expect(value_of<uint64_t>(e, "offset") == start && start < 4096, "offset of a transfer");
    expect(
        value_of<uint64_t>(e, "access_range_end") - start == value_of<uint64_t>(e, "memory_size"),
        "access range of a transfer");
  }
}

void expect_node(event *e, const std::string &text) {
  const size_t bracket = text.find('[');
  const std::string type = text.substr(0, current() ? text.find("::") : bracket);
  expect((bracket == std::string::npos) == current(), "address of a node");
  const bool taken = type == "memory_allocation_node";
  const bool storage = taken || type == "memory_deallocation_node";
  const bool host = type == "sub_buffer_creation_node" ||
                    type == "host_acc_create_buffer_lock_node" ||
                    type == "host_acc_destroy_buffer_release_node";
  expect(type == "command_group_node" || type == "memory_transfer_node" || storage || host,
      "type of node");
  seen[std::make_tuple((int)CHECKER_SYCL, 4, type)]++;
  expect_node_data(e);
  if (!storage && !host) expect_stashed(0);
  if (storage && detailed())
    expect_keys(e, {"memory_object", "allocation_type", "memory_ptr", "device_id", "device_name"});
  if (type == "memory_transfer_node" && find(e, "sym_line_no").size != 0) expect_transfer(e);
  if (find(e, "kernel_name").size == 0) return;
  const object kernel = find(e, "kernel_name");
  lines[std::string(kernel.data, kernel.size)] =
      static_cast<uint32_t>(value_of<int32_t>(e, "sym_line_no"));
}

// Current form: a node is a command. Specified form: a node is a call site with many commands.
uint64_t node_of(const event *e, uint64_t instance) {
  return current() ? instance : e->unique_id;
}

void balance(int stream, uint16_t type, uint64_t instance) {
  int &depth = open[std::make_pair(stream * 256 + type / 2, instance)];
  depth += type % 2 == 0 ? 1 : -1;
  expect(instance != 0 && (depth == 0 || depth == 1),
      "begin and end, stream " + std::to_string(stream) + " type " + std::to_string(type));
}

void sycl(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  std::lock_guard<std::mutex> guard(lock);
  const char *text = static_cast<const char *>(user);
  counts[CHECKER_SYCL][type]++;
  if (e == nullptr) {
    expect(false, "an event");
    return;
  }
  look(CHECKER_SYCL, type, e);
  switch (type) {
  case 2:
    expect(parent == nullptr && user == nullptr && graph == nullptr, "graph_create");
    graph = e;
    break;
  case 4:
    expect(parent == graph, "parent of node_create");
    expect(!lasting[node_of(e, instance)], "a node once");
    nodes[node_of(e, instance)] = true;
    lasting[node_of(e, instance)] = current() || e->place->line != 0;
    expect_node(e, text);
    break;
  case 6:
    expect(parent == graph && e->source != 0 && e->target != 0, "edge");
    expect(!current() || e->source != e->target, "an edge between commands");
    // In the form of today's tools an edge is of an event or of memory.
    if (!current() || find(e, "access_mode").size == 0) expect_keys(e, {"event"});
    expect((find(e, "memory_object").size != 0) == (find(e, "access_mode").size != 0), "reason");
    if (find(e, "access_mode").size != 0)
      expect(value_of<int32_t>(e, "access_mode") >= 1024 &&
                 value_of<int32_t>(e, "access_mode") <= 1028,
          "access_mode");
    break;
  case 10:
  case 11:
    expect(parent == graph && user == nullptr && nodes[node_of(e, instance)], "task");
    expect_node_data(e);
    balance(CHECKER_SYCL, type, instance);
    break;
  case 12:
  case 13:
    expect(parent == graph && nodes[node_of(e, instance)] &&
               strncmp(text, "enqueue.barrier[", 16) == 0,
        "barrier");
    expect_node_data(e);
    seen[std::make_tuple(CHECKER_SYCL, (int)type, std::string(text))]++;
    balance(CHECKER_SYCL, type, instance);
    break;
  case 16:
    expect(parent == graph && nodes[node_of(e, instance)], "signal");
    expect_node_data(e);
    if (user != nullptr) seen[std::make_tuple((int)CHECKER_SYCL, 16, "native event")]++;
    break;
  case 22:
  case 23:
    expect(parent == nullptr &&
               (strncmp(text, "queue.wait[", 11) == 0 || strncmp(text, "event.wait[", 11) == 0),
        "wait");
    seen[std::make_tuple((int)CHECKER_SYCL, (int)type, std::string(text, 10))]++;
    expect_device(e);
    expect_place(e);
    balance(CHECKER_SYCL, type, instance);
    break;
  case 42:
    expect(parent == nullptr && !queues[instance], "queue_create");
    if (e->place->line != 0) seen[std::make_tuple((int)CHECKER_SYCL, 42, "call site")]++;
    queues[instance] = true;
    expect_queue(e, instance);
    break;
  case 43:
    expect(parent == nullptr && queues[instance], "queue_destroy");
    expect_queue(e, instance);
    queues[instance] = false;
    break;
  case 126:
    expect(parent == nullptr && text != nullptr && *text != 0, "diagnostics");
    expect_place(e);
    break;
  }
}

// Common to buffers and images.
void notified(
    int stream, uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  counts[stream][type]++;
  expect(user != nullptr && *static_cast<const uintptr_t *>(user) != 0, "a memory object");
  expect((type == 36 || type == 40) == (e != nullptr), "an event of memory objects");
  expect((parent != nullptr) == (!current() && type != 39), "the parent of memory objects");
  expect((instance != 0) == current(), "the instance of memory objects");
  const auto &data = *static_cast<const association *>(user);
  const auto key = std::make_pair(stream, data.user);
  expect((objects.count(key) != 0) == (type != 36), "an object that was constructed, and is there");
  if (type == 36) objects[key] = 0;
  if (type == 38) objects[key] = data.native;
  if (type == 38 || type == 39)
    expect(data.native != 0 && objects[key] == data.native, "association");
  if (type == 37) objects.erase(key);
}

void buffer(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  std::lock_guard<std::mutex> guard(lock);
  notified(CHECKER_BUFFER, type, parent, e, instance, user);
  if (type == 36) {
    const auto &data = *static_cast<const buffer_data *>(user);
    const bool part = data.range[0] == 8; // a sub-buffer
    const bool created = data.range[0] == 1024;
    expect(data.element_size == 4 && data.dimensions == 1 &&
               (data.range[0] == 256 || part || created) && data.range[1] == (current() ? 0 : 1) &&
               data.element_type != nullptr,
        "a buffer");
    if (data.host != 0) seen[std::make_tuple((int)CHECKER_BUFFER, 36, "data of the host")]++;
  }
  if (type == 40) {
    const auto &data = *static_cast<const accessor_data *>(user);
    const bool host = data.target == 2018;
    expect(data.accessor != 0 && (data.target == 2014 || host) && data.mode >= 1024 &&
               data.mode <= 1028,
        "an accessor");
    if (host) seen[std::make_tuple((int)CHECKER_BUFFER, 40, "host")]++;
  }
}

void image(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  std::lock_guard<std::mutex> guard(lock);
  notified(CHECKER_IMAGE, type, parent, e, instance, user);
  if (type == 36) {
    const auto &data = *static_cast<const image_data *>(user);
    images[data.user] = true;
    expect(data.dimensions == 2 && data.range[0] == 8 && data.range[1] == 4 && data.range[2] == 1 &&
               data.format != 0 && data.addressing.engaged == 0 && data.normalized.engaged == 0 &&
               data.filtering.engaged == 0,
        "an image");
  }
  if (type == 40) {
    const auto &data = *static_cast<const image_accessor_data *>(user);
    expect(data.accessor != 0 && data.target.engaged == 1 && data.mode.engaged == 1 &&
               data.mode.value >= 1024 && data.mode.value <= 1028 && data.element_type != nullptr &&
               data.element_size == 4,
        "an accessor of an image");
  }
}

void allocation(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  std::lock_guard<std::mutex> guard(lock);
  counts[CHECKER_MEM_ALLOC][type]++;
  balance(CHECKER_MEM_ALLOC, type, instance);
  expect(parent != nullptr && (e != nullptr) == current(), "parent of an allocation");
  if (current()) {
    const char *name = static_cast<const char *>(user);
    expect(strcmp(name, type < 34 ? "usm::alignedAlloc" : "usm::free") == 0, "name of allocations");
    look(CHECKER_MEM_ALLOC, type, e);
    return;
  }
  const auto &data = *static_cast<const memory *>(user);
  expect(type != 32 || (data.size != 0 && data.pointer == 0), "mem_alloc_begin");
  expect(type < 34 || data.pointer != 0, "mem_release");
  expect(data.guard == 0, "a guard zone");
  if (type % 2 == 0) allocations[instance] = data;
  const memory &begin = allocations[instance];
  expect(data.size == begin.size && data.object == begin.object, "the end of an allocation");
  expect(type != 35 || data.pointer == begin.pointer, "the end of a release");
  if (type == 33 && data.pointer != 0)
    seen[std::make_tuple((int)CHECKER_MEM_ALLOC, 33, "pointer")]++;
}

// Parameters of the runtime interface's functions, where not one.
struct function_of {
  uint32_t id;
  int parameters;
};
const function_of functions[] = {{1, 4}, {5, 2}, {6, 6}, {14, 2}, {15, 4}, {27, 11}, {28, 11},
    {29, 9}, {32, 8}, {33, 8}, {34, 7}, {35, 5}, {42, 2}, {45, 2}, {46, 4}, {48, 3}, {61, 2},
    {62, 5}, {63, 6}, {68, 3}, {75, 2}, {76, 4}, {78, 5}, {89, 2}, {90, 4}, {92, 4}, {95, 3},
    {96, 5}, {107, 5}, {108, 6}, {109, 6}, {110, 2}, {115, 4}, {116, 6}, {228, 9}, {246, 5},
    {295, 12}};

template <class T> T argument(const function &call, int i) {
  return *static_cast<const T *>(call.arguments[i]);
}

struct triple {
  size_t x, y, z;
};

// graph_mix is updated with two pointers and two numbers.
void expect_update(const function &call) {
  const auto &launch = *argument<const new_launch *>(call, 2);
  expect(launch.type == 0x1001 && launch.kernel != nullptr && launch.memory_count == 0 &&
             launch.pointer_count == 2 && launch.value_count == 2,
      "an updated launch");
  for (uint32_t i = 0; i < 2; i++) {
    const bool listed = launch.pointers != nullptr && launch.values != nullptr;
    expect(listed && launch.pointers[i].type == 0x1003 && launch.pointers[i].index == i &&
               launch.pointers[i].value != nullptr && launch.values[i].type == 0x1004 &&
               launch.values[i].index == 2 + i && launch.values[i].size == 4 &&
               launch.values[i].value != nullptr,
        "the arguments of an updated launch");
  }
}

// Printers read all parameters, and what they point to.
void expect_parameters(const function &call) {
  int parameters = 1;
  for (const function_of &one : functions)
    if (one.id == call.id) parameters = one.parameters;
  for (int i = 0; i < parameters; i++)
    if (call.arguments[i] == nullptr) {
      expect(false, std::string("a null parameter of ") + call.name);
      return;
    }
  const std::string name = call.name;
  expect(call.id != 17, "a function that is there no more");
  if (name == "urEnqueueUSMAdvise")
    expect(argument<uint64_t>(call, 3) == 1 << 1, "the advice of urEnqueueUSMAdvise");
  if (name == "urEnqueueUSMMemcpy" || name == "urEnqueueUSMMemcpy2D") {
    const uint64_t to = argument<uint64_t>(call, 2);
    const uint64_t from = argument<uint64_t>(call, name == "urEnqueueUSMMemcpy" ? 3 : 4);
    expect(to != 0 && from != 0 && to != from, "the memory of " + name);
  }
  if (name == "urEnqueueUSMMemcpy2D")
    expect(argument<uint64_t>(call, 3) == 16 && argument<uint64_t>(call, 5) == 32 &&
               argument<uint64_t>(call, 6) == 8 && argument<uint64_t>(call, 7) == 4,
        "the rows of " + name);
  if (name == "urEnqueueUSMFill2D")
    expect(argument<uint64_t>(call, 1) != 0 && argument<uint64_t>(call, 2) == 32 &&
               argument<uint64_t>(call, 3) == 1 && argument<uint64_t>(call, 4) != 0 &&
               argument<uint64_t>(call, 5) == 8 && argument<uint64_t>(call, 6) == 4,
        "the rows of " + name);
  if (name == "urCommandBufferAppendUSMFillExp")
    expect(argument<uint64_t>(call, 1) != 0 && argument<uint64_t>(call, 2) != 0 &&
               argument<uint64_t>(call, 3) == 4 && argument<uint64_t>(call, 4) == 256,
        "the memory of " + name);
  if (name == "urCommandBufferUpdateKernelLaunchExp") expect_update(call);
  if (name == "urEnqueueMemImageRead" || name == "urEnqueueMemImageWrite") {
    const triple origin = argument<triple>(call, 3), region = argument<triple>(call, 4);
    expect(origin.x == 0 && origin.y == 0 && origin.z == 0 && region.x == 8 && region.y == 4 &&
               region.z == 1,
        "the region of " + name);
    expect(images[argument<uint64_t>(call, 1)] && argument<uint64_t>(call, 7) != 0 &&
               !images[argument<uint64_t>(call, 7)],
        "image and memory of " + name);
  }
  if (name == "urEnqueueKernelLaunchWithArgsExp") {
    expect(argument<uint32_t>(call, 2) == 1 && argument<const triple *>(call, 3) == nullptr &&
               argument<const triple *>(call, 4)->x == 256 &&
               argument<const triple *>(call, 5)->x == 64,
        "the range of " + name);
    expect(argument<uint32_t>(call, 6) == 4, "the number of arguments of " + name);
    const auto *all = argument<const kernel_argument *>(call, 7);
    for (uint32_t i = 0; i < 4; i++)
      expect(all[i].type == 0x5000 && all[i].index == i && all[i].kind == (i < 2 ? 2u : 0u) &&
                 (i < 2 ? all[i].flags == (i == 0 ? 1u : 4u) : all[i].size == 4),
          "an argument of " + name);
  }
}

// Streams of calls: names, or all of a call.
void call(int stream, uint16_t type, event *parent, event *e, uint64_t instance, const void *user,
    const char *prefix, bool native) {
  std::lock_guard<std::mutex> guard(lock);
  counts[stream][type]++;
  if (ends_only()) return;
  balance(stream, type, instance);
  const bool bare = type == 24 || type == 25, ends = type % 2 != 0;
  const auto &data = *static_cast<const function *>(user);
  const char *name = bare ? static_cast<const char *>(user) : data.name;
  expect(strncmp(name, prefix, strlen(prefix)) == 0, std::string("a call's name: ") + name);
  const bool layer = native || !current();
  expect((parent != nullptr) == layer && (e != nullptr) == !layer, "parent of a call");
  if (bare && !native) expect(!current(), "a bare name in the current form");
  if (!bare) {
    expect((data.result != nullptr) == ends, "result of a call");
    expect(data.arguments != nullptr, "arguments of a call");
    if (!native) expect_parameters(data);
  }
  const auto key = std::make_pair(stream, instance);
  const auto call = std::make_pair(std::string(name), bare ? 0 : data.id);
  if (!ends) calls[key] = call;
  expect(calls[key] == call, std::string("the end of another call: ") + name);
  if (ends) calls.erase(key);
  if (!ends) seen[std::make_tuple(stream, 0, std::string(name))]++;
}

void ur(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  call(CHECKER_UR, type, parent, e, instance, user, "ur", false);
}
void ur_debug(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  call(CHECKER_UR_DEBUG, type, parent, e, instance, user, "ur", false);
}
void ze(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  call(CHECKER_ZE, type, parent, e, instance, user, "ze", true);
}
void come_late();

void ze_debug(uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  come_late();
  call(CHECKER_ZE_DEBUG, type, parent, e, instance, user, "ze", true);
}

// CHECKER_ENDS leaves all begins of calls unsubscribed.
struct listened {
  const char *stream;
  callback function;
  uint16_t types[16];
};
const listened all_listened[CHECKER_STREAMS] = {
    {"sycl", sycl, {2, 4, 6, 10, 11, 12, 13, 16, 22, 23, 42, 43, 126}},
    {"sycl.experimental.buffer", buffer, {36, 37, 38, 39, 40}},
    {"sycl.experimental.image", image, {36, 37, 38, 39, 40}},
    {"sycl.experimental.mem_alloc", allocation, {32, 33, 34, 35}},
    {"ur.call", ur, {24, 25, 28, 29}}, {"ur.call.debug", ur_debug, {28, 29}},
    {"sycl.experimental.level_zero.call", ze, {24, 25}},
    {"sycl.experimental.level_zero.debug", ze_debug, {28, 29}}};

void subscribe(const listened &one) {
  const uint8_t stream = framework<uint8_t (*)(const char *)>("xptiRegisterStream")(one.stream);
  for (const uint16_t *type = one.types; *type != 0; type++) {
    if (ends_only() && *type % 2 == 0) continue;
    framework<int32_t (*)(uint8_t, uint16_t, callback)>("xptiRegisterCallback")(
        stream, *type, one.function);
  }
}

// With CHECKER_LATE, names of Level Zero's calls are subscribed within the first of these.
void come_late() {
  static bool is_late = getenv("CHECKER_LATE") != nullptr;
  if (!is_late) return;
  is_late = false;
  subscribe(all_listened[CHECKER_ZE]);
}

} // namespace

extern "C" {

// CHECKER_WITHOUT names a stream to leave unsubscribed.
__attribute__((visibility("default"))) void xptiTraceInit(
    unsigned, unsigned, const char *, const char *name) {
  const char *without = getenv("CHECKER_WITHOUT");
  if (without != nullptr && strcmp(without, name) == 0) return;
  for (const listened &one : all_listened)
    if (strcmp(name, one.stream) == 0) subscribe(one);
}

__attribute__((visibility("default"))) void xptiTraceFinish(const char *name) {
  if (strcmp(name, "ur.call.debug") != 0) return;
  fprintf(stderr, "ur.call.debug is finalised, which frees the printer of sycl-trace twice\n");
  abort();
}

__attribute__((visibility("default"))) bool xptiQuerySubscriberStreamDetailLevel(
    const char *, uint8_t *detail) {
  *detail = level();
  return true;
}

__attribute__((visibility("default"))) uint32_t checker_count(int stream, int type) {
  std::lock_guard<std::mutex> guard(lock);
  return counts[stream][type];
}

__attribute__((visibility("default"))) const char *checker_wrong(void) {
  std::lock_guard<std::mutex> guard(lock);
  for (const auto &pair : open)
    expect(pair.second == 0, "a begin without its end, " + std::to_string(pair.first.first));
  return wrong.empty() ? nullptr : wrong.c_str();
}

__attribute__((visibility("default"))) uint32_t checker_line(const char *kernel_name) {
  std::lock_guard<std::mutex> guard(lock);
  return lines[kernel_name];
}

__attribute__((visibility("default"))) uint32_t checker_seen(
    int stream, int type, const char *key) {
  std::lock_guard<std::mutex> guard(lock);
  return seen[std::make_tuple(stream, type, std::string(key))];
}

__attribute__((visibility("default"))) uint64_t checker_value(const char *key) {
  std::lock_guard<std::mutex> guard(lock);
  const auto found = values.find(key);
  return found == values.end() ? UINT64_MAX : found->second;
}
}

// A small tracing framework with the interface of SYCL's, for machines without one. It checks
// usage: where the real one would ignore an error or crash, the program ends with a message.
// Compiled with GENERATION, the year of the interface: from 2025 on each event is new, before that
// all events of a call site are one; 1 lacks functions, 2 has another event layout.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct payload {
  const char *name;
  const void *stack_trace;
  const char *source_file;
  uint32_t line, column;
  const void *code;
  uint64_t internal, flags, uid[3];
};
using metadata = std::unordered_map<uint32_t, int32_t>;
struct event {
  uint64_t unique_id, data_id, instance_id;
  uint16_t event_type, activity;
  uint32_t unused;
  uint64_t source_id, target_id;
  payload *place;
  metadata data;
  void *user;
  uint64_t flags;
};
static_assert(sizeof(payload) == 80 && sizeof(event) == 128, "sizes of the framework");
struct object {
  size_t size;
  const char *data;
  uint8_t type;
};
using callback = void (*)(uint16_t, event *, event *, uint64_t, const void *);

enum { TRUE_RESULT = 0, FALSE_RESULT = 1, INVALID = (int32_t)0x80004006 };

std::mutex lock;
// Their texts keep their addresses, which subscribers read without the lock.
std::deque<std::string> strings(1);
std::map<std::string, uint32_t> string_ids;
std::deque<std::pair<std::string, uint8_t>> objects(1);
std::map<std::pair<std::string, uint8_t>, int32_t> object_ids;
std::map<std::string, uint8_t> streams;
std::map<std::pair<uint8_t, uint16_t>, std::vector<callback>> callbacks;
std::vector<void *> subscribers;
// Never destroyed: events outlive the program.
std::set<event *> &events = *new std::set<event *>;
std::map<std::string, event *> &places = *new std::map<std::string, event *>;
std::map<std::string, uint64_t> instances;
uint64_t last_id;
int initialised;
bool enabled = true;
__thread const char *stashed_key;
__thread uint64_t stashed_value;

[[noreturn]] void wrong(const char *what) {
  fprintf(stderr, "framework: %s\n", what);
  abort();
}

#if GENERATION != 1
void load() {
  static bool loaded;
  if (loaded) return;
  loaded = true;
  const char *enable = getenv("XPTI_TRACE_ENABLE"), *all = getenv("XPTI_SUBSCRIBERS");
  enabled = enable == nullptr || strcmp(enable, "1") == 0 || strcmp(enable, "true") == 0;
  std::string names = all != nullptr ? all : "";
  for (size_t begin = 0; begin < names.size();) {
    size_t end = names.find(',', begin);
    if (end == std::string::npos) end = names.size();
    void *library = dlopen(names.substr(begin, end - begin).c_str(), RTLD_LAZY);
    if (library != nullptr && dlsym(library, "xptiTraceInit") != nullptr &&
        dlsym(library, "xptiTraceFinish") != nullptr)
      subscribers.push_back(library);
    begin = end + 1;
  }
}
#endif

uint32_t id_of(const char *text) {
  auto found = string_ids.find(text);
  if (found != string_ids.end()) return found->second;
  strings.push_back(text);
  return string_ids[text] = (uint32_t)strings.size() - 1;
}

void check(const event *e, const char *what) {
  if (e != nullptr && events.count(const_cast<event *>(e)) == 0) wrong(what);
}

} // namespace

#if GENERATION != 1
EXPORT void xptiFrameworkInitialize() {
  std::lock_guard<std::mutex> guard(lock);
  load();
  initialised++;
}
#endif
#if GENERATION == 2
EXPORT void xptiRegisterPayloadAndPrepareTracepointData() {
}
#endif
#if GENERATION >= 2025
EXPORT void xptiCreateTracepoint() {
}
EXPORT uint8_t xptiGetEffectiveStreamDetailLevel(uint8_t) {
  const char *level = getenv("TRACE_LEVEL");
  return level != nullptr ? (uint8_t)atoi(level) : 2;
}
#endif

EXPORT void xptiFrameworkFinalize() {
  std::lock_guard<std::mutex> guard(lock);
  if (--initialised < 0) wrong("finalized once too often");
}

EXPORT uint8_t xptiRegisterStream(const char *name) {
  std::lock_guard<std::mutex> guard(lock);
  auto found = streams.find(name);
  if (found != streams.end()) return found->second;
  const uint8_t id = (uint8_t)(streams.size() + 2);
  return streams[name] = id;
}

EXPORT int32_t xptiInitialize(
    const char *name, uint32_t major, uint32_t minor, const char *version) {
  if (initialised == 0) wrong("a stream before the framework");
  using init = void (*)(unsigned, unsigned, const char *, const char *);
  for (void *library : subscribers)
    reinterpret_cast<init>(dlsym(library, "xptiTraceInit"))(major, minor, version, name);
  return TRUE_RESULT;
}

EXPORT void xptiFinalize(const char *name) {
  for (void *library : subscribers)
    reinterpret_cast<void (*)(const char *)>(dlsym(library, "xptiTraceFinish"))(name);
}

EXPORT uint64_t xptiGetUniqueId() {
  return __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
}

EXPORT int32_t xptiRegisterObject(const char *data, size_t size, uint8_t type) {
  std::lock_guard<std::mutex> guard(lock);
  if (data == nullptr || size == 0) wrong("an object of nothing");
  const auto key = std::make_pair(std::string(data, size), type);
  auto found = object_ids.find(key);
  if (found != object_ids.end()) return found->second;
  objects.push_back(key);
  return object_ids[key] = (int32_t)objects.size() - 1;
}

EXPORT object xptiLookupObject(int32_t id) {
  std::lock_guard<std::mutex> guard(lock);
  const auto &found = objects.at((size_t)id);
  return object{found.first.size(), found.first.data(), found.second};
}

EXPORT const char *xptiLookupString(uint32_t id) {
  std::lock_guard<std::mutex> guard(lock);
  return strings.at(id).c_str();
}

EXPORT event *xptiMakeEvent(
    const char *, payload *place, uint16_t type, int32_t activity, uint64_t *instance) {
  std::lock_guard<std::mutex> guard(lock);
  if (instance == nullptr || (place->flags & 3) == 0) wrong("an event without a name or file");
  if (((place->flags & 1) != 0) != (place->name != nullptr && place->name[0] != 0) ||
      ((place->flags & 2) != 0) != (place->source_file != nullptr))
    wrong("flags of a payload");
  const std::string key = std::string(place->name != nullptr ? place->name : "") + "|" +
                          (place->source_file != nullptr ? place->source_file : "") + "|" +
                          std::to_string(place->line);
  *instance = ++instances[key];
  event *&shared = places[key];
  if (GENERATION < 2025 && shared != nullptr) {
    shared->instance_id = *instance;
    return shared;
  }
  event *created = new event();
  shared = created;
  created->unique_id = (uint64_t)(uintptr_t)created;
  created->instance_id = *instance;
  created->event_type = type;
  created->activity = (uint16_t)activity;
  created->place = new payload(*place);
  created->place->name = strdup(place->name);
  if (place->source_file != nullptr) created->place->source_file = strdup(place->source_file);
  events.insert(created);
  return created;
}

EXPORT void xptiReleaseEvent(event *e) {
  std::lock_guard<std::mutex> guard(lock);
  if (GENERATION < 2025) wrong("an event of others is released");
  if (events.erase(e) == 0) wrong("an event is released that is none");
  free(const_cast<char *>(e->place->name));
  free(const_cast<char *>(e->place->source_file));
  delete e->place;
  delete e;
}

EXPORT int32_t xptiAddMetadata(event *e, const char *key, int32_t value) {
  std::lock_guard<std::mutex> guard(lock);
  check(e, "metadata of an event that is none");
  e->data[id_of(key)] = value;
  return TRUE_RESULT;
}

EXPORT metadata *xptiQueryMetadata(event *e) {
  return &e->data;
}

EXPORT bool xptiTraceEnabled() {
  std::lock_guard<std::mutex> guard(lock);
  return enabled && !subscribers.empty();
}

EXPORT void xptiForceSetTraceEnabled(bool on) {
  std::lock_guard<std::mutex> guard(lock);
  enabled = on;
}

EXPORT bool xptiCheckTraceEnabled(uint8_t stream, uint16_t type) {
  std::lock_guard<std::mutex> guard(lock);
  if (!enabled) return false;
  if (type != 0) return callbacks.count(std::make_pair(stream, type)) != 0;
  const auto first = callbacks.lower_bound(std::make_pair(stream, (uint16_t)0));
  return first != callbacks.end() && first->first.first == stream;
}

EXPORT int32_t xptiRegisterCallback(uint8_t stream, uint16_t type, callback function) {
  std::lock_guard<std::mutex> guard(lock);
  callbacks[std::make_pair(stream, type)].push_back(function);
  return TRUE_RESULT;
}

EXPORT int32_t xptiNotifySubscribers(
    uint8_t stream, uint16_t type, event *parent, event *e, uint64_t instance, const void *user) {
  std::vector<callback> all;
  {
    std::lock_guard<std::mutex> guard(lock);
    if (!enabled) return FALSE_RESULT;
    check(parent, "a parent that is none");
    check(e, "an event that is none");
    const bool plain = type == 24 || type == 25 || type == 28 || type == 29 ||
                       (type >= 32 && type <= 40) || type == 126;
    if (e == nullptr && (user == nullptr || !plain)) return INVALID;
    const auto found = callbacks.find(std::make_pair(stream, type));
    if (found != callbacks.end()) all = found->second;
  }
  for (callback function : all)
    function(type, parent, e, instance, user);
  return TRUE_RESULT;
}

EXPORT int32_t xptiStashTuple(const char *key, uint64_t value) {
  stashed_key = key;
  stashed_value = value;
  return TRUE_RESULT;
}

EXPORT int32_t xptiGetStashedTuple(char **key, uint64_t *value) {
  *key = const_cast<char *>(stashed_key);
  *value = stashed_value;
  return TRUE_RESULT;
}

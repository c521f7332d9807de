#include "core/fail.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RULES = 32 };

struct rule {
  char function[64];
  unsigned call; /* counted from 1 */
  ze_result_t code;
  atomic_uint seen;
};

static struct rule rules[MAX_RULES];
static unsigned rule_count;
bool zecl_fail_armed;

static bool is_forked;

static void lose_all(void) {
  is_forked = zecl_fail_armed = true;
}

static void read_rule(const char *text, size_t length) {
  struct rule *rule = &rules[rule_count];
  const char *colon = memchr(text, ':', length);
  const size_t name = colon ? (size_t)(colon - text) : length;
  if (name == 0 || name >= sizeof rule->function || rule_count == MAX_RULES) {
    fprintf(stderr, "zecl: ZECL_FAIL: not function:call[:code]: %.*s\n", (int)length, text);
    return;
  }
  memcpy(rule->function, text, name);
  rule->call = 1;
  rule->code = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (colon) {
    char *end;
    rule->call = (unsigned)strtoul(colon + 1, &end, 0);
    if (*end == ':') rule->code = (ze_result_t)strtoul(end + 1, NULL, 0);
  }
  rule_count++;
}

__attribute__((constructor)) static void read_rules(void) {
  const char *text = secure_getenv("ZECL_FAIL");
  while (text && *text) {
    const size_t length = strcspn(text, ",");
    read_rule(text, length);
    text += length;
    if (*text == ',') text++;
  }
  zecl_fail_armed = rule_count != 0;
  pthread_atfork(NULL, NULL, lose_all);
}

ze_result_t zecl_fail_count(const char *function) {
  ze_result_t code = is_forked ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
  for (unsigned i = 0; i < rule_count; i++)
    if (strcmp(rules[i].function, function) == 0 &&
        atomic_fetch_add(&rules[i].seen, 1) + 1 == rules[i].call)
      code = rules[i].code;
  return code;
}

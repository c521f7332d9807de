/* Atomic functions, as text of LLVM: one template for all types and address spaces. Their orders
 * are fences around relaxed operations, which is what the back end can select. */
#include "engine/cuda/ptx/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { UPDATE, STEP, EXCHANGE, COMPARE, COMPARE_INTO, LOAD, STORE, TEST_AND_SET, CLEAR };

static const struct operation {
  const char *name;
  enum form form;
  const char *signed_op, *unsigned_op, *float_op; /* null: not of these types */
} operations[] = {{"add", UPDATE, "add", "add", "fadd"}, {"sub", UPDATE, "sub", "sub", "fsub"},
    {"and", UPDATE, "and", "and", NULL}, {"or", UPDATE, "or", "or", NULL},
    {"xor", UPDATE, "xor", "xor", NULL}, {"min", UPDATE, "min", "umin", "olt"},
    {"max", UPDATE, "max", "umax", "ogt"}, {"inc", STEP, "add", "add", NULL},
    {"dec", STEP, "sub", "sub", NULL}, {"xchg", EXCHANGE, "", "", ""},
    {"exchange", EXCHANGE, "", "", ""}, {"cmpxchg", COMPARE, "", "", NULL},
    {"compare_exchange_strong", COMPARE_INTO, "", "", NULL},
    {"compare_exchange_weak", COMPARE_INTO, "", "", NULL}, {"load", LOAD, "", "", ""},
    {"store", STORE, "", "", ""}, {"init", STORE, "", "", ""},
    {"flag_test_and_set", TEST_AND_SET, "", "", NULL}, {"flag_clear", CLEAR, "", "", NULL}};

struct atomic {
  const struct operation *operation;
  const char *op;
  char pointer[32]; /* types, as text */
  char type[16], bits[16];
  unsigned width;                     /* of the value, in bits */
  bool is_float, is_explicit, is_old; /* old: of OpenCL 1.2, without an order */
  unsigned order, count;              /* the parameter of the order, and of parameters */
};

/* The operation that a mangled name is of; `types` is where its types begin. */
static const struct operation *find(struct atomic *atomic, const char *name, const char **types) {
  char *base;
  if (strncmp(name, "_Z", 2) != 0) return NULL;
  const unsigned long length = strtoul(name + 2, &base, 10);
  if (length == 0 || length > strlen(base)) return NULL;
  *types = base + length;
  size_t left = length;
  if (strncmp(base, "atomic_", 7) != 0 && strncmp(base, "atom_", 5) != 0) return NULL;
  const size_t prefix = strncmp(base, "atom_", 5) == 0 ? 5 : 7;
  base += prefix, left -= prefix;
  atomic->is_old = true;
  if (strncmp(base, "fetch_", 6) == 0) base += 6, left -= 6, atomic->is_old = false;
  atomic->is_explicit = left > 9 && strncmp(base + left - 9, "_explicit", 9) == 0;
  if (atomic->is_explicit) left -= 9, atomic->is_old = false;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (strlen(operations[i].name) == left && memcmp(operations[i].name, base, left) == 0)
      return &operations[i];
  return NULL;
}

/* True if the pointee of a mangled pointer is unsigned: P, qualifiers, then the type's letter. */
static bool is_unsigned(const char *types) {
  const char *at = types;
  if (*at == 'P') at++;
  while (*at == 'U' || *at == 'V' || *at == 'K') {
    if (*at++ != 'U') continue;
    char *end;
    const unsigned long length = strtoul(at, &end, 10);
    at = end + (length < strlen(end) ? length : strlen(end));
  }
  return *at && strchr("hjtmy", *at) != NULL;
}

static bool type_text(const struct zecl_llvm *llvm, LLVMTypeRef type, char *text, size_t size) {
  char *printed = llvm->PrintTypeToString(type);
  const bool fits = snprintf(text, size, "%s", printed) < (int)size;
  llvm->DisposeMessage(printed);
  return fits;
}

static bool read_types(
    struct atomic *atomic, const struct zecl_llvm *llvm, LLVMValueRef function, const char *types) {
  LLVMTypeRef type = llvm->GlobalGetValueType(function), params[8];
  atomic->count = llvm->CountParamTypes(type);
  if (atomic->count == 0 || atomic->count > 8) return false;
  llvm->GetParamTypes(type, params);
  if (llvm->GetTypeKind(params[0]) != LLVM_KIND_POINTER) return false;
  const enum form form = atomic->operation->form;
  LLVMTypeRef value = llvm->GetReturnType(type);
  if (form == STORE) value = params[atomic->count > 1];
  if (form == COMPARE_INTO) value = params[2 % atomic->count];
  atomic->width = 32;
  if (form != TEST_AND_SET && form != CLEAR) {
    const int kind = llvm->GetTypeKind(value);
    atomic->is_float = kind == LLVM_KIND_FLOAT || kind == LLVM_KIND_DOUBLE;
    if (!atomic->is_float && kind != LLVM_KIND_INTEGER) return false;
    atomic->width = kind == LLVM_KIND_FLOAT    ? 32
                    : kind == LLVM_KIND_DOUBLE ? 64
                                               : llvm->GetIntTypeWidth(value);
  }
  if (atomic->width != 32 && atomic->width != 64) return false;
  snprintf(atomic->bits, sizeof atomic->bits, "i%u", atomic->width);
  snprintf(atomic->type, sizeof atomic->type, "%s",
      !atomic->is_float     ? atomic->bits
      : atomic->width == 32 ? "float"
                            : "double");
  atomic->op = atomic->is_float     ? atomic->operation->float_op
               : is_unsigned(types) ? atomic->operation->unsigned_op
                                    : atomic->operation->signed_op;
  static const unsigned orders[] = {[UPDATE] = 2,
      [STEP] = 1,
      [EXCHANGE] = 2,
      [COMPARE] = 3,
      [COMPARE_INTO] = 3,
      [LOAD] = 1,
      [STORE] = 2,
      [TEST_AND_SET] = 1,
      [CLEAR] = 1};
  atomic->order = orders[form];
  if (atomic->is_explicit && atomic->order >= atomic->count) return false;
  return atomic->op && type_text(llvm, params[0], atomic->pointer, sizeof atomic->pointer);
}

static void add_fence(const struct atomic *atomic, const char *where, struct zecl_text *text) {
  if (atomic->is_old) return;
  char order[16] = "5", scope[16] = "2";
  if (atomic->is_explicit) {
    snprintf(order, sizeof order, "%%a%u", atomic->order);
    if (atomic->order + 1 < atomic->count && atomic->operation->form != COMPARE_INTO)
      snprintf(scope, sizeof scope, "%%a%u", atomic->order + 1);
    if (atomic->order + 2 < atomic->count && atomic->operation->form == COMPARE_INTO)
      snprintf(scope, sizeof scope, "%%a%u", atomic->order + 2);
  }
  zecl_text_add(text, "  call void @zecl_fence_%s(i32 %s, i32 %s)\n", where, order, scope);
}

/* The least or greatest of floats, which the hardware has no operation for. */
static void add_loop(const struct atomic *atomic, struct zecl_text *text) {
  const char *type = atomic->type, *bits = atomic->bits, *pointer = atomic->pointer;
  zecl_text_add(
      text, "  %%first = load volatile %s, %s %%a0\n  br label %%again\nagain:\n", bits, pointer);
  zecl_text_add(text, "  %%old = phi %s [%%first, %%start], [%%seen, %%again]\n", bits);
  zecl_text_add(text, "  %%now = bitcast %s %%old to %s\n", bits, type);
  zecl_text_add(text, "  %%is = fcmp %s %s %%a1, %%now\n", atomic->op, type);
  zecl_text_add(text, "  %%best = select i1 %%is, %s %%a1, %s %%now\n", type, type);
  zecl_text_add(text, "  %%new = bitcast %s %%best to %s\n", type, bits);
  zecl_text_add(text, "  %%pair = cmpxchg %s %%a0, %s %%old, %s %%new monotonic monotonic\n",
      pointer, bits, bits);
  zecl_text_add(text, "  %%seen = extractvalue {%s, i1} %%pair, 0\n", bits);
  zecl_text_add(text, "  %%done = extractvalue {%s, i1} %%pair, 1\n", bits);
  zecl_text_add(text, "  br i1 %%done, label %%end, label %%again\nend:\n");
  zecl_text_add(text, "  %%r = bitcast %s %%seen to %s\n", bits, type);
}

static void add_update(const struct atomic *atomic, struct zecl_text *text) {
  const char *type = atomic->type, *pointer = atomic->pointer, *value = "%a1", *op = atomic->op;
  if (atomic->is_float && op[0] == 'o') {
    add_loop(atomic, text);
    return;
  }
  if (strcmp(op, "fsub") == 0) {
    zecl_text_add(text, "  %%minus = fneg %s %%a1\n", type);
    value = "%minus", op = "fadd";
  }
  if (atomic->operation->form == STEP) value = "1";
  zecl_text_add(text, "  %%r = atomicrmw %s %s %%a0, %s %s monotonic\n", op, pointer, type, value);
}

static void add_exchange(const struct atomic *atomic, struct zecl_text *text) {
  zecl_text_add(text, "  %%new = bitcast %s %%a1 to %s\n", atomic->type, atomic->bits);
  zecl_text_add(text, "  %%old = atomicrmw xchg %s %%a0, %s %%new monotonic\n", atomic->pointer,
      atomic->bits);
  zecl_text_add(text, "  %%r = bitcast %s %%old to %s\n", atomic->bits, atomic->type);
}

static void add_compare(
    const struct atomic *atomic, const char *expected_pointer, struct zecl_text *text) {
  const char *type = atomic->type, *expected = "%a1";
  if (expected_pointer) {
    zecl_text_add(text, "  %%expected = load %s, %s %%a1\n", type, expected_pointer);
    expected = "%expected";
  }
  zecl_text_add(text, "  %%pair = cmpxchg %s %%a0, %s %s, %s %%a2 monotonic monotonic\n",
      atomic->pointer, type, expected, type);
  zecl_text_add(
      text, "  %%%s = extractvalue {%s, i1} %%pair, 0\n", expected_pointer ? "old" : "r", type);
  if (!expected_pointer) return;
  zecl_text_add(text, "  store %s %%old, %s %%a1\n", type, expected_pointer);
  zecl_text_add(text, "  %%r = extractvalue {%s, i1} %%pair, 1\n", type);
}

static void add_operation(
    const struct atomic *atomic, const char *expected_pointer, struct zecl_text *text) {
  const char *type = atomic->type, *pointer = atomic->pointer;
  switch (atomic->operation->form) {
  case UPDATE:
  case STEP:
    add_update(atomic, text);
    break;
  case EXCHANGE:
    add_exchange(atomic, text);
    break;
  case COMPARE:
    add_compare(atomic, NULL, text);
    break;
  case COMPARE_INTO:
    add_compare(atomic, expected_pointer, text);
    break;
  case LOAD:
    zecl_text_add(text, "  %%r = load volatile %s, %s %%a0\n", type, pointer);
    break;
  case STORE:
    zecl_text_add(text, "  store volatile %s %%a1, %s %%a0\n", type, pointer);
    break;
  case TEST_AND_SET:
    zecl_text_add(text, "  %%old = atomicrmw xchg %s %%a0, i32 -1 monotonic\n", pointer);
    zecl_text_add(text, "  %%r = icmp ne i32 %%old, 0\n");
    break;
  case CLEAR:
    zecl_text_add(text, "  store volatile i32 0, %s %%a0\n", pointer);
  }
}

static void add_function(struct zecl_lowering *lowering, LLVMValueRef function, const char *name,
    const struct atomic *atomic, struct zecl_text *text) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMTypeRef type = llvm->GlobalGetValueType(function), params[8];
  char result[64], param[64], expected[64] = "";
  llvm->GetParamTypes(type, params);
  if (!type_text(llvm, llvm->GetReturnType(type), result, sizeof result)) return;
  zecl_text_add(text, "define linkonce_odr %s @%s(", result, name);
  for (unsigned i = 0; i < atomic->count; i++) {
    type_text(llvm, params[i], param, sizeof param);
    if (i == 1) memcpy(expected, param, sizeof expected);
    zecl_text_add(text, "%s%s %%a%u", i ? ", " : "", param, i);
  }
  zecl_text_add(text, ") alwaysinline {\nstart:\n");
  add_fence(atomic, "before", text);
  add_operation(atomic, expected, text);
  add_fence(atomic, "after", text);
  if (strcmp(result, "void") == 0)
    zecl_text_add(text, "  ret void\n}\n");
  else
    zecl_text_add(text, "  ret %s %%r\n}\n", result);
}

void zecl_lower_atomics(struct zecl_lowering *lowering, struct zecl_text *text) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (LLVMValueRef function = llvm->GetFirstFunction(lowering->module); function;
       function = llvm->GetNextFunction(function)) {
    size_t length;
    const char *name = llvm->GetValueName2(function, &length), *types;
    struct atomic atomic = {0};
    if (!llvm->IsDeclaration(function)) continue;
    atomic.operation = find(&atomic, name, &types);
    if (atomic.operation && read_types(&atomic, llvm, function, types))
      add_function(lowering, function, name, &atomic, text);
  }
}

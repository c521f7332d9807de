"""check.py LIBRARY SITE [every=N] [run=N] [part=K/N] [results=FILE]: the device images of dpnp's libraries, through syclze.

LIBRARY is built from images.c, SITE holds the unpacked wheels (get.sh). Every image is read; every
N-th kernel is built; element-wise kernels are launched by name and compared with numpy, or of N
parts of them the K-th only, from 0.
"""
# shows offload 5 41 52
import ctypes
import glob
import os
import re
import subprocess
import sys

library, site = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
options = dict(option.split("=") for option in sys.argv[3:])
sys.path[:0] = [site, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../corpus")]
import numpy as np  # noqa: E402
from outcome import outcome  # noqa: E402

passed = failed = 0


def check(name, is_right, text=""):
    global passed, failed
    print(f"{'pass' if is_right else 'FAIL'} {name}{': ' if text else ''}{text}", flush=True)
    passed, failed = passed + bool(is_right), failed + (not is_right)


images = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
images.images_name.restype = ctypes.c_char_p
images.images_memory.restype = ctypes.c_void_p
images.images_result.restype = ctypes.c_char_p
images.images_build.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
images.images_free.argtypes = [ctypes.c_void_p]
images.images_run.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p,
                              ctypes.c_void_p, ctypes.c_void_p]


def result_of(code):
    return images.images_result(code & 0xFFFFFFFF).decode()


# --- Reading -------------------------------------------------------------------------------------

def load():
    """Opens every library of dpnp that its dependencies here allow. They register their images."""
    names = []
    for path in sorted(glob.glob(site + "/dpnp/**/*.so", recursive=True)):
        with open(path, "rb") as file:
            if b"__CLANG_OFFLOAD_BUNDLE__" not in file.read():
                continue
        try:
            ctypes.CDLL(path, mode=os.RTLD_LAZY | os.RTLD_GLOBAL)
            names.append(os.path.basename(path).split(".")[0])
        except OSError as error:
            print("not opened:", str(error)[:120])
    return names


check("the device is found", images.images_begin() == 0)
opened = load()
kernels = images.images_index()
counts = [images.images_number(i) for i in range(4)]
print(f"libraries: {' '.join(opened)}")
print(f"images {counts[0]}, kernels {kernels}, properties {counts[3]}, "
      f"kernels with removed arguments {counts[2]}")
check("every image, its properties and masks are read", counts[0] > 1000 and counts[1] == 0,
      f"{counts[1]} unreadable")
names = [images.images_name(i) for i in range(kernels)]


# --- Building ------------------------------------------------------------------------------------

def outcomes():
    """The number, outcome and reason of every N-th kernel. With results=FILE they stand in the file
    too, and the kernels in it are not built again: a run may be ended, and goes on where it was."""
    log = ctypes.create_string_buffer(4096)
    every = int(options.get("every", "40"))
    known = {}
    if "results" in options and os.path.exists(options["results"]):
        with open(options["results"]) as file:
            lines = [line.rstrip("\n").split("\t") for line in file if line.endswith("\n")]
        known = {int(line[0]): line[1:] for line in lines if len(line) == 3}
    with open(options.get("results", os.devnull), "a") as file:
        for number in range(0, len(names), every):
            if number not in known:
                log.value = b""
                result = result_of(images.images_build(names[number], log, len(log)))
                known[number] = outcome(result, log.value.decode(errors="replace"))
                print(number, *known[number], sep="\t", file=file, flush=True)
            if number // every % 100 == 99:
                images.images_forget()
    return [known[number] for number in range(0, len(names), every)]


def build():
    table = {}
    for word, reason in outcomes():
        table.setdefault(word, {}).setdefault(reason, 0)
        table[word][reason] += 1
    counts = {word: sum(table.get(word, {}).values()) for word in ("built", "lacking", "failed")}
    print(", ".join(f"{word} {count}" for word, count in counts.items()))
    for word, reasons in table.items():
        for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
            print(f"  {word} {count}{': ' if reason else ''}{reason}")
    check("kernels that the device can run are built", counts["built"] > 0 and not counts["failed"],
          f"{counts['built']} of {sum(counts.values())}")


# --- Running -------------------------------------------------------------------------------------

TYPES = {"bool": np.bool_, "signed char": np.int8, "unsigned char": np.uint8, "short": np.int16,
         "unsigned short": np.uint16, "int": np.int32, "unsigned int": np.uint32, "long": np.int64,
         "unsigned long": np.uint64, "float": np.float32, "double": np.float64,
         "std::complex<float>": np.complex64, "std::complex<double>": np.complex128,
         "sycl::_V1::detail::half_impl::half": np.float16}
POINTER, STRUCT = 3, 0
N = 24


def function_of(name):
    """numpy's function for a kernel's family; None where numpy has none."""
    other = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh",
             "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh", "bitwise_invert": "invert",
             "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
             "pow": "power", "round": "rint"}
    if name == "rsqrt":
        return lambda x: 1 / np.sqrt(x)
    if name == "sign":
        return lambda x: np.sign(x) if x.dtype.kind != "c" else x / np.abs(x)
    return getattr(np, other.get(name, name), None)


def numbers(dtype, which, family):
    i = np.arange(N)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return (i + which) % (2 + which) == 0
    if kind in "iu":
        return ((i * 3) % 11 + 1 if which == 0 else i % 3 + 1).astype(dtype)
    values = (i * 7 % N + 1) / (N + 2) if which == 0 else (i * 5 % N + 3) / (N + 4)
    if family == "acosh":
        values = values + 1
    if kind == "c":
        values = values + 1j * values[::-1] / 2
    return values.astype(dtype)


class Memory:
    """Shared memory with an array, every `stride`-th element of which holds a value."""

    def __init__(self, values, stride):
        self.size = values.size * stride * values.itemsize
        self.pointer = images.images_memory(self.size)
        raw = (ctypes.c_char * self.size).from_address(self.pointer)
        self.array = np.frombuffer(raw, dtype=values.dtype)[::stride]
        self.array[:] = values

    def free(self):
        images.images_free(self.pointer)


def launch(name, arguments):
    values = [a if isinstance(a, ctypes.Array) else ctypes.c_void_p(a) for a in arguments]
    types = (ctypes.c_int * len(values))(*[STRUCT if isinstance(a, ctypes.Array) else POINTER
                                           for a in arguments])
    sizes = (ctypes.c_size_t * len(values))(*[ctypes.sizeof(v) for v in values])
    pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
    return result_of(images.images_run(name, N, len(values), types, sizes, pointers))


def indexer(strides, shape_memory):
    """dpctl's TwoOffsets_ or ThreeOffsets_StridedIndexer of one dimension: its size in memory is
    {int, a first offset for each array, a pointer to the shape and the strides}."""
    shape_memory.array[:len(strides) + 1] = [N] + strides
    words = [1] + [0] * len(strides) + [shape_memory.pointer]
    return (ctypes.c_uint64 * len(words))(*words)


def run_one(mangled, family, types, shape):
    is_inplace = family.endswith("_inplace")
    family = family.removesuffix("_inplace")
    function = function_of(family)
    if function is None or np.float16 in types:
        return None
    inputs = [numbers(t, i, family) for i, t in enumerate(types[:-1])]
    if is_inplace:
        inputs.append(numbers(types[-1], 1, family))  # out = f(out, in)
        expected = function(inputs[1], inputs[0].astype(types[-1]))
    else:
        with np.errstate(all="ignore"):
            expected = function(*inputs)
    expected = np.asarray(expected).astype(types[-1])
    arrays = [Memory(values, 2) for values in inputs[:len(types) - 1]]
    arrays.append(Memory(inputs[1] if is_inplace else np.zeros(N, types[-1]), 3))
    strides = [2] * (len(types) - 1) + [3]
    result = launch(mangled, [a.pointer for a in arrays] + [indexer(strides, shape)])
    got = arrays[-1].array.copy()
    for array in arrays:
        array.free()
    if "success" not in result.lower():
        return result
    size = np.dtype(types[-1]).itemsize // (2 if np.dtype(types[-1]).kind == "c" else 1)
    close = 0 if np.dtype(types[-1]).kind in "biu" else 2e-5 if size == 4 else 1e-11
    right = np.allclose(got.astype(expected.dtype), expected, rtol=close, atol=close)
    return True if right else f"got {got[:4]}, numpy has {expected[:4]}"


def run():
    most = int(options.get("run", "300"))
    text = subprocess.run(["c++filt"], input="\n".join(n.decode() for n in names),
                          capture_output=True, text=True).stdout.split("\n")
    pattern = re.compile(r"^typeinfo name for [\w:]*::(\w+)_strided_kernel<(.*), "
                         r"dpnp::tensor::offset_utils::(Two|Three)Offsets_StridedIndexer ?>$")
    candidates = []
    for mangled, demangled in zip(names, text):
        match = pattern.match(demangled)
        types = [TYPES.get(t) for t in match[2].split(", ")] if match else [None]
        if None not in types and len(types) == (2 if match[3] == "Two" else 3):
            candidates.append((mangled, match[1], types))
    right, launched, families, wrong, other = 0, 0, set(), [], {}
    shape = Memory(np.zeros(8, np.int64), 1)
    step = max(1, len(candidates) // most)
    part, parts = map(int, options.get("part", "0/1").split("/"))
    for number, (mangled, family, types) in enumerate(candidates[::step][part::parts]):
        result = run_one(mangled, family, types, shape)
        launched += result is not None
        label = f"{family}<{', '.join(np.dtype(t).name for t in types)}>"
        if result is True:
            right += 1
            families.add(family)
        elif isinstance(result, str) and result.startswith("got"):
            wrong.append(f"{label}: {result}")
        elif result is not None:
            other.setdefault(result, []).append(label)
        if number % 50 == 49:
            images.images_forget()
    shape.free()
    print(f"of {len(candidates)} element-wise kernels, {right} of {launched} agree with numpy, in "
          f"{len(families)} families")
    for result, labels in other.items():
        print(f"  {result}: {len(labels)}: {' '.join(labels[:6])}")
    for text in wrong[:20]:
        print(" ", text)
    check("kernels agree with numpy", right >= min(200, most // 2) // parts and not wrong,
          f"{right} right, {len(wrong)} wrong")


if options.get("every") != "0":
    build()
if options.get("run") != "0":
    run()
check("everything is released", images.images_end() == 0)
print(f"{passed} passed, {failed} failed")
sys.stdout.flush()
# The libraries' own destructors unregister their images; Python's exit would unload them in any order.
os._exit(failed != 0)

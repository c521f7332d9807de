#!/usr/bin/env python3
"""dpctl and dpnp (NumPy on SYCL) on the embedded device, each operation beside numpy.

tests/sycl/operations.py SITE: the folder with dpctl, dpnp and numpy. An operation whose kernel the
engine cannot build counts as skipped, on an engine of OpenCL 1.2 only; a wrong number never does.
"""
import os
import re
import sys

sys.path.insert(0, sys.argv[1])
import numpy

import dpctl
import dpctl.memory
import dpctl.program
import dpnp

passed, failed, skipped = [], [], []
# The engines that have sub-groups and functions of work-groups build everything.
is_complete = "pthread" not in dpctl.select_default_device().name
# oneMKL runs on Intel's GPUs by their names.
NEEDS_INTEL = re.compile("unknown GPU architecture|oneapi::mkl", re.I)
CANNOT_BUILD = re.compile(r"Cannot find symbol _Z\w*(sub_group|work_group|atomic_)\w*")


def check(name, run):
    try:
        reason = run()
    except Exception as error:  # whatever the runtime raises
        text = f"{type(error).__name__}: {error}".replace("\n", " ")[:500]
        if NEEDS_INTEL.search(text):
            skipped.append(name)
            print(f"skip {name}: oneMKL needs a GPU of Intel")
        elif not is_complete and CANNOT_BUILD.search(text):
            skipped.append(name)
            print(f"skip {name}: the engine has no function that the kernel needs")
        else:
            failed.append(name)
            print(f"FAIL {name}: {text}")
        return
    (failed if reason else passed).append(name)
    print(f"FAIL {name}: {reason}" if reason else f"pass {name}")


def beside_numpy(name, operation):
    def run():
        expected = operation(numpy)
        result = operation(dpnp)
        result = result if isinstance(result, tuple) else (result,)
        expected = expected if isinstance(expected, tuple) else (expected,)
        for ours, theirs in zip(result, expected):
            ours, theirs = dpnp.asnumpy(ours), numpy.asarray(theirs)
            if ours.shape != theirs.shape:
                return f"shape {ours.shape} and {theirs.shape}"
            if not numpy.allclose(ours, theirs, rtol=1e-5, atol=1e-6, equal_nan=True):
                return f"{ours.ravel()[:4]} and {theirs.ravel()[:4]}"
        return None

    check("dpnp." + name, run)


def floats(xp, count=1000):
    return xp.asarray(numpy.linspace(-3.0, 4.0, count, dtype="float32"))


def positive(xp):
    return floats(xp) * floats(xp) + xp.asarray(1.0, dtype="float32")


def numbers(xp, count=1000):
    return xp.asarray(numpy.arange(count, dtype="int32") * 7919 % 1009)


def square(xp):
    return xp.reshape(floats(xp, 1024), (32, 32))


OPERATIONS = {
    "arange": lambda xp: xp.arange(1000, dtype="int32"),
    "linspace": lambda xp: xp.linspace(-3.0, 4.0, 1000, dtype="float32"),
    "ones": lambda xp: xp.ones((8, 9), dtype="float32"),
    "full": lambda xp: xp.full((100,), 7, dtype="int32"),
    "eye": lambda xp: xp.eye(9, dtype="float32"),
    "add": lambda xp: floats(xp) + floats(xp),
    "multiply": lambda xp: floats(xp) * numbers(xp),
    "subtract of strides": lambda xp: floats(xp)[::3] - floats(xp)[::-3],
    "divide": lambda xp: floats(xp) / positive(xp),
    "floor_divide": lambda xp: numbers(xp) // 13,
    "remainder": lambda xp: numbers(xp) % 13,
    "power": lambda xp: positive(xp) ** 2,
    "broadcast": lambda xp: square(xp) + floats(xp, 32),
    "sin": lambda xp: xp.sin(floats(xp)),
    "exp": lambda xp: xp.exp(floats(xp)),
    "log": lambda xp: xp.log(positive(xp)),
    "sqrt": lambda xp: xp.sqrt(positive(xp)),
    "sin of double": lambda xp: xp.sin(xp.linspace(0, 9, 100, dtype="float64")),
    "abs": lambda xp: xp.abs(floats(xp)),
    "round": lambda xp: xp.round(floats(xp)),
    "greater": lambda xp: floats(xp) > 0,
    "bitwise_and": lambda xp: numbers(xp) & 255,
    "left_shift": lambda xp: numbers(xp) << 3,
    "where": lambda xp: xp.where(floats(xp) > 0, floats(xp), -floats(xp)),
    "clip": lambda xp: xp.clip(floats(xp), -1, 1),
    "astype": lambda xp: floats(xp).astype("int32"),
    "copy": lambda xp: xp.copy(floats(xp)[::2]),
    "reshape": lambda xp: xp.reshape(numbers(xp), (10, 100)),
    "transpose": lambda xp: xp.ascontiguousarray(square(xp).T),
    "concatenate": lambda xp: xp.concatenate((floats(xp), floats(xp))),
    "roll": lambda xp: xp.roll(numbers(xp), 10),
    "take": lambda xp: xp.take(floats(xp), numbers(xp, 500)[:100] % 1000),
    "sum": lambda xp: xp.sum(numbers(xp)),
    "sum of an axis": lambda xp: xp.sum(square(xp), axis=0),
    "max": lambda xp: xp.max(floats(xp)),
    "argmin": lambda xp: xp.argmin(floats(xp)),
    "mean": lambda xp: xp.mean(positive(xp)),
    "any": lambda xp: xp.any(floats(xp) > 3),
    "cumsum": lambda xp: xp.cumsum(numbers(xp)),
    "sort": lambda xp: xp.sort(numbers(xp)),
    "argsort": lambda xp: xp.argsort(numbers(xp, 900)),
    "searchsorted": lambda xp: xp.searchsorted(xp.sort(numbers(xp)), numbers(xp, 50)),
    "unique": lambda xp: xp.unique(numbers(xp) % 17),
    "boolean index": lambda xp: floats(xp)[floats(xp) > 1],
    "nonzero": lambda xp: xp.nonzero(numbers(xp) % 3 == 0),
    "dot": lambda xp: xp.dot(floats(xp), floats(xp)),
    "matmul": lambda xp: square(xp) @ square(xp),
}


def device_is_found():
    device = dpctl.select_default_device()
    return None if device.backend == dpctl.backend_type.level_zero else f"{device}"


def usm_kinds():
    queue = dpctl.SyclQueue()
    for kind in (dpctl.memory.MemoryUSMDevice, dpctl.memory.MemoryUSMHost, dpctl.memory.MemoryUSMShared):
        memory = kind(1024, queue=queue)
        memory.copy_from_host(bytes(range(256)) * 4)
        if bytes(memory.copy_to_host()) != bytes(range(256)) * 4:
            return f"{kind.__name__} lost its contents"
    return None


def a_program_of_spir_v():
    queue = dpctl.SyclQueue(property="in_order")
    with open("tests/kernels/basic.spv", "rb") as file:
        program = dpctl.program.create_program_from_spirv(queue, file.read())
    if not program.has_sycl_kernel("iota") or program.has_sycl_kernel("absent"):
        return "its kernels are wrong"
    memory = dpctl.memory.MemoryUSMShared(4 * 256, queue=queue)
    kernel = program.get_sycl_kernel("iota")
    queue.submit(kernel, [memory, __import__("ctypes").c_int(5)], [256]).wait()
    values = numpy.frombuffer(memory.copy_to_host(), dtype="int32")
    return None if (values == numpy.arange(5, 261)).all() else f"{values[:4]}"


def a_barrier_waits():
    queue = dpctl.SyclQueue()
    memory = dpctl.memory.MemoryUSMDevice(1024, queue=queue)
    host = bytearray(b"\x07" * 1024)
    first = queue.memcpy_async(memory, host, 1024)
    queue.submit_barrier([first]).wait()
    return None if bytes(memory.copy_to_host()) == bytes(host) else "not copied"


check("dpctl.a level_zero device is found", device_is_found)
check("dpctl.memory of each kind", usm_kinds)
check("dpctl.a program of SPIR-V", a_program_of_spir_v)
check("dpctl.a barrier waits", a_barrier_waits)
for name, operation in OPERATIONS.items():
    beside_numpy(name, operation)
summary = f", {len(skipped)} skipped" if skipped else ""
print(f"{len(passed)} passed, {len(failed)} failed{summary}")
sys.stdout.flush()
os._exit(1 if failed else 0)

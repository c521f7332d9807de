#!/usr/bin/env python3
"""Tensors and memory between syclze.py and dpctl, dpnp and NumPy, on the embedded device.

tests/sycl/tensors.py SITE MODULE: the folders with dpctl, dpnp and numpy, and with syclze.py. The
context is dpctl's default one, which DLPack names for memory of SYCL.
"""
import ctypes
import gc
import os
import sys

sys.path[:0] = sys.argv[1:3]
import dpctl
import dpctl.memory
import dpnp
import dpnp.tensor
import numpy

import syclze

COUNT = 64
queue_of_sycl = dpctl.SyclQueue(property="in_order")
device = syclze.device_from_sycl(queue_of_sycl.sycl_device.addressof_ref())
context = syclze.context_from_sycl(queue_of_sycl.sycl_context.addressof_ref())
queue = syclze.queue_create(context, device)


def memory_of(values, **options):
    memory = syclze.Memory(context, device, 4 * COUNT, dtype="<i4", **options)
    data = numpy.asarray(values, dtype="<i4")
    queue.copy(memory.pointer, data.ctypes.data, data.nbytes)
    queue.wait()
    return memory


def fill(buffer, value):
    with syclze.group_begin(queue) as group:
        written = group.require_buffer(buffer, syclze.AccessMode.WRITE)
        group.fill(syclze.MemoryArgument.of(written), ctypes.c_int(value), 4, 4 * COUNT)
    queue.wait()


def imported_by_dpnp(from_dlpack, to_numpy):
    for kind in ("device", "shared", "host"):
        memory = memory_of(range(COUNT), kind=kind)
        array = from_dlpack(memory)
        assert array.shape == (COUNT,) and array.dtype == numpy.int32, array.dtype
        assert (to_numpy(array) == numpy.arange(COUNT)).all()
        array[:] = 5
        array.sycl_queue.wait()
        copy = numpy.zeros(COUNT, dtype="<i4")
        queue.copy(copy.ctypes.data, memory.pointer, copy.nbytes)
        queue.wait()
        assert (copy == 5).all(), copy
        assert syclze._exported, "the array keeps the memory"
        del array
        gc.collect()
        assert not syclze._exported, "the array's end is the tensor's"
        memory.close()


def a_tensor_of_dpnp_imports_usm():
    imported_by_dpnp(dpnp.tensor.from_dlpack, dpnp.tensor.asnumpy)


def an_array_of_dpnp_imports_usm():
    imported_by_dpnp(dpnp.from_dlpack, dpnp.asnumpy)


def imported_here(array, to_numpy):
    array.sycl_queue.wait()  # its zeros are written
    with syclze.buffer_from_dlpack(array, context) as buffer:
        fill(buffer, 9)
    array.sycl_queue.wait()
    assert (to_numpy(array) == 9).all()


def a_tensor_of_dpnp_is_a_buffer():
    imported_here(dpnp.tensor.zeros(COUNT, dtype="i4", device=queue_of_sycl), dpnp.tensor.asnumpy)


def an_array_of_dpnp_is_a_buffer():
    imported_here(dpnp.zeros(COUNT, dtype="i4", sycl_queue=queue_of_sycl), dpnp.asnumpy)


def a_buffer_keeps_the_array():
    memory = dpctl.memory.MemoryUSMShared(4 * COUNT, queue=queue_of_sycl)
    array = dpnp.tensor.usm_ndarray((COUNT,), dtype="i4", buffer=memory)
    before = sys.getrefcount(memory)
    buffer = syclze.buffer_from_dlpack(array, context)
    del array
    assert sys.getrefcount(memory) == before, "the tensor stands for the array"
    buffer.close()
    assert sys.getrefcount(memory) == before - 1


def an_array_with_gaps_is_refused():
    array = dpnp.zeros(2 * COUNT, dtype="i4", sycl_queue=queue_of_sycl)[::2]
    try:
        syclze.buffer_from_dlpack(array, context)
    except syclze.Error:
        return
    raise AssertionError("a buffer of every second element")


def numpy_imports_what_the_host_sees():
    with memory_of(range(COUNT), kind="shared") as memory:
        array = numpy.from_dlpack(memory.on_host())
        numpy.asarray(memory)[:] = 3
        assert (array == 3).all() and (dpnp.asnumpy(dpnp.from_dlpack(memory)) == 3).all()


def memory_of_numpy_is_refused():
    try:
        syclze.buffer_from_dlpack(numpy.zeros(COUNT, dtype="i4"), context)
    except syclze.Error:
        return
    raise AssertionError("memory that is no USM")


def dpctl_reads_the_array_interface():
    memory = memory_of(range(COUNT), kind="shared")
    memory.queue = queue_of_sycl
    view = dpctl.memory.as_usm_memory(memory)
    assert view.nbytes == 4 * COUNT and view.get_usm_type() == "shared"
    assert (numpy.frombuffer(view.copy_to_host(), dtype="i4") == numpy.arange(COUNT)).all()


def the_ordinal_is_the_same():
    memory = memory_of(range(COUNT))
    array = dpnp.zeros(1, sycl_queue=queue_of_sycl)
    assert memory.__dlpack_device__() == tuple(array.__dlpack_device__())


PROGRAMS = [a_tensor_of_dpnp_imports_usm, an_array_of_dpnp_imports_usm, a_tensor_of_dpnp_is_a_buffer,
            an_array_of_dpnp_is_a_buffer, a_buffer_keeps_the_array, an_array_with_gaps_is_refused,
            numpy_imports_what_the_host_sees, memory_of_numpy_is_refused, dpctl_reads_the_array_interface,
            the_ordinal_is_the_same]
passed = failed = 0
for program in PROGRAMS:
    try:
        program()
        passed += 1
        print("pass", program.__name__)
    except Exception as error:  # whatever either library raises
        failed += 1
        print(f"FAIL {program.__name__}: {type(error).__name__}: {error}")
print(f"{passed} passed, {failed} failed")
sys.stdout.flush()
os._exit(1 if failed else 0)

"""The six programs in Python: python3 programs.py [NAME]. The module is in PYTHONPATH."""
import ctypes
import os
import sys
import threading
import traceback
from ctypes import c_float, c_int

import syclze

COUNT = 64


class Skip(Exception):
    pass


def begin():
    device = syclze.device_get_selected()[0]
    context = syclze.context_create([device])
    return device, context, syclze.queue_create(context, device)


def kernel_of(context, device, name):
    with open("tests/kernels/basic.spv", "rb") as file:
        code = file.read()
    buffer = ctypes.create_string_buffer(code, len(code))
    desc = syclze.KernelBundleDesc(spirv=ctypes.addressof(buffer), size=len(code))
    with syclze.kernel_bundle_create(context, device, desc) as bundle:
        return syclze.kernel_create(bundle, name)


def adopt_a_native_queue_and_event():
    ze = ctypes.CDLL("libze_loader.so.1")
    device, context, queue = begin()
    with context, queue:
        desc = (ctypes.c_uint32 * 12)(0xe)  # ze_command_queue_desc_t
        made = ctypes.c_void_p()
        native = ctypes.c_void_p(context.get_native())
        assert ze.zeCommandListCreateImmediate(native, ctypes.c_void_p(device.get_native()), desc,
                                               ctypes.byref(made)) == 0
        given = syclze.QueueInput(native_handle=syclze.native_queue_of_list(made.value), device=device)
        with syclze.make_queue(given, context) as adopted, syclze.event_create(context, 0) as other:
            assert adopted.get_native().list == made.value
            kept = syclze.EventInput(native_handle=other.get_native(),
                                     ownership=syclze.Ownership.KEEP)
            with syclze.make_event(kept, context) as event:
                assert ze.zeCommandListAppendSignalEvent(made, ctypes.c_void_p(event.get_native())) == 0
                event.wait()
            assert other.get_status() == syclze.EventStatus.COMPLETE


def add_vectors():
    device, context, queue = begin()
    with context, queue, kernel_of(context, device, "axpy") as kernel, \
            syclze.Memory(context, device, 4 * COUNT, dtype="<f4") as x, \
            syclze.Memory(context, device, 4 * COUNT, dtype="<f4") as y:
        xs = (c_float * COUNT).from_buffer(x.view())
        ys = (c_float * COUNT).from_buffer(y.view())
        for i in range(COUNT):
            xs[i], ys[i] = i, 100
        queue.launch(kernel, COUNT, c_float(1), x, y)
        queue.wait()
        assert list(ys) == [100 + i for i in range(COUNT)]
        try:
            queue.launch(kernel, COUNT, 1.0, x, y)
        except TypeError:
            pass
        else:
            raise AssertionError("a bare float has no size")


def buffers_and_a_host_task():
    device, context, queue = begin()
    data, sums = (c_int * COUNT)(), []
    with context, queue, kernel_of(context, device, "iota") as kernel:
        desc = syclze.BufferDesc(element_size=4, dimensions=1, range=(COUNT,),
                                 host_data=ctypes.addressof(data))
        with syclze.buffer_create(context, desc) as buffer:
            with syclze.group_begin(queue) as group:
                written = group.require_buffer(buffer, syclze.AccessMode.WRITE)
                group.launch(kernel, COUNT, written, c_int(5))
            with syclze.group_begin(queue) as group:
                read = group.require_buffer(buffer, syclze.AccessMode.READ)

                def add_up(handle):
                    memory = syclze.interop_handle_get_native_buffer(handle, read)
                    sums.append(sum((c_int * COUNT).from_address(memory)))

                event = group.host_task(add_up, event=True)
            with event:
                event.wait()
        assert sums == [sum(range(5, 5 + COUNT))], sums
        assert list(data) == list(range(5, 5 + COUNT))


def a_graph():
    device, context, queue = begin()
    ran = []
    with context, queue, syclze.graph_create(context, device) as graph, \
            syclze.Memory(context, device, 4 * COUNT) as memory:
        data = (c_int * COUNT).from_buffer(memory.view())
        graph.begin_recording(queue)
        with queue.get_graph() as recorded:
            assert recorded == graph
        queue.fill(memory, c_int(9), 4, 4 * COUNT)
        with syclze.group_begin(queue) as group:
            group.host_task(lambda handle: ran.append(data[0]), recorded=True)
        graph.end_recording(queue)
        assert graph.get_node_count() == 2
        with graph.finalize(0) as executable:
            for _ in range(2):
                queue.fill(memory, c_int(0), 4, 4 * COUNT)
                queue.wait()
                assert data[COUNT - 1] == 0
                queue.submit_graph(executable)
                queue.wait()
                assert list(data) == [9] * COUNT
    assert len(ran) == 2


def an_image():
    device, context, queue = begin()
    with context, queue:
        given = syclze.ImageInput(chan_order=syclze.ImageChannelOrder.R,
                                  chan_type=syclze.ImageChannelType.FP32, dimensions=2, range=(4, 2))
        pixels, back = (c_float * 8)(*range(8)), (c_float * 8)()
        with syclze.image_create(context, device, given) as image:
            image.write(None, pixels, 0, 0)
            image.read(None, back, 0, 0)
            assert list(back) == list(pixels) and image.get_range(0) == 4


def errors_and_what_is_left_behind():
    _, context, queue = begin()
    with context, queue:
        try:
            syclze.buffer_create(syclze.Context(), syclze.BufferDesc())
        except syclze.Error as error:
            assert error.function == "syclze_buffer_create" and "null" in error.rule, error
            assert error.name == "ZE_RESULT_ERROR_INVALID_NULL_HANDLE", error
        else:
            raise AssertionError("a null context is refused")
        try:
            syclze.BufferDesc(elements=4)
        except AttributeError:
            pass
        else:
            raise AssertionError("a member that is not there is refused")
        syclze.group_begin(queue).close()  # without a submission
        event = syclze.event_create(context, 0)
        event.close()
        event.close()  # the second has no effect
        assert not event
        del event

        def fails(handle):
            raise syclze.Error(syclze.Result.INVALID)

        with syclze.group_begin(queue) as group:
            group.host_task(fails)
        try:
            queue.wait()
        except syclze.Error as error:
            assert error.name == "SYCLZE_RESULT_ERROR_INVALID", error
        else:
            raise AssertionError("an error of a host task is the queue's")
        with syclze.group_begin(queue) as group:
            try:
                group.native_command(fails)
            except syclze.Error as error:
                assert error.code == syclze.Result.INVALID, error
            else:
                raise AssertionError("an error of a native command is the call's")


def arrays_that_functions_fill():
    device, context, queue = begin()
    with context, queue, kernel_of(context, device, "axpy") as kernel:
        assert len(kernel.suggest_group_size((COUNT, 1, 1))) == 3
        assert kernel.get_max_group_count((1, 1, 1)) > 0
        syclze.events_wait(None)
        opened = threading.Event()
        with syclze.group_begin(queue) as group:
            gate = group.host_task(lambda handle: opened.wait(), event=True)
        with gate, syclze.Memory(context, device, 4) as memory:
            with queue.fill(memory, c_int(1), 4, 4, [gate], event=True) as event:
                assert gate in queue.get_wait_list(event)
                opened.set()
                queue.wait()
        with syclze.graph_create(context, device) as graph:
            nodes = [graph.add_empty_node(None, 0) for _ in range(3)]
            last = graph.add_empty_node((ctypes.c_uint32 * 3)(*nodes), 3)
            assert graph.get_predecessors(last) == graph.get_roots() == nodes
            assert graph.get_successors(nodes[0]) == graph.get_leaves() == [last]


def arguments_live_as_long_as_their_array():
    class Wide:
        dtype, nbytes, shape = "V32", 32, ()

        def __init__(self, number):
            self.tobytes = lambda: bytes([number % 256]) * 32

    array = syclze._array(syclze.Argument, [Wide(i) for i in range(1000)])
    read = [ctypes.string_at(one.opaque[2], 1)[0] for one in array]
    assert read == [i % 256 for i in range(1000)], read


def images_that_functions_list():
    device, _, _ = begin()
    traits = device.get_traits()
    with open("tests/kernels/basic.spv", "rb") as file:
        code = file.read()
    data = ctypes.create_string_buffer(code, len(code))
    image = syclze.offload_image_of(syclze.bytes_of(data, len(code)))
    with syclze.offload_set_create() as images:
        for _ in range(2):
            images.add(image, None)
        assert len(images.list()) == len(images.find("axpy")) == 2
        candidates = syclze.selection_find(images, "axpy", traits, 2, None, 0)
        assert [one.serial for one in candidates] == [found.serial for found in images.list()]
        assert len(syclze.selection_find(images, "axpy", traits, 1, None, 0)) == 1
        assert syclze.selection_link(images, candidates[0], traits) == []
    count, candidates, _ = syclze.selection_check(image, "axpy", traits)
    assert count == 1 and len(candidates) == syclze.SELECTION_PER_IMAGE


def functions_of_events():
    device, context, queue = begin()
    opened, called, codes = threading.Event(), threading.Event(), []
    kept = len(syclze._tasks)
    with context, queue:
        with syclze.group_begin(queue) as group:
            gate = group.host_task(lambda handle: opened.wait(), event=True)
        with gate:
            gate.on_complete(lambda code: codes.append(code) or called.set())
            opened.set()
            assert called.wait(60) and codes == [0], codes
        queue.wait()
    assert len(syclze._tasks) == kept


def timed_waits():
    device, context, queue = begin()
    opened = threading.Event()
    with context, queue:
        with syclze.group_begin(queue) as group:
            gate = group.host_task(lambda handle: opened.wait(), event=True)
        assert gate.wait_for(0) == syclze.ZeResult.NOT_READY
        assert queue.wait_for(1000) == syclze.ZeResult.NOT_READY
        opened.set()
        assert queue.wait_for(1 << 60) == gate.wait_for(0) == 0


def memory_that_cannot_be_written():
    """The command reads the caller's memory, not a copy that ends with the call."""
    device, context, queue = begin()
    opened, data = threading.Event(), bytes(range(256)) * 16
    with context, queue, syclze.Memory(context, device, len(data)) as memory:
        with syclze.group_begin(queue) as group:
            gate = group.host_task(lambda handle: opened.wait(), event=True)
        queue.copy(memory, memoryview(data)[16:], len(data) - 16, [gate])
        others = [b"x" * (len(data) - 16) for _ in range(1000)]
        opened.set()
        queue.wait()
        assert bytes(memory.view())[:len(data) - 16] == data[16:]
        del others


def numpy_arrays():
    """Only here: the buffer protocol and the interfaces of arrays."""
    try:
        import numpy
    except ImportError:
        raise Skip("numpy is not installed")
    device, context, queue = begin()
    with context, queue, syclze.Memory(context, device, 4 * COUNT, dtype="<f4") as memory:
        array = numpy.asarray(memory)
        array[:] = numpy.arange(COUNT)
        back = numpy.zeros(COUNT, dtype="f4")
        queue.copy(back, memory, back.nbytes)
        queue.wait()
        assert (back == numpy.arange(COUNT)).all()
        interface = memory.__sycl_usm_array_interface__
        assert interface["data"] == (memory.pointer, False) and interface["shape"] == (COUNT,)
        desc = syclze.BufferDesc(element_size=4, dimensions=1, range=(COUNT,),
                                 host_data=array.ctypes.data)
        with syclze.buffer_create(context, desc) as buffer:
            with syclze.host_accessor_create(buffer, syclze.AccessMode.READ_WRITE) as accessor:
                numpy.frombuffer(accessor.view(), dtype="f4")[:] = 3
        assert (array == 3).all()


def tensors():
    """Only here: DLPack, out and in."""
    device, context, queue = begin()
    with context, queue, syclze.Memory(context, device, 4 * COUNT, dtype="<i4") as memory:
        data = (c_int * COUNT).from_buffer(memory.view())
        assert memory.__dlpack_device__() == (14, 0)
        unused = memory.__dlpack__()
        del unused  # ends the tensor
        with syclze.buffer_from_dlpack(memory, context) as buffer:
            with syclze.group_begin(queue) as group:
                written = group.require_buffer(buffer, syclze.AccessMode.WRITE)
                group.fill(syclze.MemoryArgument.of(written), c_int(4), 4, 4 * COUNT)
            queue.wait()
        assert list(data) == [4] * COUNT
        try:
            import numpy
        except ImportError:
            raise Skip("numpy is not installed")
        if hasattr(numpy, "from_dlpack"):
            array = numpy.from_dlpack(memory.on_host())
            assert array.dtype == "i4" and (array == 4).all()
            del array
    assert not syclze._exported


def documented():
    """Only here: each function has the contract of its C function."""
    assert "Wraps a command queue" in syclze.make_queue.__doc__
    bare = [n for n, v in vars(syclze).items() if callable(v) and not n.startswith("_") and
            type(v) is type(documented) and v.__module__ == "syclze" and not v.__doc__]
    assert not bare, bare


def a_library_of_another_minor_version():
    lib = syclze._lib
    if not lib.versioned:
        raise Skip("the system has no symbol versions")
    node, release, string = lib.node, lib.syclze_graph_release, lib.syclze_result_string
    try:
        lib.node = b"SYCLZE_0.9"
        syclze._function("syclze_result_string", ctypes.c_char_p, [ctypes.c_uint32])
        assert lib.syclze_result_string(0)
        syclze._function("syclze_graph_release", ctypes.c_uint32, [ctypes.c_void_p], True)
        try:
            lib.syclze_graph_release(None)
        except NotImplementedError as error:
            assert "SYCLZE_0.9" in str(error)
        else:
            raise AssertionError("an experimental function of another version was called")
    finally:
        lib.node, lib.syclze_graph_release, lib.syclze_result_string = node, release, string


PROGRAMS = [adopt_a_native_queue_and_event, add_vectors, buffers_and_a_host_task, a_graph, an_image,
            errors_and_what_is_left_behind, arrays_that_functions_fill,
            arguments_live_as_long_as_their_array, images_that_functions_list,
            functions_of_events, timed_waits,
            memory_that_cannot_be_written, numpy_arrays, tensors, documented,
            a_library_of_another_minor_version]


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for program in PROGRAMS:
        if wanted not in program.__name__:
            continue
        try:
            program()
            counts["passed"] += 1
            print("pass", program.__name__)
        except Skip as reason:
            counts["skipped"] += 1
            print("skip %s: %s" % (program.__name__, reason))
        except BaseException:
            counts["failed"] += 1
            print("FAIL %s: %s" % (program.__name__, " | ".join(traceback.format_exc().split("\n")[-5:])))
    print("%(passed)d passed, %(failed)d failed" % counts + (
        ", %(skipped)d skipped" % counts if counts["skipped"] else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

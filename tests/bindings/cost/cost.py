"""The operations of cost.c in Python."""
import ctypes
import sys

import syclze

mark = ctypes.CDLL(sys.argv[1])


def measure(name, function):
    for _ in range(20):
        function()
    mark.mark_begin()
    for _ in range(100):
        function()
    mark.mark_end(name.encode())


device = syclze.device_get_selected()[0]
context = syclze.context_create([device])
queue = syclze.queue_create(context, device, syclze.PropertyList(
    flags=syclze.QueueProperty.IN_ORDER))
event = syclze.event_create(context, 0)
with open("tests/kernels/basic.spv", "rb") as file:
    code = file.read()
desc = syclze.KernelBundleDesc(spirv=ctypes.cast(ctypes.c_char_p(code), ctypes.c_void_p), size=len(code))
kernel = syclze.kernel_create(syclze.kernel_bundle_create(context, device, desc), "axpy")
x, y = (syclze.Memory(context, device, 256) for _ in range(2))
buffer = syclze.make_buffer(syclze.BufferInput(
    native_handle=x.pointer, element_size=4, range=(64,), dimensions=1,
    ownership=syclze.Ownership.KEEP), context)
of_event = syclze.EventInput(native_handle=event.get_native(), ownership=syclze.Ownership.KEEP)
zero, two = ctypes.c_int(0), ctypes.c_float(2)
extents = syclze.nd_range(64, local=(64,))


def group():
    with syclze.group_begin(queue) as begun:
        accessor = begun.require_buffer(buffer, syclze.AccessMode.WRITE)
        begun.fill(syclze.MemoryArgument.of(accessor), zero, 4, 256)


measure("get_native", event.get_native)
measure("make_event", lambda: syclze.make_event(of_event, context).close())
measure("fill", lambda: queue.fill(y, zero, 4, 256))
measure("launch", lambda: queue.launch(kernel, extents, two, x, y))
measure("group", group)

"""A C library on syclze works in dpctl's queue, on arrays of dpnp.

main.py SITE ADAPTER SPIRV: the folder with dpctl and dpnp, adapter.c as a shared object, and the
library's kernel.
"""
import ctypes
import sys

sys.path.insert(0, sys.argv[1])
import dpctl
import dpnp

pointer = ctypes.c_void_p
adapter = ctypes.CDLL(sys.argv[2])
adapter.adapter_open.restype = pointer
adapter.adapter_open.argtypes = [pointer, ctypes.c_char_p]
adapter.adapter_saxpy.restype = pointer
adapter.adapter_saxpy.argtypes = [pointer, pointer, ctypes.c_float, pointer, pointer, ctypes.c_size_t]
adapter.adapter_close.argtypes = [pointer]
capsule_of = ctypes.pythonapi.PyCapsule_New
capsule_of.restype = ctypes.py_object
capsule_of.argtypes = [pointer, ctypes.c_char_p, pointer]


def address(array):
    return array.get_array()._pointer


def event_of(reference):
    """The dpctl event, which takes the reference."""
    if not reference:
        sys.exit("the library failed")
    return dpctl.SyclEvent(capsule_of(reference, b"SyclEventRef", None))


queue = dpctl.SyclQueue(property="in_order")
library = adapter.adapter_open(queue.addressof_ref(), sys.argv[3].encode())
if not library:
    sys.exit("the library does not open")

x = dpnp.arange(1000, dtype="float32", sycl_queue=queue)
y = dpnp.ones(1000, dtype="float32", sycl_queue=queue)
done = event_of(adapter.adapter_saxpy(library, queue.addressof_ref(), 2, address(x), address(y), x.size))
z = y + x
done.wait()
wrong = sum(int(z[i]) != 3 * i + 1 for i in range(0, 1000, 111))
adapter.adapter_close(library)
print(f"{x.size} numbers, {wrong} wrong")
sys.exit(wrong != 0)

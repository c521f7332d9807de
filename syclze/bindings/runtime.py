"""syclze: SYCL's Level Zero backend without SYCL, for Python. Made of the headers' contracts; see
the manual's page on Python.

    import syclze
    device = syclze.device_get_selected()[0]
    with syclze.context_create([device]) as context, syclze.queue_create(context, device) as queue:
        with syclze.Memory(context, device, 4096) as memory:
            syclze.queue_fill(queue, memory, b"\\0", 1, 4096)
            queue.wait()

The library is what SYCLZE_LIBRARY names, or libsyclze.so.1 beside this file, or where the loader
finds it.
"""
import ctypes
import enum
import os
import traceback
from ctypes import (CFUNCTYPE, POINTER, Structure, Union, byref, c_bool, c_char, c_char_p, c_double,
                    c_float, c_int, c_int8, c_int16, c_int32, c_int64, c_size_t, c_uint, c_uint8,
                    c_uint16, c_uint32, c_uint64, c_void_p)


class Error(Exception):
    """A failed call: code, and of its diagnostic the function, the rule, the handle and the detail."""

    def __init__(self, code):
        last = _lib.syclze_last_diagnostic()
        last = last.contents if last and last.contents.result == code else None
        self.code = code
        self.name = _lib.syclze_result_string(code).decode()
        self.function = last.function.decode() if last else ""
        self.rule = last.rule.decode() if last and last.rule else ""
        self.handle = last.handle if last else None
        self.detail = last.detail.decode(errors="replace") if last and last.detail else ""
        super().__init__(": ".join(p for p in (self.function, self.name, self.rule, self.detail) if p))


def _check(code):
    if code and _lib.syclze_errc(code):
        raise Error(code)
    return code


class _Object(Structure):
    """One pointer. A reference that the caller owns is released once."""
    _owner = False

    def close(self):
        """Releases the caller's reference, if it has one."""
        if self._owner and self.rep:
            self._owner = False
            code = getattr(_lib, self._release)(self)
            self.rep = None
            if isinstance(code, int):
                _check(code)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        try:
            self.close()
        except Exception:  # The module is at its end.
            pass

    def __bool__(self):
        return bool(self.rep)

    def __eq__(self, other):
        return type(self) is type(other) and self.rep == other.rep

    def __hash__(self):
        return hash(self.rep)


class _Held:
    """What is begun and ended: `with` ends it."""

    def __init__(self, pointer, owner=False):
        self._as_parameter_, self._owner = c_void_p(pointer), owner

    def close(self):
        if self._owner:
            self._owner = False
            getattr(_lib, self._end)(self)
            self._as_parameter_ = c_void_p()

    __enter__ = _Object.__enter__
    __exit__ = _Object.__exit__
    __del__ = _Object.__del__


def _made(kind, pointer):
    if not pointer:
        raise MemoryError
    return kind(pointer, True)


def _owned(value):
    if value is not None and value.rep and value._release:
        value._owner = True
    return value


def _array(kind, values):
    if isinstance(values, ctypes.Array):
        return values
    convert = getattr(kind, "_from", None)
    values = [convert(v) if convert else v for v in (() if values is None else values)]
    array = (kind * len(values))(*values)
    array._values = values
    return array


def _text(value):
    return value.encode() if isinstance(value, str) else value


_STRIDED = 0x18  # PyBUF_STRIDES


def _address(value):
    """The address of memory: an integer, what has the interface of USM arrays, or a buffer."""
    if value is None or isinstance(value, (int, bytes, ctypes._Pointer, c_void_p)):
        return value
    usm = getattr(value, "__sycl_usm_array_interface__", None)
    if usm is not None:
        return usm["data"][0] + usm.get("offset", 0)
    if isinstance(value, (ctypes.Array, Structure, ctypes._SimpleCData)):
        return ctypes.addressof(value)
    if not memoryview(value).contiguous:
        raise ValueError("the memory has gaps")
    view = (c_void_p * 11)()  # Py_buffer, whose first member is the address
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(value), view, _STRIDED)
    ctypes.pythonapi.PyBuffer_Release(view)
    return view[0]


class _Library:
    """The functions, each of the release that this module was made of, where the system has versions."""


def _load(node):
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsyclze.so.1")
    name = os.environ.get("SYCLZE_LIBRARY") or (beside if os.path.exists(beside) else "libsyclze.so.1")
    library = _Library()
    library.handle, library.node = ctypes.CDLL(name), node.encode()
    try:
        library.versioned = ctypes.CDLL(None).dlvsym
        library.versioned.restype = c_void_p
        library.versioned.argtypes = [c_void_p, c_char_p, c_char_p]
    except AttributeError:
        library.versioned = None
    return library


def _missing(name):
    def fail(*_):
        raise NotImplementedError("%s is experimental, and the library has not that of %s" % (
            name, _lib.node.decode()))
    return fail


def _function(name, result, parameters, experimental=False):
    found = _lib.versioned and _lib.versioned(_lib.handle._handle, name.encode(), _lib.node)
    if found:
        made = CFUNCTYPE(result, *parameters)(found)
    elif experimental and _lib.versioned:
        made = _missing(name)
    else:
        made = getattr(_lib.handle, name)
        made.restype, made.argtypes = result, parameters
    setattr(_lib, name, made)


# ---- The generated part stands here.
_tasks = {}


def _run(handle, argument):
    function, again = _tasks[argument] if argument in _tasks else (None, False)
    if not again:
        _tasks.pop(argument, None)
    try:
        function(handle)
        return 0
    except Error as error:
        return error.code
    except BaseException:
        traceback.print_exc()
        return Result.RUNTIME


_run_task = HostFunction(_run)
_task_count = iter(range(1, 1 << 62))


def _with_task(submit, group, function, event, recorded):
    """Submits with a Python function, which is kept until it ran; of a graph, as long as the module."""
    key = next(_task_count)
    _tasks[key] = (function, recorded)
    try:
        return submit(group, _run_task, key, event)
    except BaseException:
        _tasks.pop(key, None)
        raise


_host_task, _native_command = group_host_task, group_native_command


def group_host_task(group, function, event=False, recorded=False):
    """Runs function(handle) on a thread of the library when the group's requirements are met.

    recorded: the group's queue records a graph, so that the function may run many times.
    event: returns the submission's event.
    """
    return _with_task(_host_task, group, function, event, recorded)


def group_native_command(group, function, event=False, recorded=False):
    """Calls function(handle) in place of a command: see group_host_task."""
    return _with_task(_native_command, group, function, event, recorded)


Group.host_task, Group.native_command = group_host_task, group_native_command


def _complete(argument, code):
    _tasks.pop(argument)[0](code)


_complete_event, _event_on_complete = EventFunction(_complete), event_on_complete


def event_on_complete(event, function):
    """EXPERIMENTAL. Calls function(code) on a thread of the library when the event is complete.

    code: 0, or the error that keeps the event from being signalled.
    """
    key = next(_task_count)
    _tasks[key] = (function, False)
    try:
        _event_on_complete(event, _complete_event, key)
    except BaseException:
        _tasks.pop(key, None)
        raise


Event.on_complete = event_on_complete


def _argument_from(value):
    """An argument of a kernel: an accessor, USM memory, a value of ctypes or NumPy, or an Argument."""
    if isinstance(value, Argument):
        return value
    if isinstance(value, Accessor):
        made, kept = _lib.syclze_argument_accessor(byref(value), ctypes.sizeof(value)), value
    elif hasattr(value, "__sycl_usm_array_interface__"):
        kept = c_void_p(_address(value))
        made = _lib.syclze_argument_value(byref(kept), ctypes.sizeof(kept))
    elif isinstance(value, (ctypes._SimpleCData, Structure)):
        made, kept = _lib.syclze_argument_value(byref(value), ctypes.sizeof(value)), value
    elif hasattr(value, "dtype") and hasattr(value, "tobytes") and not getattr(value, "shape", ()):
        kept = ctypes.create_string_buffer(value.tobytes(), value.nbytes)
        made = _lib.syclze_argument_value(kept, value.nbytes)
    else:
        raise TypeError("an argument has a size: give a value of ctypes or NumPy, not %r" % (value,))
    made._kept = kept
    return made


Argument._from = staticmethod(_argument_from)


def _memory_argument_from(value):
    if isinstance(value, MemoryArgument):
        return value
    if isinstance(value, Accessor):
        return _lib.syclze_memory_argument_accessor(value)
    return _lib.syclze_memory_argument_pointer(_address(value))


MemoryArgument.of = staticmethod(_memory_argument_from)


def nd_range(*extents, local=(), offset=()):
    """An index space of one to three dimensions, in items."""
    made = NdRange()
    for name, values in (("global", extents), ("local", local), ("offset", offset)):
        getattr(made, name)[:len(values)] = values
    made.dimensions = len(extents)
    return made


def launch(where, kernel, extents, *arguments, event=False, waits=()):
    """Runs a kernel on a queue, or as the submission of a group."""
    extents = extents if isinstance(extents, NdRange) else nd_range(
        *(extents if hasattr(extents, "__len__") else (extents,)))
    if isinstance(where, Group):
        return group_launch(where, kernel, extents, arguments, event=event)
    return queue_launch_arguments(where, kernel, extents, arguments, waits, event=event)


Queue.launch = Group.launch = launch


class Memory:
    """An allocation of USM: device, shared or host memory, freed by close() or `with`.

    It has __sycl_usm_array_interface__ (dpctl, dpnp) and DLPack; shared and host memory has
    __array_interface__ too (numpy.asarray), which view() gives as a buffer.
    """

    def __init__(self, context, device, nbytes, kind="shared", dtype="|u1", shape=None, queue=None):
        allocate = {"device": malloc_device, "shared": malloc_shared}.get(kind)
        self.pointer = allocate(nbytes, device, context) if allocate else malloc_host(nbytes, context)
        self.context, self.device, self.nbytes, self.kind = context, device, nbytes, kind
        self.typestr, self.shape, self.queue = dtype, shape or (nbytes // int(dtype[2:]),), queue

    def close(self):
        if self.pointer:
            pointer, self.pointer = self.pointer, None
            free(pointer, self.context)

    __enter__ = _Object.__enter__
    __exit__ = _Object.__exit__
    __del__ = _Object.__del__

    @property
    def __sycl_usm_array_interface__(self):
        return {"data": (self.pointer, False), "shape": self.shape, "strides": None, "offset": 0,
                "typestr": self.typestr, "version": 1, "syclobj": self.queue}

    @property
    def __array_interface__(self):
        if self.kind == "device":
            raise AttributeError("device memory is not the host's")
        return {"data": (self.pointer, False), "shape": self.shape, "typestr": self.typestr,
                "version": 3}

    def view(self):
        """The memory as a buffer of bytes: memoryview, numpy.frombuffer."""
        if self.kind == "device":
            raise BufferError("device memory is not the host's")
        return (c_char * self.nbytes).from_address(self.pointer)


def _view(accessor):
    """The part of a host accessor as a buffer of bytes, valid until its release."""
    return (c_char * accessor.byte_size()).from_address(accessor.get_part_pointer())


HostAccessor.view = _view


class _Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
                ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", c_void_p),
                ("strides", c_void_p), ("byte_offset", c_uint64), ("manager", c_void_p),
                ("deleter", CFUNCTYPE(None, c_void_p))]


_capsule = {name: getattr(ctypes.pythonapi, "PyCapsule_" + name)
            for name in ("New", "IsValid", "GetPointer", "SetName")}
_capsule["New"].restype = ctypes.py_object
_capsule["New"].argtypes = [c_void_p, c_void_p, c_void_p]
_capsule["IsValid"].argtypes = [c_void_p, c_char_p]
_capsule["GetPointer"].restype = c_void_p
_capsule["GetPointer"].argtypes = [c_void_p, c_char_p]
_capsule["SetName"].argtypes = [ctypes.py_object, c_void_p]
_unused, _used = ctypes.create_string_buffer(b"dltensor"), ctypes.create_string_buffer(b"used_dltensor")


def _end_tensor(pointer):
    tensor = _Tensor.from_address(pointer)
    if tensor.deleter:
        tensor.deleter(pointer)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _end_capsule(capsule):
    if _capsule["IsValid"](capsule, _unused.raw[:-1]):
        _end_tensor(_capsule["GetPointer"](capsule, _unused.raw[:-1]))


_exported = {}


@CFUNCTYPE(c_int, c_void_p)
def _end_export(key):
    _exported.pop(key, None)
    return 0


_TYPE_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


def _tensor_of(memory, flags):
    """A capsule of DLPack, which keeps the Memory."""
    key = next(_task_count)
    shape = (c_int64 * len(memory.shape))(*memory.shape)
    desc = DlpackDesc(shape=ctypes.addressof(shape), dimensions=len(shape), flags=flags,
                      type_code=_TYPE_CODES[memory.typestr[1]], bits=8 * int(memory.typestr[2:]))
    owner = Owner()
    owner.release, owner.data = ctypes.cast(_end_export, type(owner.release)), key
    _exported[key] = memory
    try:
        tensor = dlpack_export(memory.pointer, memory.context, owner, desc)
    except BaseException:
        del _exported[key]
        raise
    return _capsule["New"](tensor, ctypes.addressof(_unused), ctypes.cast(_end_capsule, c_void_p))


def _memory_dlpack(self, stream=None, dl_device=None, **_):
    """DLPack: a tensor on the device, or with dl_device=(1, 0) the host's. `stream` is the consumer's
    Queue, whose later work waits for the memory's queue."""
    if stream is not None and self.queue is not None:
        dlpack_order(self.queue, stream)
    return _tensor_of(self, DlpackFlag.HOST if dl_device and dl_device[0] == 1 else 0)


class _OnHost:
    def __init__(self, memory):
        self._memory = memory

    def __dlpack__(self, stream=None, **_):
        return _tensor_of(self._memory, DlpackFlag.HOST)

    def __dlpack_device__(self):
        return (1, 0)


Memory.__dlpack__ = _memory_dlpack
Memory.__dlpack_device__ = lambda self: (14, dlpack_get_ordinal(self.device))
Memory.on_host = lambda self: _OnHost(self)
Memory.on_host.__doc__ = "Shared or host memory as a tensor of the host: numpy.from_dlpack(memory.on_host())."


def buffer_from_dlpack(tensor, context, stream=None):
    """A buffer of another library's USM, whose last release ends the tensor.

    stream: passed to the tensor's __dlpack__, where it takes one.
    """
    capsule = tensor.__dlpack__() if stream is None else tensor.__dlpack__(stream=stream)
    pointer = _capsule["GetPointer"](id(capsule), _unused.raw[:-1])
    buffer = dlpack_import_buffer(pointer, context)
    _capsule["SetName"](capsule, ctypes.addressof(_used))
    return buffer

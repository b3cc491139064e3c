"""amp.h through ctypes: as much of it as the tests of the shared library need."""

import ctypes
import pathlib

import numpy as np

import amptools

OK = 0
TYPES = {np.dtype(np.float32): 0, np.dtype(np.int64): 4}


class Tensor(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("type", ctypes.c_int), ("rank", ctypes.c_size_t),
                ("shape", ctypes.POINTER(ctypes.c_uint64)), ("data", ctypes.c_void_p), ("bytes", ctypes.c_uint64)]


def loadLibrary():
    library = ctypes.CDLL(str(pathlib.Path(amptools.LIB) / "libamp.so"))
    library.amp_last_error.restype = ctypes.c_char_p
    library.amp_trainer_parameter_count.restype = ctypes.c_size_t
    library.amp_trainer_statistic_count.restype = ctypes.c_size_t
    return library


class AmpError(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Trainer:
    """A package opened and ready to train in this process."""

    def __init__(self, library, package, threads=1):
        self.library = library
        program = ctypes.c_void_p()
        self.check(library.amp_program_open(str(package).encode(), ctypes.byref(program)))
        self.handle, self.batch = ctypes.c_void_p(), ctypes.c_void_p()

        class Options(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("threads", ctypes.c_uint32),
                        ("seed", ctypes.c_int64)]

        options = Options(ctypes.sizeof(Options), None, threads, 0)
        self.check(library.amp_trainer_create(program, ctypes.byref(options), ctypes.byref(self.handle)))
        library.amp_program_close(program)
        self.check(library.amp_batch_create(ctypes.byref(self.batch)))

    def check(self, status):
        if status != OK:
            raise AmpError(status, self.library.amp_last_error().decode())

    def step(self, arrays):
        for name, array in arrays.items():
            shape = (ctypes.c_uint64 * array.ndim)(*array.shape)
            self.check(self.library.amp_batch_set(self.batch, name.encode(), TYPES[array.dtype], shape,
                                                  ctypes.c_size_t(array.ndim), array.ctypes.data_as(ctypes.c_void_p)))
        self.check(self.library.amp_trainer_step(self.handle, self.batch, None))

    def parameters(self):
        return self.tensors(self.library.amp_trainer_parameter_count, self.library.amp_trainer_parameter)

    def statistics(self):
        return self.tensors(self.library.amp_trainer_statistic_count, self.library.amp_trainer_statistic)

    def write(self, name, array):
        self.check(self.library.amp_trainer_write_parameter(
            self.handle, name.encode(), array.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(array.nbytes)))

    def tensors(self, countOf, describe):
        """Copies of fp32 tensors by name."""
        found = {}
        for index in range(countOf(self.handle)):
            tensor = Tensor(ctypes.sizeof(Tensor))
            self.check(describe(self.handle, ctypes.c_size_t(index), ctypes.byref(tensor)))
            values = np.frombuffer(ctypes.string_at(tensor.data, tensor.bytes), np.float32)
            found[tensor.name.decode()] = values.reshape([tensor.shape[axis] for axis in range(tensor.rank)])
        return found

    def close(self):
        self.library.amp_trainer_destroy(self.handle)
        self.library.amp_batch_destroy(self.batch)

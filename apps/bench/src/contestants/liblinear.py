"""Trains with LIBLINEAR's C library (Debian: liblinear4, python3-numpy) and says how long that took.

Usage: liblinear.py problem weights solver epsilon cost times

problem holds three int64 (rows, columns, entries), int32 row pointers, int32 column indices, float32 values and int8
labels. Prints the median CPU seconds of `times` calls of train(); writes w as float64, of the sign of label +1.
"""
import ctypes as c
import statistics
import sys
import time

import numpy as np


class Node(c.Structure):
    _fields_ = [("index", c.c_int), ("value", c.c_double)]


class Problem(c.Structure):
    _fields_ = [
        ("l", c.c_int),
        ("n", c.c_int),
        ("y", c.POINTER(c.c_double)),
        ("x", c.POINTER(c.POINTER(Node))),
        ("bias", c.c_double),
    ]


class Parameter(c.Structure):  # of version 2.30
    _fields_ = [
        ("solver_type", c.c_int),
        ("eps", c.c_double),
        ("C", c.c_double),
        ("nr_weight", c.c_int),
        ("weight_label", c.c_void_p),
        ("weight", c.c_void_p),
        ("p", c.c_double),
        ("init_sol", c.c_void_p),
    ]


class Model(c.Structure):
    _fields_ = [
        ("param", Parameter),
        ("nr_class", c.c_int),
        ("nr_feature", c.c_int),
        ("w", c.POINTER(c.c_double)),
        ("label", c.POINTER(c.c_int)),
    ]


problem_file, weights_file, solver, epsilon, cost, times = sys.argv[1:]
library = c.CDLL("liblinear.so.4")
library.train.restype = c.POINTER(Model)
library.check_parameter.restype = c.c_char_p
silent = c.CFUNCTYPE(None, c.c_char_p)(lambda _: None)
library.set_print_string_function(silent)

with open(problem_file, "rb") as file:
    n, d, entries = (int(size) for size in np.fromfile(file, np.int64, 3))
    pointers = np.fromfile(file, np.int32, n + 1).astype(np.int64)
    columns = np.fromfile(file, np.int32, entries)
    values = np.fromfile(file, np.float32, entries)
    labels = np.fromfile(file, np.int8, n).astype(np.float64)

# Rows of nodes, indices counted from 1, each ended by an index of -1.
nodes = np.zeros(entries + n, np.dtype([("index", np.int32), ("pad", np.int32), ("value", np.float64)]))
at = np.arange(entries) + np.repeat(np.arange(n), np.diff(pointers))
nodes["index"][at] = columns + 1
nodes["value"][at] = values
nodes["index"][pointers[1:] + np.arange(n)] = -1
starts = (nodes.ctypes.data + 16 * (pointers[:-1] + np.arange(n))).astype(np.uint64)
y = labels.ctypes.data_as(c.POINTER(c.c_double))
x = starts.ctypes.data_as(c.POINTER(c.POINTER(Node)))
problem = Problem(n, d, y, x, -1.0)
parameter = Parameter(int(solver), float(epsilon), float(cost), 0, None, None, 0.1, None)
complaint = library.check_parameter(c.byref(problem), c.byref(parameter))
if complaint is not None:
    sys.exit(complaint.decode())

seconds = []
for _ in range(int(times)):
    c.CDLL(None).srand(1)
    before = time.process_time()
    model = library.train(c.byref(problem), c.byref(parameter))
    seconds.append(time.process_time() - before)
weights = np.ctypeslib.as_array(model.contents.w, (d,)) * model.contents.label[0]
weights.astype(np.float64).tofile(weights_file)
print(statistics.median(seconds))

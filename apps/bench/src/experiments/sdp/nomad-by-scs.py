"""SCS on NOMAD's semidefinite programme. In: {"gram": [n x n, by rows], "clusters": K, "tolerance", "seconds"} as JSON;
out: {"Q": [n x n], "iterations", "isDone", "seconds"}, processor seconds of setting up and solving.

minimise -Tr(D Q)  subject to  sum_j Q_ij = 1,  Tr Q = K,  Q_ij >= 0 (i < j),  Q psd

The unknowns are the lower triangle of Q by columns, as SCS has semidefinite cones: entries off the diagonal are times sqrt(2).
"""
import json
import sys
import time

import numpy
import scipy.sparse
import scs

task = json.load(sys.stdin)
K = task["clusters"]
n = int(round(len(task["gram"]) ** 0.5))
D = numpy.asarray(task["gram"]).reshape(n, n)
begun = time.process_time()
columns, rows = numpy.triu_indices(n)  # column by column of the lower triangle
diagonal = rows == columns
root = numpy.sqrt(2)
size = len(rows)
at = numpy.arange(size)
c = -D[rows, columns] * numpy.where(diagonal, 1, root)
c /= numpy.linalg.norm(D)
share = numpy.where(diagonal, 1, 1 / root)
off = at[~diagonal]
sums = scipy.sparse.coo_matrix(
    (
        numpy.concatenate([share, share[off]]),
        (numpy.concatenate([rows, columns[off]]), numpy.concatenate([at, off])),
    ),
    shape=(n, size),
)
trace = scipy.sparse.coo_matrix((numpy.ones(n), (numpy.zeros(n, int), at[diagonal])), shape=(1, size))
signs = scipy.sparse.coo_matrix((-numpy.ones(len(off)), (numpy.arange(len(off)), off)), shape=(len(off), size))
A = scipy.sparse.vstack([sums, trace, signs, -scipy.sparse.identity(size)]).tocsc()
b = numpy.concatenate([numpy.ones(n), [K], numpy.zeros(len(off) + size)])
solver = scs.SCS(
    {"A": A, "b": b, "c": c},
    {"z": n + 1, "l": len(off), "s": [n]},
    eps_abs=task["tolerance"],
    eps_rel=task["tolerance"],
    time_limit_secs=task["seconds"],
    max_iters=1_000_000,
    verbose=False,
)
found = solver.solve()
seconds = time.process_time() - begun
Q = numpy.zeros((n, n))
Q[rows, columns] = Q[columns, rows] = found["x"] * share
json.dump(
    {
        "Q": numpy.nan_to_num(Q).ravel().tolist(),
        "iterations": found["info"]["iter"],
        "isDone": found["info"]["status"] == "solved",
        "seconds": seconds,
    },
    sys.stdout,
)

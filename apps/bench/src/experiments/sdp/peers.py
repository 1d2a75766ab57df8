"""Embeddings of scikit-learn. In: {"points": [[...]], "neighbors": k} as JSON; out: {name: [[x, y]]}, null where it failed."""
import json
import platform
import sys
import warnings

warnings.simplefilter("ignore")
import numpy
import sklearn
from sklearn.manifold import Isomap, LocallyLinearEmbedding

task = json.load(sys.stdin)
points = numpy.asarray(task["points"])
k = task["neighbors"]


def lle(method):
    return LocallyLinearEmbedding(
        n_neighbors=k, n_components=2, method=method, eigen_solver="dense"
    )


methods = {
    "Isomap": Isomap(n_neighbors=k, n_components=2),
    "LLE": lle("standard"),
    "modified LLE": lle("modified"),
    "LTSA": lle("ltsa"),
}
found = {"version": f"{sklearn.__version__} (Python {platform.python_version()})"}
for name, method in methods.items():
    try:
        embedding = method.fit_transform(points)
        found[name] = embedding.tolist() if numpy.isfinite(embedding).all() else None
    except Exception as error:
        print(f"{name}: {error}", file=sys.stderr)
        found[name] = None
json.dump(found, sys.stdout)

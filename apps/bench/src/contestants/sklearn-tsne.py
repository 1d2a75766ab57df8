"""scikit-learn's t-SNE with its defaults (Barnes-Hut, angle 0.5, start by principal components), perplexity 30, one thread."""
import json, platform, resource, sys, time
import numpy, sklearn
from sklearn.manifold import TSNE

points_file, rows, columns, seed, map_file = sys.argv[1:]
points = numpy.fromfile(points_file).reshape(int(rows), int(columns))
model = TSNE(perplexity=30, init="pca", learning_rate="auto", n_jobs=1, random_state=int(seed))
started = time.perf_counter()
embedding = model.fit_transform(points)
seconds = time.perf_counter() - started
embedding.astype(numpy.float64).tofile(map_file)
print(json.dumps({
    "name": "scikit-learn",
    "description": f"scikit-learn {sklearn.__version__} in Python {platform.python_version()} with NumPy {numpy.__version__}, TSNE with its defaults, init pca, perplexity 30, one thread",
    "kind": "t-SNE",
    "seconds": seconds,
    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))

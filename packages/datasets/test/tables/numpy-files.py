"""Writes numpy-files.json: files of NumPy 2.4 and SciPy 1.17, gzip and base64, that numpy.test.ts reads."""

import base64, gzip, io, json, os, warnings, zipfile
import numpy as np, scipy.sparse as sp

warnings.simplefilter("ignore")
files = {}


def npy(a, **options):
    b = io.BytesIO()
    np.save(b, a, **options)
    return b.getvalue()


def npz(save=np.savez, **arrays):
    b = io.BytesIO()
    save(b, **arrays)
    return b.getvalue()


def zipped(names, compression=zipfile.ZIP_STORED):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", compression) as z:
        for name in names:
            z.writestr(name, npy(X))
    return b.getvalue()


def sparse(matrix, **options):
    b = io.BytesIO()
    sp.save_npz(b, matrix, **options)
    return b.getvalue()


record = np.dtype([("site", "<U6"), ("x", ">f8"), ("ok", "?"), ("n", "<i4"), ("v", "<f4", (2,))])
rows = [("north", 1.5, True, -3, (1, 2)), ("süd", np.nan, False, 7, (3, 4)), ("", -2.25, True, 0, (5, 6))]
files["record"] = npy(np.array(rows, dtype=record))
aligned = np.zeros(2, dtype=np.dtype([("a", "i1"), ("b", "<f8"), ("c", "S3")], align=True))
aligned["a"], aligned["b"], aligned["c"] = [1, -2], [0.5, 0.25], [b"xy", b"z"]
files["aligned"] = npy(aligned)
files["version 3"] = npy(np.array([(1.0,), (2.0,)], dtype=[("łódź", "<f8")]))
files["words"] = npy(np.array(["ab", "c", "NA"]))
files["words by columns"] = npy(np.asfortranarray(np.array([["a", "b"], ["c", "d"], ["e", "f"]], dtype=">U1")))
files["nan"] = npy(np.array([[1, np.nan], [np.inf, 4]]))
files["half"] = npy(np.array([[1.5, np.nan], [-0.25, 65504]], dtype="f2"))

X = np.arange(6.0).reshape(3, 2) / 4
files["X y"] = npz(X=X, y=np.array([0, 1, 1]))
files["y X, deflated, words"] = npz(np.savez_compressed, y=np.array(["a", "b", "a"]), X=X)
files["one"] = npz(np.savez_compressed, table=X)
files["one of records"] = npz(table=np.array(rows, dtype=record))
files["several"] = npz(train=X, test=X, note=np.array(3))
files["another length"] = npz(X=X, y=np.array([0, 1]))
files["objects in it"] = npz(X=X, y=np.array(["a", None, 1], dtype=object))

D = np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, -3.0]])
for form in ["csr", "csc", "coo"]:
    files[form] = sparse(sp.coo_matrix(D).asformat(form), compressed=form != "coo")
files["bsr"] = sparse(sp.csr_matrix(D).tobsr())
files["no entry"] = sparse(sp.csr_matrix((2, 2)))
files["csr array"] = sparse(sp.csr_array(D))
files["twice"] = sparse(sp.coo_matrix(([1.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2)))

files["object"] = npy(np.array([1, "a", None], dtype=object), allow_pickle=True)
files["complex"] = npy(np.array([[1 + 2j]]))
files["datetime"] = npy(np.array(["2020-01-01"], dtype="M8[D]"))
files["complex field"] = npy(np.array([(1j,)], dtype=[("z", "c16")]))
files["nested"] = npy(np.zeros(2, dtype=[("p", [("x", "f8"), ("y", "f8")])]))

files["two of a name"] = zipped(["a.npy", "a.npy"])
files["a folder"] = zipped(["a.npy", "../b.npy"])
files["another file"] = zipped(["a.npy", "b.txt"])
files["bzip2"] = zipped(["a.npy"], zipfile.ZIP_BZIP2)
b = io.BytesIO()
with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("a.npy", npy(np.zeros((9_000_000, 1))))
files["bomb"] = b.getvalue()

packed = {name: base64.b64encode(gzip.compress(content, 9, mtime=0)).decode() for name, content in files.items()}
with open(os.path.join(os.path.dirname(__file__), "numpy-files.json"), "w") as out:
    json.dump(packed, out, indent=2, ensure_ascii=False)
    out.write("\n")

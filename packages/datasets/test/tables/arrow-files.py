"""Writes arrow-files.json: Parquet and Arrow files of pyarrow, gzip and base64, that arrow.test.ts and parquet.test.ts read."""

import base64, datetime as dt, decimal, gzip, io, json, os
import pyarrow as pa, pyarrow.feather as feather, pyarrow.parquet as pq

files = {}
moment = dt.datetime(2024, 3, 1, 12, 30, 0, 250000)
words = ["north", None, "süd", "north", "NA"]
table = pa.table(
    {
        "__index_level_0__": pa.array([10, 11, 12, 13, 14], pa.int64()),
        "x": pa.array([1.5, None, float("nan"), -0.25, float("inf")], pa.float64()),
        "f": pa.array([1, 2.5, 3, 4, 5], pa.float32()),
        "half": pa.array([1, 2.5, 3, 4, 5], pa.float16()),
        "byte": pa.array([200, 1, 2, 3, 0], pa.uint8()),
        "n": pa.array([5, 5, 7, 7, -9007199254740991], pa.int64()),
        "big": pa.array([9007199254740993, 1, None, 3, -9007199254740993], pa.int64()),
        "unsigned": pa.array([2**63 + 1, 1, 2, 3, 4], pa.uint64()),
        "ok": pa.array([True, False, None, True, True]),
        "word": pa.array(words),
        "category": pa.array(words).dictionary_encode(),
        "day": pa.array([dt.date(2024, 3, 1), None, dt.date(1969, 12, 31), dt.date(2000, 1, 1), dt.date(1, 1, 1)]),
        "ms": pa.array([moment] * 5, pa.timestamp("ms")),
        "us": pa.array([moment.replace(microsecond=250001)] * 5, pa.timestamp("us", tz="UTC")),
        "ns": pa.array([1709296200_000000001, 0, -1, None, 5_000_000_000], pa.timestamp("ns")),
        "price": pa.array([decimal.Decimal("12.30"), decimal.Decimal("-0.05"), None, decimal.Decimal(1), decimal.Decimal(7)], pa.decimal128(9, 2)),
        "list": pa.array([[1.5, 2], [3, 4], None, [5, None], [7, 8]], pa.list_(pa.float32())),
        "fixed": pa.array([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]], pa.list_(pa.float64(), 2)),
        "nothing": pa.array([None] * 5, pa.float64()),
    }
)
plain = table.drop_columns(["half"])


def parquet(t, **options):
    b = io.BytesIO()
    pq.write_table(t, b, **options)
    return b.getvalue()


def arrow(t, **options):
    b = io.BytesIO()
    feather.write_feather(t, b, **options)
    return b.getvalue()


for codec in ["none", "snappy", "gzip", "brotli", "lz4", "zstd"]:
    files[f"parquet {codec}"] = parquet(plain, compression=codec)
files["parquet row groups"] = parquet(plain, row_group_size=2)
files["parquet pages 2.0"] = parquet(plain, data_page_version="2.0", version="2.6")
files["parquet without dictionaries"] = parquet(plain, use_dictionary=False)
encodings = {
    "f": "BYTE_STREAM_SPLIT",
    "x": "BYTE_STREAM_SPLIT",
    "n": "DELTA_BINARY_PACKED",
    "byte": "DELTA_BINARY_PACKED",
    "word": "DELTA_BYTE_ARRAY",
    "category": "DELTA_LENGTH_BYTE_ARRAY",
}
for version in ["1.0", "2.0"]:
    files[f"parquet deltas {version}"] = parquet(
        plain, use_dictionary=False, column_encoding=encodings, data_page_version=version, compression="snappy"
    )
# few pages, since each of Brotli takes a window of megabytes
files["parquet brotli of two"] = parquet(plain.select(["x", "word"]), compression="brotli")
for codec in ["uncompressed", "lz4", "zstd"]:
    files[f"arrow {codec}"] = arrow(table, compression=codec)
files["arrow batches"] = arrow(table, compression="lz4", chunksize=2)
b = io.BytesIO()
with pa.ipc.new_stream(b, table.schema) as out:
    out.write_table(table)
files["arrow stream"] = b.getvalue()

# LZ4 with blocks that look back into those before: more than 64 KiB
many = pa.table({"k": pa.array([(i * i) % 1000 for i in range(30_000)], pa.int64())})
files["arrow large"] = arrow(many, compression="lz4")

bad = {
    "struct": pa.array([{"a": 1, "b": 2}]),
    "ragged": pa.array([[1.0, 2], [3]]),
    "bytes": pa.array([b"ab", b"cd"]),
    "fixed bytes": pa.array([b"ab", b"cd"], pa.binary(2)),
    "list of words": pa.array([["a"], ["b"]]),
    "bytes of no text": pa.array([b"\xff", b"\xfe"]),
    "map": pa.array([[("a", 1)], [("b", 2)]], pa.map_(pa.string(), pa.int64())),
}
for name, column in bad.items():
    t = pa.table({"x": pa.array(range(len(column))), "bad one": column})
    files[f"arrow {name}"] = arrow(t, compression="uncompressed")
    files[f"parquet {name}"] = parquet(t, compression="none")
twice = pa.Table.from_arrays([pa.array([1.0, 2]), pa.array(["a", "b"])], names=["x", "x"])
files["parquet twice"] = parquet(twice, compression="none")
b = io.BytesIO()
with pa.ipc.new_file(b, twice.schema) as out:
    out.write_table(twice)
files["arrow twice"] = b.getvalue()
files["arrow no rows"] = arrow(table.slice(0, 0), compression="uncompressed")
files["parquet no rows"] = parquet(plain.slice(0, 0))

packed = {name: base64.b64encode(gzip.compress(content, 9, mtime=0)).decode() for name, content in files.items()}
with open(os.path.join(os.path.dirname(__file__), "arrow-files.json"), "w") as out:
    json.dump(packed, out, indent=2)
    out.write("\n")
print(pa.__version__, {k: len(v) for k, v in packed.items()})

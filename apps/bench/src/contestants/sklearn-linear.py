"""scikit-learn's linear models with their own choice of the penalty, on standardised columns.

Reads JSON from standard input: a list of {name, task, rows, labels, folds}, folds being strings with the fold of each row
as a digit; writes by name what each method does on held-out rows, and its processor seconds on the whole table.
"""
import json
import sys
import time
import warnings

import numpy
import sklearn
from sklearn.linear_model import HuberRegressor, LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.simplefilter("ignore")
ALPHAS = numpy.logspace(-3, 3, 13)
METHODS = {
    "classification": {
        "LogisticRegressionCV": lambda: LogisticRegressionCV(
            Cs=10, l1_ratios=(0,), cv=5, scoring="accuracy", max_iter=1000, use_legacy_attributes=False
        ),
        "LogisticRegressionCV by log loss": lambda: LogisticRegressionCV(
            Cs=10, l1_ratios=(0,), cv=5, scoring="neg_log_loss", max_iter=1000, use_legacy_attributes=False
        ),
    },
    "regression": {
        "RidgeCV": lambda: RidgeCV(alphas=ALPHAS),
        "HuberRegressor": lambda: HuberRegressor(max_iter=1000),
    },
}


def held_out(make, task, X, y, folds):
    sums = {"n": 0, "err": 0.0, "ll": 0.0, "se": 0.0, "mse": 0.0, "mae": 0.0}
    for fold in folds:
        where = numpy.array([int(digit) for digit in fold])
        for q in range(5):
            train, test = where != q, where == q
            model = make().fit(X[train], y[train])
            sums["n"] += int(test.sum())
            if task == "classification":
                shares = model.predict_proba(X[test])
                at = {label: k for k, label in enumerate(model.classes_)}
                sums["err"] += float((model.predict(X[test]) != y[test]).sum())
                for row, label in zip(shares, y[test]):
                    sums["ll"] -= numpy.log(max(row[at[label]] if label in at else 0.0, 1e-12))
            else:
                errors = model.predict(X[test]) - y[test]
                sums["se"] += float((errors**2).sum())
                sums["mse"] += float(((y[train].mean() - y[test]) ** 2).sum())
                sums["mae"] += float(numpy.abs(errors).sum())
    if task == "classification":
        return {"err": sums["err"] / sums["n"], "ll": sums["ll"] / sums["n"]}
    return {"relmse": sums["se"] / sums["mse"], "mae": sums["mae"] / sums["n"]}


def seconds(make, X, y):
    taken = []
    for _ in range(3):
        began = time.process_time()
        make().fit(X, y)
        taken.append(time.process_time() - began)
    return sorted(taken)[1]


found = {}
for table in json.load(sys.stdin):
    task = table["task"]
    X = numpy.array(table["rows"], dtype=float)
    y = numpy.array(table["labels"])
    found[table["name"]] = {}
    for name, method in METHODS[task].items():
        make = lambda: make_pipeline(StandardScaler(), method())
        try:
            figures = held_out(make, task, X, y, table["folds"])
        except ValueError as error:  # a class of fewer rows than folds
            sys.stderr.write(f"{table['name']}, {name}: {error}\n")
            continue
        found[table["name"]][name] = {**figures, "seconds": seconds(make, X, y)}
        sys.stderr.write(f"{table['name']}, {name}: {found[table['name']][name]}\n")
json.dump({"version": f"scikit-learn {sklearn.__version__}, numpy {numpy.__version__}", "tables": found}, sys.stdout)

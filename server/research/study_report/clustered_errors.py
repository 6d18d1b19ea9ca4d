"""Least squares whose errors have groups and tasks as crossed clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from server.research.study_report.export_tables import Frame

Floats = NDArray[np.float64]


class Clustered(NamedTuple):
    """Coefficients with standard errors and degrees of freedom."""

    coefficients: Floats
    errors: Floats
    df: int


def fit_clustered(design: Floats, rows: Frame) -> Clustered:
    """Fit least squares to the column ``value``.

    Errors have groups and tasks as crossed clusters (Cameron, Gelbach and Miller 2011), and are
    those of the larger of the two alone where the sum is smaller than either. Degrees of freedom
    are the smaller number of clusters less one.
    """
    values = rows["value"].to_numpy(float)
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ values
    scores = design * (values - design @ coefficients)[:, None]
    variances, counts = [], []
    names = [rows["group_id"], rows["task_id"], rows["group_id"] + "\0" + rows["task_id"]]
    for labels in names:
        codes, found = labels.factorize()
        count = len(found)
        counts.append(count)
        sums = np.zeros((count, design.shape[1]))
        np.add.at(sums, codes, scores)
        factor = count / (count - 1) if count > 1 else 0.0
        variances.append(factor * np.diag(inverse @ (sums.T @ sums) @ inverse))
    groups, tasks, both = variances
    variance = np.maximum(np.maximum(groups, tasks), groups + tasks - both)
    clusters = [count for count in counts[:2] if count > 1]
    return Clustered(coefficients, np.sqrt(variance), min(clusters) - 1)

"""Linear mixed model with groups and tasks as crossed random intercepts, by restricted likelihood.

statsmodels fits such a model, too, but often does not converge where a variance is near zero, as
those of tasks are. Here the likelihood is profiled: two ratios of variances are all that is
searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import linalg, optimize

Floats = NDArray[np.float64]
_STARTS = (0.1, 0.7)
_LARGEST = 30.0
"""Largest ratio of standard deviations that is searched: 30 times that of an attempt itself."""


class Fitted(NamedTuple):
    """Coefficients, their covariance, and standard deviations of the intercepts and the rest."""

    coefficients: Floats
    covariance: Floats
    deviations: tuple[float, ...]
    residual: float


def fit_crossed(values: Floats, design: Floats, labels: Sequence[pd.Series]) -> Fitted:
    """Fit the model; each of ``labels`` names what attempts share an intercept of.

    Raises LinAlgError: the design's columns say the same.
    """
    model = _Profile(values, design, labels)
    n = len(labels)
    found = min(
        (
            optimize.minimize(
                model.criterion,
                np.full(n, start),
                method="L-BFGS-B",
                bounds=[(0.0, _LARGEST)] * n,
            )
            for start in _STARTS
        ),
        key=lambda result: float(result.fun),
    )
    return model.fitted(found.x)


class _Profile:
    def __init__(self, values: Floats, design: Floats, labels: Sequence[pd.Series]) -> None:
        if np.linalg.matrix_rank(design) < design.shape[1]:
            raise np.linalg.LinAlgError("columns of the design say the same")
        shared = [pd.get_dummies(one, dtype=float).to_numpy() for one in labels]
        self._sizes = [part.shape[1] for part in shared]
        z = np.hstack(shared)
        data = np.column_stack([design, values])
        self._z_z, self._z_d, self._d_d = z.T @ z, z.T @ data, data.T @ data
        self._n, self._p = design.shape

    def _moments(self, ratios: Floats) -> tuple[Floats, float]:
        """Return the products of design and values under a covariance, and its log determinant."""
        scale = np.repeat(ratios, self._sizes)
        inner = np.eye(len(scale)) + scale[:, None] * self._z_z * scale
        factor = linalg.cho_factor(inner, lower=True)
        scaled = scale[:, None] * self._z_d
        moments = self._d_d - scaled.T @ linalg.cho_solve(factor, scaled)
        return moments, 2 * float(np.log(np.diag(factor[0])).sum())

    def _solved(self, moments: Floats) -> tuple[Floats, float]:
        p = self._p
        coefficients = linalg.solve(moments[:p, :p], moments[:p, p], assume_a="pos")
        rest = float(moments[p, p] - moments[:p, p] @ coefficients)
        return coefficients, max(rest, 1e-300) / (self._n - p)

    def criterion(self, ratios: Floats) -> float:
        """Return minus twice the restricted log likelihood, but for a constant."""
        moments, determinant = self._moments(ratios)
        _, variance = self._solved(moments)
        _, of_design = np.linalg.slogdet(moments[: self._p, : self._p])
        return float((self._n - self._p) * np.log(variance) + determinant + of_design)

    def fitted(self, ratios: Floats) -> Fitted:
        moments, _ = self._moments(ratios)
        coefficients, variance = self._solved(moments)
        covariance = variance * linalg.inv(moments[: self._p, : self._p])
        residual = float(np.sqrt(variance))
        return Fitted(coefficients, covariance, tuple(ratios * residual), residual)

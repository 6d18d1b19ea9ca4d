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
    """Likelihood of two ratios of standard deviations, of which that of the first label is larger.

    Products with a label's columns are sums within its groups, which leaves one matrix to be
    solved that is as large as the other label has values.
    """

    def __init__(self, values: Floats, design: Floats, labels: Sequence[pd.Series]) -> None:
        if np.linalg.matrix_rank(design) < design.shape[1]:
            raise np.linalg.LinAlgError("columns of the design say the same")
        data = np.column_stack([design, values])
        self._d_d, (self._n, self._p) = data.T @ data, design.shape
        shared = [pd.get_dummies(one, dtype=float).to_numpy() for one in labels]
        self._order = sorted(range(len(shared)), key=lambda k: -shared[k].shape[1])
        shared = [shared[k] for k in self._order]
        self._counts = [part.sum(axis=0) for part in shared]
        self._sums = [part.T @ data for part in shared]
        self._crossed = shared[0].T @ shared[1] if len(shared) > 1 else None

    def _moments(self, ratios: Floats) -> tuple[Floats, float]:
        """Return the products of design and values under a covariance, and its log determinant."""
        ratio = ratios[self._order]
        diagonal = 1 + ratio[0] ** 2 * self._counts[0]
        sums = ratio[0] * self._sums[0]
        within = sums / diagonal[:, None]
        moments, determinant = self._d_d - sums.T @ within, float(np.log(diagonal).sum())
        if self._crossed is not None:
            crossed = ratio[0] * ratio[1] * self._crossed
            rest = np.diag(1 + ratio[1] ** 2 * self._counts[1])
            factor = linalg.cho_factor(rest - crossed.T @ (crossed / diagonal[:, None]), lower=True)
            left = ratio[1] * self._sums[1] - crossed.T @ within
            moments = moments - left.T @ linalg.cho_solve(factor, left)
            determinant += 2 * float(np.log(np.diag(factor[0])).sum())
        return moments, determinant

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

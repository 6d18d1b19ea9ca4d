"""Error of a data set."""

from __future__ import annotations


class DatasetError(ValueError):
    """A data set, or a task in it, is not well formed.

    ``file`` and ``task`` (task id, or position when there is none) are empty when unknown;
    ``path`` is the field, such as ``evaluation_propositions[2].args.number``.
    """

    def __init__(
        self,
        reason: str,
        *,
        file: str = "",
        task: str = "",
        path: str = "",
        index: int | None = None,
    ) -> None:
        self.reason = reason
        self.file = file
        self.task = task
        self.path = path
        self.index = index
        where = [part for part in (file, f"task {task}" if task else "", path) if part]
        super().__init__(": ".join([*where, reason]))

    def located(self, *, file: str = "", task: str = "") -> DatasetError:
        """Return the same error with a file or a task filled in where it had none."""
        return DatasetError(
            self.reason,
            file=self.file or file,
            task=self.task or task,
            path=self.path,
            index=self.index,
        )

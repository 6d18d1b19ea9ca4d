"""R for tests: whether it and the packages of the analysis script are on this machine."""

from __future__ import annotations

import shutil
import subprocess


def lacking_r() -> str:
    """Return why the script in R cannot run here; empty: it can."""
    if shutil.which("Rscript") is None:
        return "there is no Rscript here"
    needs = "for (p in c('jsonlite', 'lme4', 'survival')) stopifnot(requireNamespace(p))"
    done = subprocess.run(["Rscript", "-e", needs], check=False, capture_output=True)
    return "" if done.returncode == 0 else "R lacks one of jsonlite, lme4 and survival"

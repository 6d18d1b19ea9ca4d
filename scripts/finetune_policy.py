# /// script
# requires-python = ">=3.11"
# dependencies = ["peft>=0.13,<1", "torch>=2.4,<3", "transformers>=4.56,<6"]
# ///
"""Training of a LoRA adapter for the `finetuned` policy.

    uv run scripts/finetune_policy.py --help

Reads what `cohabit robots export-sft` wrote. It runs in an environment of its own (torch does not
belong into the app's); `cohabit robots serve MODEL --lora NAME=DIR` then serves the adapter.

The defaults are PARTNR's (A.9): query and value projections, rank 132, alpha 128, dropout 0.01,
the loss on what comes after the prompt only. Its learning rate is not published.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

UNTOLD = -100
"""Label of the tokens that the loss leaves out."""
Example = tuple[list[int], list[int]]


def read(path: Path, tokenizer: Any, longest: int) -> tuple[list[Example], int]:
    """Return token ids and labels of each sample, and how many samples were too long."""
    found: list[Example] = []
    dropped = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        sample = json.loads(line)
        # Prompt and answer are tokenized apart: a server sees the prompt without what follows.
        prompt = tokenizer(sample["prompt"])["input_ids"]
        answer = tokenizer(sample["completion"], add_special_tokens=False)["input_ids"]
        if tokenizer.eos_token_id is not None:
            answer = [*answer, tokenizer.eos_token_id]
        if len(prompt) + len(answer) > longest:
            dropped += 1
            continue
        found.append(([*prompt, *answer], [UNTOLD] * len(prompt) + answer))
    return found, dropped


def batches(examples: list[Example], size: int, seed: int) -> Iterator[list[Example]]:
    """Yield batches for ever, every example once per round."""
    rng = random.Random(seed)
    while True:
        order = rng.sample(examples, len(examples))
        for start in range(0, len(order), size):
            yield order[start : start + size]


def tensors(batch: list[Example], padding: int, device: str) -> dict[str, torch.Tensor]:
    width = max(len(ids) for ids, _ in batch)
    ids = [i + [padding] * (width - len(i)) for i, _ in batch]
    labels = [la + [UNTOLD] * (width - len(la)) for _, la in batch]
    mask = [[1] * len(i) + [0] * (width - len(i)) for i, _ in batch]
    return {
        "input_ids": torch.tensor(ids, device=device),
        "labels": torch.tensor(labels, device=device),
        "attention_mask": torch.tensor(mask, device=device),
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model", help="a folder, or a name that transformers can download")
    parser.add_argument("samples", type=Path, help="samples that `cohabit robots export-sft` wrote")
    parser.add_argument("out", type=Path, help="the folder for the adapter")
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--batch", type=int, default=8, help="samples per step")
    parser.add_argument("--at-once", type=int, default=2, help="samples on the device at once")
    parser.add_argument("--rank", type=int, default=132)
    parser.add_argument("--alpha", type=int, default=128)
    parser.add_argument("--dropout", type=float, default=0.01)
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument(
        "--longest", type=int, default=8192, help="tokens; longer ones are left out"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--report-every", type=int, default=50)
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    torch.manual_seed(chosen.seed)
    tokenizer = AutoTokenizer.from_pretrained(chosen.model)
    examples, dropped = read(chosen.samples, tokenizer, chosen.longest)
    if not examples:
        raise SystemExit(f"{chosen.samples} has no sample of at most {chosen.longest} tokens")
    print(f"{len(examples)} samples, {dropped} left out as too long")
    dtype = torch.bfloat16 if chosen.device.startswith("cuda") else torch.float32
    base = AutoModelForCausalLM.from_pretrained(chosen.model, dtype=dtype)
    lora = LoraConfig(
        r=chosen.rank,
        lora_alpha=chosen.alpha,
        lora_dropout=chosen.dropout,
        target_modules=["q_proj", "v_proj"],
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(base, lora).to(chosen.device)
    model.train()
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=chosen.learning_rate)
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
    stream = batches(examples, chosen.batch, chosen.seed)
    for step in range(1, chosen.steps + 1):
        batch = next(stream)
        # Every token of an answer counts alike, in whichever part of the batch it is.
        told = sum(label != UNTOLD for _, labels in batch for label in labels)
        loss_sum = 0.0
        for start in range(0, len(batch), chosen.at_once):
            part = batch[start : start + chosen.at_once]
            share = sum(label != UNTOLD for _, labels in part for label in labels) / told
            loss = model(**tensors(part, padding, chosen.device)).loss * share
            loss.backward()
            loss_sum += loss.item()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % chosen.report_every == 0 or step in (1, chosen.steps):
            print(f"step {step}: loss {loss_sum:.4f}", flush=True)
    model.save_pretrained(chosen.out)
    print(f"adapter in {chosen.out}")


if __name__ == "__main__":
    main()

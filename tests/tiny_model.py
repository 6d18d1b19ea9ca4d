"""A tiny Llama with random weights, a tokenizer and a chat template, which vLLM serves in tests.

Run by the interpreter of vLLM's environment: PYTHON tests/tiny_model.py MODEL_DIR LORA_DIR
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

WORDS = """
Thought: I should look for the cup in the kitchen and bring it to the table in the living room.
Navigate[kitchen_1] Explore[bedroom_1] Pick[cup_0] Place[cup_0, on, table_22, next_to, bowl_1]
Place[plate_2, within, cabinet_3, none, none] Open[fridge_1] Close[drawer_4] Wait[] Done[]
Rearrange[toy_1, on, shelves_5, none, none] Clean[lamp_2] Fill[kettle_1] Pour[cup_0] PowerOn[lamp_1]
Assigned! Result: Successful execution! Unexpected failure! - Objects: Furniture: No objects found
{"propositions": [{"function": "is_on_top", "arguments": ["cup_0", "table_22"]}]} Agent_0_Action:
"""
TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
VOCABULARY = 1024


def main(model_dir: Path, lora_dir: Path) -> None:
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<s>", "</s>", "<|system|>", "<|user|>", "<|assistant|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(WORDS.split("\n"), trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(model_dir)

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=32768,
        bos_token_id=0,
        eos_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(model_dir)
    _save_lora(lora_dir, config.hidden_size)


def _save_lora(folder: Path, hidden: int) -> None:
    """Save a random adapter of rank 8 on the query projections, as PEFT writes them."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    weights = {}
    for layer in range(2):
        name = f"base_model.model.model.layers.{layer}.self_attn.q_proj"
        weights[f"{name}.lora_A.weight"] = torch.randn(8, hidden)
        weights[f"{name}.lora_B.weight"] = torch.randn(hidden, 8)
    save_file(weights, folder / "adapter_model.safetensors")
    about = {"peft_type": "LORA", "r": 8, "lora_alpha": 16, "target_modules": ["q_proj"]}
    (folder / "adapter_config.json").write_text(json.dumps({**about, "bias": "none"}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

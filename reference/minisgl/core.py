"""What every part of the engine knows about a request."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SamplingParams:
    """How the next token is chosen, and when to stop.

    `temperature` 0.0 always takes the most likely token. `top_k` -1 means no limit; `top_p` 1.0
    means the whole probability mass. `ignore_eos` goes on after an end-of-sequence token.
    `max_tokens` counts generated tokens only.
    """

    temperature: float = 0.0
    top_k: int = -1
    top_p: float = 1.0
    ignore_eos: bool = False
    max_tokens: int = 1024

    @property
    def is_greedy(self) -> bool:
        """True where only the most likely token can be chosen and nothing has to be sampled."""
        return (self.temperature <= 0.0 or self.top_k == 1) and self.top_p == 1.0

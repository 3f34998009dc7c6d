"""mini-sglang: a small LLM serving engine whose processes talk in messages."""

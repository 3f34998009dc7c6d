"""The practice judge: see docs/architecture.md for its rooms and who may import whom."""

"""Speeds as ratios against named baselines: `python -m benchmarks.NAME`, from the project's root."""

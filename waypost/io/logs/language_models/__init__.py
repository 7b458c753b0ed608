"""Logs of agents that are led by language models: paths with prompts, options and thoughts."""

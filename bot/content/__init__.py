"""Texts as people write them ↔ core objects: native YAML, foreign formats, limits."""

"""Use cases, one module each. They speak to the outside in cards and through ports."""

"""Pure rules: no I/O, no clock, no language; everything they need comes in as arguments."""

"""Discord: read the interaction → call one service → render."""

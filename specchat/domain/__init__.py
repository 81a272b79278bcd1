"""What the program is about, in plain values: no third party, nothing of ours."""

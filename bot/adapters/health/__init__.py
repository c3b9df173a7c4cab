"""What a host sees of a running Dogear: whether it lives, whether it serves, its figures and its log."""

"""The rules of Dogear: boundaries, positions, audiences, retrieval and answers. No I/O library is imported here."""

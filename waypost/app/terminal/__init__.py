"""What commands say on the terminal: documents, lines, sentences, progress."""

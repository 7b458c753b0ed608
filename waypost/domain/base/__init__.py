"""What every other value is built on: errors, frames, progress, text."""

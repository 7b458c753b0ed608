"""The session of a participant: what they see, hear, press and are asked."""

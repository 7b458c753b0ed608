"""What commands give out: documents and lines of results, and the application that draws."""

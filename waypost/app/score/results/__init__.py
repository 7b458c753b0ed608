"""Results of a batch, of sheets and of pairs: charts, tables, agreement."""

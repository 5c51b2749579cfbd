"""The messy file into an empty table, by polars and ADBC: FILE URL TABLE."""

import sys

import polars as pl

path, url, table = sys.argv[1:]

NO_DATE = ["", "null", "0", "01/01/1970", "30/12/1899"]

cells = pl.read_csv(path, separator=";", infer_schema=False)
date = pl.col("Date de naissance").str.strip_chars()
amount = pl.col("Montant").str.replace_all(" ", "", literal=True).str.replace(",", ".", literal=True)
instant = pl.col("Vu le").str.to_datetime("%d/%m/%Y %H:%M:%S", time_unit="us")

cells.select(
    pl.col("Numéro").cast(pl.Int64).alias("numero"),
    pl.col("Nom").alias("nom"),
    pl.col("Ville").alias("ville"),
    pl.when(date.is_in(NO_DATE)).then(None).otherwise(date)
    .str.to_date("%d/%m/%Y").alias("date_de_naissance"),
    amount.cast(pl.Decimal(18, 2)).alias("montant"),
    instant.dt.replace_time_zone("UTC").alias("vu_le"),
    (pl.col("Actif") == "oui").alias("actif"),
    pl.col("Commentaire").replace("", None).alias("commentaire"),
    pl.col("Code postal").alias("code_postal"),
    pl.col("Quantité").cast(pl.Int64).alias("quantite"),
    pl.col("E-mail").alias("e_mail"),
).write_database(table, url, engine="adbc", if_table_exists="append")

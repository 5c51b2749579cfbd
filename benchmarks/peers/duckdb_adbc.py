"""The messy file into an empty table, read and typed by DuckDB, sent by ADBC: FILE URL TABLE."""

import sys

import adbc_driver_postgresql.dbapi as postgres
import duckdb

path, url, table = sys.argv[1:]

SELECT = """
select "Numéro"::bigint as numero,
       "Nom" as nom,
       "Ville" as ville,
       case when trim("Date de naissance") not in ('', 'null', '0', '01/01/1970', '30/12/1899')
            then strptime(trim("Date de naissance"), '%d/%m/%Y')::date end as date_de_naissance,
       replace(replace("Montant", ' ', ''), ',', '.')::decimal(18, 2) as montant,
       strptime("Vu le", '%d/%m/%Y %H:%M:%S')::timestamptz as vu_le,
       "Actif" = 'oui' as actif,
       "Commentaire" as commentaire,
       "Code postal" as code_postal,
       "Quantité"::bigint as quantite,
       "E-mail" as e_mail
from read_csv(?, delim = ';', quote = '"', escape = '"', header = true, all_varchar = true)
"""

reading = duckdb.connect()
reading.execute("set timezone = 'UTC'")
with postgres.connect(url) as writing, writing.cursor() as cursor:
    batches = reading.sql(SELECT, params=[path]).to_arrow_reader(100_000)
    cursor.adbc_ingest(table, batches, mode="append")
    writing.commit()

import { DuckDBInstance } from '@duckdb/node-api'

import { printMeasured } from '../support/measure.ts'

// A CSV file read and typed by DuckDB into a table in its memory: what parsing alone can cost.
const [path] = process.argv.slice(2) as [string]

const began = performance.now()
const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const file = path.replaceAll("'", "''")
await connection.run(
  `create table read as select * from read_csv('${file}', decimal_separator = ',')`,
)
connection.closeSync()
instance.closeSync()
printMeasured(began)

import { quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'

export { quoteName, quoteTable, type TableName }

/** Where the tables of an enterprise lie: people query them there with SQL. */
export const schemaOf = (enterpriseId: number): string => `enterprise_${enterpriseId}`

/** Where the rows of its loads lie: partitions of those tables, and what stands beside them. */
export const loadsSchemaOf = (enterpriseId: number): string => `${schemaOf(enterpriseId)}_loads`

/** The schemas of both kinds, of all enterprises, as a regular expression. */
export const SCHEMAS_OF_TABLES = '^enterprise_[0-9]+(_loads)?$'

export const partitionName = (id: number): string => `rows_${id}`

/** Rows that an upsert has replaced, for as long as it can be undone. */
export const takenName = (id: number): string => `taken_${id}`

/** Rejects of all loads of one table. */
export const rejectsOf = (table: {
  readonly id: number
  readonly enterpriseId: number
}): TableName => ({ schema: loadsSchemaOf(table.enterpriseId), table: `rejects_${table.id}` })

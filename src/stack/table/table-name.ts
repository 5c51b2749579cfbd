import { quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'

export { quoteName, quoteTable, type TableName }

/** The schema with the tables of an enterprise, where people query them with SQL. */
export const schemaOf = (enterpriseId: number): string => `enterprise_${enterpriseId}`

/**
 * The schema with the rows of its loads: the partitions of those tables, and the tables that go
 * with them.
 */
export const loadsSchemaOf = (enterpriseId: number): string => `${schemaOf(enterpriseId)}_loads`

/** Matches both kinds of schemas, of all enterprises. */
export const SCHEMAS_OF_TABLES = '^enterprise_[0-9]+(_loads)?$'

export const partitionName = (id: number): string => `rows_${id}`

/** Holds the rows that an upsert replaced, as long as it can be undone. */
export const takenName = (id: number): string => `taken_${id}`

/** Holds the rejects of all loads of one table. */
export const rejectsOf = (table: {
  readonly id: number
  readonly enterpriseId: number
}): TableName => ({ schema: loadsSchemaOf(table.enterpriseId), table: `rejects_${table.id}` })

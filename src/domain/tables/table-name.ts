/** Where the tables of an enterprise lie: people query them there with SQL. */
export interface TableName {
  readonly schema: string
  readonly table: string
}

export const schemaOf = (enterpriseId: number): string => `enterprise_${enterpriseId}`

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteTable = ({ schema, table }: TableName): string =>
  `${quoteName(schema)}.${quoteName(table)}`

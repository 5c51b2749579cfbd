import { readFile } from 'node:fs/promises'

import type { ClientBase } from 'pg'
import { type Static, Type } from 'typebox'

import { MissingTableError, translateDatabaseError } from '../db/database-errors.ts'
import { cutText } from '../../pipelines/index.ts'
import { columnsGiven, type ShapeColumns } from '../domain/shapes/shape-columns.ts'
import { rowRulesGiven } from '../domain/shapes/shape-rules.ts'
import { fromTableSchema } from '../domain/shapes/table-schema.ts'
import { shapeMembers } from '../http/routes/shapes/shape-body.ts'
import { strictObject, trimmedName } from '../http/schemas.ts'
import { nullable } from '../resources/schema.ts'
import type { FileShape } from '../resources/shape.ts'
import { givenTableSchema } from '../resources/table-schema.ts'
import type { StoredColumn } from '../stack/table/stored-column.ts'
import { checked, toldAs } from './checked.ts'
import { CliError } from './cli-error.ts'
import { plain } from './terminal-text.ts'

/** A shape as `shape export` and the API write it, without what the service alone knows. */
export type ShapeInFile = ShapeColumns &
  Pick<FileShape, 'unknown' | 'missing' | 'left' | 'rules'> & {
    readonly name: string | null
  }

const { columns, ...policies } = shapeMembers

const shapeInFile = strictObject({
  name: Type.Optional(nullable(trimmedName('Of one that is shared'))),
  columns,
  ...policies,
})

/** `name`: in the place of that in the file. */
export async function readShape(path: string, name?: string): Promise<ShapeInFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(`The shape cannot be read: ${path}`, { cause: error })
  })
  const what = `${path} is no shape`
  const read = parsed(text, path)
  const shape = isTableSchema(read) ? shapeOfSchema(read, path, what, name) : read
  const given = Object.entries({ ...shape, ...(name !== undefined && { name }) })
  const known = given.filter(([member]) => Object.hasOwn(shapeInFile.properties, member))
  const found = checked(shapeInFile, Object.fromEntries(known), what) as Static<typeof shapeInFile>
  return toldAs(what, () => {
    const made = columnsGiven(found.columns, null)
    return {
      ...made,
      rules: rowRulesGiven(found.rules ?? [], made.columns),
      name: found.name?.trim() ?? null,
      unknown: found.unknown ?? 'add',
      missing: found.missing ?? 'empty',
      left: found.left ?? [],
    }
  })
}

/**
 * The enterprise whose sources the rules look into; 0: they look into none. A command has the database
 * itself, and is no user of one.
 */
export const lookedInto =
  (shape: ShapeInFile) =>
  async (client: ClientBase): Promise<number> => {
    const lookUps = shape.columns.flatMap(({ rules }) => rules.flatMap((rule) => rule.in ?? []))
    if (lookUps.length === 0) return 0
    const { rows: found } = await client
      .query<{ uuid: string; enterpriseId: number; columns: readonly StoredColumn[] }>(
        `select s.uuid, s.enterprise_id as "enterpriseId", t.columns
         from sources s join generated_tables t on t.id = s.table_id where s.uuid = any ($1)`,
        [lookUps.map(({ sourceUuid }) => sourceUuid)],
      )
      .catch((error: unknown) => {
        if (!(translateDatabaseError(error) instanceof MissingTableError)) throw error
        return { rows: [] }
      })
    for (const { sourceUuid: uuid, column: wanted } of lookUps) {
      const source = found.find((each) => each.uuid === uuid)
      if (source === undefined)
        throw new CliError(`The shape looks into a source that is not in this database: ${uuid}`)
      if (source.columns.some((each) => each.name === wanted || each.column === wanted)) continue
      throw new CliError(
        `The shape looks into a column that the source ${uuid} does not have: ${plain(wanted)}`,
      )
    }
    if (new Set(found.map(({ enterpriseId }) => enterpriseId)).size > 1) {
      throw new CliError('The shape looks into sources of several enterprises')
    }
    return found[0]!.enterpriseId
  }

type Json = Readonly<Record<string, unknown>>

const isTableSchema = (read: object): read is Json => 'fields' in read && !('columns' in read)

/**
 * A Table Schema in the place of a shape, under its title unless it is given a name; what has no
 * counterpart is said beside what is done.
 */
function shapeOfSchema(schema: Json, path: string, what: string, name?: string): object {
  checked(givenTableSchema, schema, what)
  const { title, ...untitled } = schema
  const called = typeof title === 'string' ? cutText(title.trim(), LONGEST_TITLE) : ''
  const isCalled = name === undefined && called !== ''
  const { warnings, ...shape } = toldAs(what, () => fromTableSchema(isCalled ? untitled : schema))
  for (const warning of warnings) process.stderr.write(`${path}: ${plain(String(warning))}\n`)
  return { ...shape, ...(isCalled && { name: called }) }
}

/** As long as the name of a shape may be. */
const LONGEST_TITLE = 255

function parsed(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    throw new CliError(`${path} is not JSON`, { cause: error })
  }
  throw new CliError(`${path} is no shape: it has columns, each with a name and a type`)
}

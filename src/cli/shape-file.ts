import { readFile } from 'node:fs/promises'

import { type Static, Type } from 'typebox'

import { columnsGiven, type ShapeColumns } from '../domain/shapes/shape-columns.ts'
import { rowRulesGiven } from '../domain/shapes/shape-rules.ts'
import { fromTableSchema } from '../domain/shapes/table-schema.ts'
import { shapeMembers } from '../http/routes/shapes/shape-body.ts'
import { strictObject, trimmedName } from '../http/schemas.ts'
import { nullable } from '../resources/schema.ts'
import type { FileShape } from '../resources/shape.ts'
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
  const shape = isTableSchema(read) ? shapeOfSchema(read, path, what) : read
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

type Json = Readonly<Record<string, unknown>>

const isTableSchema = (read: object): read is Json => 'fields' in read && !('columns' in read)

/** A Table Schema in the place of a shape; what has no counterpart is said beside what is done. */
function shapeOfSchema(schema: Json, path: string, what: string): object {
  const { warnings, ...shape } = toldAs(what, () => fromTableSchema(schema))
  for (const warning of warnings) process.stderr.write(`${path}: ${plain(String(warning))}\n`)
  const { title } = schema
  return { ...shape, ...(typeof title === 'string' && { name: title.slice(0, 255) }) }
}

function parsed(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    throw new CliError(`${path} is not JSON`, { cause: error })
  }
  throw new CliError(`${path} is no shape: it has columns, each with a name and a type`)
}

import { readFile } from 'node:fs/promises'

import { type Static, Type } from 'typebox'

import { columnsGiven, type ShapeColumns } from '../domain/shapes/shape-columns.ts'
import { rowRulesGiven } from '../domain/shapes/shape-rules.ts'
import { shapeMembers } from '../http/routes/shapes/shape-body.ts'
import { strictObject, trimmedName } from '../http/schemas.ts'
import { nullable } from '../resources/schema.ts'
import type { FileShape } from '../resources/shape.ts'
import { checked, toldAs } from './checked.ts'
import { CliError } from './cli-error.ts'

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
  const given = Object.entries({ ...parsed(text, path), ...(name !== undefined && { name }) })
  const known = given.filter(([member]) => Object.hasOwn(shapeInFile.properties, member))
  const found = checked(shapeInFile, Object.fromEntries(known), what) as Static<typeof shapeInFile>
  return toldAs(what, () => {
    const read = columnsGiven(found.columns, null)
    return {
      ...read,
      rules: rowRulesGiven(found.rules ?? [], read.columns),
      name: found.name?.trim() ?? null,
      unknown: found.unknown ?? 'add',
      missing: found.missing ?? 'empty',
      left: found.left ?? [],
    }
  })
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

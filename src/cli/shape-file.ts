import { readFile } from 'node:fs/promises'

import {
  COLUMN_TYPES,
  MISSING_POLICIES,
  type RowRule,
  UNKNOWN_POLICIES,
} from '../../pipelines/index.ts'
import {
  columnsGiven,
  type GivenColumn,
  type ShapeColumns,
} from '../domain/shapes/shape-columns.ts'
import { rowRulesGiven } from '../domain/shapes/shape-rules.ts'
import type { FileShape } from '../resources/shape.ts'
import { CliError } from './cli-error.ts'

/** A shape as `shape export` and the API write it, without what the service alone knows. */
export type ShapeInFile = ShapeColumns &
  Pick<FileShape, 'unknown' | 'missing' | 'left' | 'rules'> & {
    readonly name: string | null
  }

export async function readShape(path: string): Promise<ShapeInFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(`The shape cannot be read: ${path}`, { cause: error })
  })
  const given = parsed(text, path)
  const { columns, name = null, unknown = 'add', missing = 'empty', left = [], rules = [] } = given
  const isSound =
    Array.isArray(columns) &&
    columns.length > 0 &&
    columns.every(isColumn) &&
    (name === null || typeof name === 'string') &&
    (UNKNOWN_POLICIES as readonly unknown[]).includes(unknown) &&
    (MISSING_POLICIES as readonly unknown[]).includes(missing) &&
    isTexts(left) &&
    areRules(rules)
  if (!isSound) {
    throw new CliError(`${path} is no shape: it has columns, each with a name and a type`)
  }
  const read = columnsGiven(columns as readonly GivenColumn[], null)
  return {
    ...read,
    rules: rowRulesGiven(rules as readonly RowRule[], read.columns),
    name,
    unknown: unknown as FileShape['unknown'],
    missing: missing as FileShape['missing'],
    left: left as readonly string[],
  }
}

function parsed(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (error) {
    throw new CliError(`${path} is not JSON`, { cause: error })
  }
  throw new CliError(`${path} is no shape: it has columns, each with a name and a type`)
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** What their kinds want is checked with them. */
const areRules = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)

function isColumn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, type, column, aliases, rules, dateFormat, pattern } = value as Record<
    string,
    unknown
  >
  const isTextIfAny = (each: unknown) => each === undefined || typeof each === 'string'
  return (
    typeof name === 'string' &&
    name !== '' &&
    (COLUMN_TYPES as readonly unknown[]).includes(type) &&
    (aliases === undefined || isTexts(aliases)) &&
    (rules === undefined || areRules(rules)) &&
    [column, dateFormat, pattern].every(isTextIfAny)
  )
}

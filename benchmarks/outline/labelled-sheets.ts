import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a person sees in a sheet; its fields are described beside the sheets. */
export interface SheetLabel {
  readonly kind: string
  readonly language: string
  readonly titles: readonly number[]
  readonly header: readonly number[]
  readonly firstRow: number | null
  readonly lastRow: number | null
  readonly notes: readonly number[]
  readonly columns: readonly string[]
  /** Absent for a workbook. */
  readonly delimiter?: string | null
}

export type LabelledSheet = { readonly name: string; readonly label: SheetLabel } & (
  | { readonly form: 'text'; readonly path: string }
  | { readonly form: 'workbook'; readonly workbook: SheetCells }
)

/** The cells of a workbook's sheet, from its first row on. */
export interface SheetCells {
  /** As Excel writes ranges: `A1:C1`. */
  readonly merged: readonly string[]
  readonly rows: readonly (readonly SheetCell[])[]
}

type Value = string | number | null
export type SheetCell = Value | { readonly value: Value; readonly bold: boolean }

export const SHEETS = join(import.meta.dirname, '../../test/fixtures/sheets')

/** Every sheet of a folder that has a label beside it. */
export function readSheets(folder: string): LabelledSheet[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.sheet.json'))
    .toSorted()
    .map((file) => readSheet(folder, file.slice(0, -'.json'.length)))
}

function readSheet(folder: string, name: string): LabelledSheet {
  const label = readJson(join(folder, `${name}.json`)) as SheetLabel
  const path = join(folder, `${name}.csv`)
  if (existsSync(path)) return { name, label, form: 'text', path }
  const workbook = readJson(join(folder, `${name}.sheet.json`)) as SheetCells
  return { name, label, form: 'workbook', workbook }
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

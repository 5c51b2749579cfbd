import { Type } from 'typebox'

import {
  COLUMN_TYPES,
  LINE_ROLES,
  type Preview,
  UI_DATE_FORMATS,
  WARNING_CODES,
} from '../../../pipelines/index.ts'
import { mappedHeaderSchema, mappingQuestionSchema } from '../../resources/mapping.ts'
import { remediesSchema } from '../../resources/remedy.ts'
import { byRuleSchema } from '../../resources/rule.ts'
import type { FileShape } from '../../resources/shape.ts'
import { jsonRows } from '../../stack/read/json-rows.ts'
import { JsonText, type WriteJson } from '../define-route.ts'
import { named, nullable, spoken, strictObject } from '../schemas.ts'
import {
  exampleBadRow,
  exampleDialect,
  exampleEvidence,
  exampleRows,
  exampleTable,
  exampleWarning,
} from './example-table.ts'
import { stagedLoad } from './present-load.ts'
import { exampleShapeVersion, presentShapeVersion, shapeVersionSchema } from './present-shape.ts'
import { presenter } from './presenter.ts'
import { rowSchema } from './present-source-data.ts'

const cellSchema = strictObject({
  row: Type.Integer(),
  line: Type.Optional(Type.Integer()),
  place: Type.Optional(Type.String()),
  value: Type.String(),
})

const evidenceSchema = named(
  'ColumnEvidence',
  strictObject({
    sampled: Type.Integer({ description: 'Cells that the candidates were tried on' }),
    candidates: Type.Array(
      strictObject({
        type: Type.String(),
        format: Type.Optional(Type.String()),
        accepted: Type.Integer(),
      }),
    ),
    nulls: Type.Record(Type.String(), Type.Integer(), {
      description: 'Cells made NULL, by rule',
    }),
    fallbackParsed: Type.Integer({ description: 'Dates that only another format could read' }),
    counterExample: nullable(cellSchema),
    fittingPattern: Type.Optional(
      Type.String({ description: 'By which the values would be dates, if it were given' }),
    ),
    unit: Type.Optional(Type.String({ description: 'Of all numbers: a currency, or %' })),
    mixedUnits: Type.Optional(
      Type.Array(Type.String(), { description: 'Of a given number; empty: some have none' }),
    ),
    asShown: Type.Optional(cellSchema),
    rounded: Type.Optional(cellSchema),
    ambiguous: Type.Boolean(),
  }),
)

const line = strictObject({ line: Type.Integer(), text: Type.String() })

const tableSchema = named(
  'TableInSheet',
  strictObject({
    titles: Type.Array(line, { description: 'Lines above the table' }),
    header: strictObject({ rows: Type.Array(Type.Integer(), { description: 'Its lines' }) }),
    firstRow: nullable(Type.Integer({ description: 'Line of the first row of data' })),
    lastRow: nullable(Type.Integer({ description: 'Null where the end was not read' })),
    notes: Type.Array(line, { description: 'Lines below the table, which were left out' }),
    evidence: strictObject({
      header: Type.Enum(['given', 'first row', 'none', 'weighed', 'listed']),
      reasons: Type.Array(
        strictObject({
          line: nullable(Type.Integer({ description: 'Null: all lines of the header' })),
          role: Type.String(),
          because: Type.Array(
            strictObject({
              what: Type.String({
                description:
                  'The name of what was weighed; like a code, the same in every language',
              }),
              weight: Type.Number(),
            }),
          ),
        }),
      ),
    }),
    alternatives: Type.Array(
      strictObject({
        header: Type.Array(Type.Integer()),
        firstRow: nullable(Type.Integer()),
        behind: Type.Number({ description: 'By how much it is less likely' }),
      }),
    ),
  }),
  { plain: exampleTable },
)

export const warningSchema = named(
  'Warning',
  strictObject({
    code: Type.Enum(WARNING_CODES),
    message: spoken('In the language of whoever reads it'),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.String()),
    rule: Type.Optional(Type.String({ description: 'That values break' })),
    count: Type.Optional(Type.Integer({ description: 'How many values break the rule' })),
    remedies: Type.Optional(remediesSchema),
  }),
  { inside: exampleWarning },
)

function exampleLines(rows: number) {
  const data = Array.from({ length: rows }, (_, at) => ({ line: at + 2, role: 'data' as const }))
  return [{ line: 1, role: 'header' as const }, ...data]
}

export const sourcePreviewSchema = named(
  'SourcePreview',
  strictObject({
    columns: Type.Array(
      strictObject({
        name: Type.String({ description: 'Normalised header' }),
        type: Type.Enum(COLUMN_TYPES),
        column: Type.String({ description: 'Name in SQL' }),
        sqlType: Type.String(),
        dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
        pattern: Type.Optional(Type.String({ description: 'That was given for its dates' })),
        evidence: evidenceSchema,
      }),
    ),
    data: Type.Array(rowSchema),
    lines: Type.Array(
      strictObject({
        line: Type.Integer({
          minimum: 1,
          description:
            'As `headerRow`, `firstRow` and `lastRow` count it; the number of the row where the format has no lines',
        }),
        role: Type.Enum(LINE_ROLES, {
          description: 'Those of `data` are the rows of `data`, one after the other',
        }),
      }),
      {
        description:
          'What each line was taken for, from the top down. Lines that are blank or belong to no table are not among them.',
      },
    ),
    rowCount: Type.Integer({ minimum: 0, description: 'Rows in `data`' }),
    isSample: Type.Boolean({ description: 'The origin holds more rows than are shown' }),
    reader: Type.String(),
    format: Type.String(),
    dialect: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'How the file is written. Its `evidence`, and `what` was weighed, are names; like codes, the same in every language',
    }),
    invalidCells: Type.Integer({ minimum: 0, description: 'Shown as null' }),
    byRule: byRuleSchema,
    table: Type.Optional(tableSchema),
    mapping: Type.Optional(
      Type.Array(mappedHeaderSchema, {
        description: 'How the headers meet the columns of the shape',
      }),
    ),
    missing: Type.Optional(
      Type.Array(Type.String(), { description: 'Columns of the shape without a header' }),
    ),
    questions: Type.Optional(Type.Array(mappingQuestionSchema)),
    shape: Type.Optional(shapeVersionSchema),
    warnings: Type.Array(warningSchema),
  }),
  {
    file: {
      columns: exampleEvidence,
      data: [...exampleRows, exampleBadRow],
      lines: exampleLines(4),
      rowCount: 4,
      isSample: false,
      reader: 'csv-ranges',
      format: 'csv',
      dialect: exampleDialect,
      table: exampleTable,
      invalidCells: 1,
      byRule: [{ rule: 'type', count: 1 }],
      warnings: [],
    },
    mapped: {
      columns: exampleEvidence,
      data: exampleRows,
      lines: exampleLines(3),
      rowCount: 3,
      isSample: false,
      reader: 'csv-ranges',
      format: 'csv',
      dialect: exampleDialect,
      invalidCells: 0,
      byRule: [],
      mapping: stagedLoad.mapping!,
      missing: stagedLoad.missing,
      questions: stagedLoad.questions,
      shape: exampleShapeVersion,
      warnings: [],
    },
    form: {
      columns: [
        {
          name: 'Nom',
          type: 'text',
          column: 'nom',
          sqlType: 'text',
          evidence: {
            sampled: 238,
            candidates: [{ type: 'text', accepted: 238 }],
            nulls: { blank: 12 },
            fallbackParsed: 0,
            counterExample: null,
            ambiguous: false,
          },
        },
      ],
      data: [{ Nom: 'Rousseau' }, { Nom: null }],
      lines: [
        { line: 1, role: 'data' as const },
        { line: 2, role: 'data' as const },
      ],
      rowCount: 2,
      isSample: true,
      reader: 'records',
      format: 'records',
      dialect: {},
      invalidCells: 0,
      byRule: [],
      warnings: [],
    },
  },
)

export function presentSourcePreview(
  preview: Preview,
  writeJson: WriteJson,
  shape: FileShape | null = null,
): JsonText {
  const { columns, rows, lines, isSample, reader, input, table, mapping, ...seen } = preview
  const { invalidCells, byRule, warnings } = seen
  const names = columns.map(({ name }) => name)
  const found = writeJson({
    lines,
    isSample,
    reader,
    format: input.format,
    dialect: input.dialect,
    invalidCells,
    byRule,
    ...(table !== undefined && { table }),
    ...(mapping !== undefined && {
      mapping: mapping.headers.map(presentMapped),
      missing: mapping.missing,
      questions: mapping.questions,
    }),
    ...(shape !== null && { shape: presentShapeVersion(shape) }),
    warnings,
  })
  return new JsonText(
    `{"columns":${writeJson(columns.map(presentPreviewColumn))},` +
      `"data":${jsonRows(names, rows)},"rowCount":${rows.length},${found.slice(1)}`,
  )
}

const presentMapped = presenter(mappedHeaderSchema.properties)

function presentPreviewColumn(shown: Preview['columns'][number]) {
  const { name, type, column, sqlType, dateFormat, pattern, evidence } = shown
  return {
    name,
    type,
    column,
    sqlType,
    ...(dateFormat && { dateFormat }),
    ...(pattern && { pattern }),
    evidence,
  }
}

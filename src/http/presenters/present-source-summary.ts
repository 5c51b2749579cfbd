import { Type } from 'typebox'

import { COLUMN_TYPES } from '../../../pipelines/index.ts'
import type { SourceSummary } from '../../domain/sources/sources.ts'
import { JsonText } from '../define-route.ts'
import { named, strictObject } from '../schemas.ts'

const edge = (which: string) =>
  Type.Unknown({
    description: `The ${which} value as a page of rows shows it, texts cut at 200 characters; null where there is none`,
  })

export const sourceSummarySchema = named(
  'SourceSummary',
  strictObject({
    rowCount: Type.Integer({ minimum: 0 }),
    countedRows: Type.Integer({ minimum: 0, description: 'Rows that the figures are about' }),
    isExact: Type.Boolean({ description: 'False: the figures are those of a sample' }),
    columns: Type.Array(
      strictObject({
        name: Type.String({ description: 'Normalised header' }),
        type: Type.Enum(COLUMN_TYPES),
        blank: Type.Integer({ minimum: 0 }),
        distinct: Type.Integer({ minimum: 0, description: 'Different values, blanks aside' }),
        least: edge('least'),
        most: edge('greatest'),
      }),
    ),
  }),
  {
    exact: {
      rowCount: 3,
      countedRows: 3,
      isExact: true,
      columns: [
        {
          name: 'Montant TTC',
          type: 'number',
          blank: 0,
          distinct: 3,
          least: 1240.5,
          most: 12400,
        },
      ],
    },
  },
)

export function presentSummary({ rowCount, countedRows, isExact, columns }: SourceSummary) {
  const shown = columns.map(({ name, type, blank, distinct, least, most }) => {
    const counted = JSON.stringify({ name, type, blank, distinct })
    // Assembled as text, so that every digit of a number is kept.
    return `${counted.slice(0, -1)},"least":${least},"most":${most}}`
  })
  const about = JSON.stringify({ rowCount, countedRows, isExact })
  return new JsonText(`${about.slice(0, -1)},"columns":[${shown.join(',')}]}`)
}

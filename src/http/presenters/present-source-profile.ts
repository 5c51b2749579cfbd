import { Type } from 'typebox'

import { COLUMN_TYPES } from '../../../pipelines/index.ts'
import type { SourceProfile } from '../../domain/sources/sources.ts'
import { BINS, isoInstant, rounded, PROFILE_BASES } from '../../stack/read/known-values.ts'
import { toJsonText } from '../../stack/table/stored-column.ts'
import { JsonText } from '../define-route.ts'
import { named, nullable, strictObject } from '../schemas.ts'

const MOST_SHOWN = 10

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const value = Type.Unknown({
  description: 'As a page of rows shows it, texts cut at 200 characters',
})

export const sourceProfileSchema = named(
  'SourceProfile',
  strictObject({
    rowCount: Type.Integer({ minimum: 0 }),
    columns: Type.Array(
      strictObject({
        name: Type.String({ description: 'Normalised header' }),
        type: Type.Enum(COLUMN_TYPES),
        basis: Type.Enum(PROFILE_BASES, {
          description:
            '`statistics`: what PostgreSQL gathered after the last publication; `sample`: 10,000 rows, ' +
            'where it has gathered nothing yet',
        }),
        blank: share('Of all rows'),
        distinct: Type.Integer({ minimum: 0, description: 'Different values, estimated' }),
        frequent: Type.Array(strictObject({ value, share: share('Of all rows') }), {
          maxItems: MOST_SHOWN,
          description: 'Values that come often, the most frequent first',
        }),
        histogram: nullable(
          strictObject({
            from: value,
            to: value,
            shares: Type.Array(share('Of all rows'), {
              minItems: BINS,
              maxItems: BINS,
              description: 'Of stretches of the same length between `from` and `to`',
            }),
            below: share('Of the few values that are far before `from`'),
            above: share('Of those far behind `to`'),
          }),
        ),
      }),
    ),
  }),
  {
    'one-column': {
      rowCount: 48,
      columns: [
        {
          name: 'Montant TTC',
          type: 'number',
          basis: 'statistics',
          blank: 0.0625,
          distinct: 40,
          frequent: [{ value: 86, share: 0.125 }],
          histogram: {
            from: 45,
            to: 12_400,
            shares: [0.5, 0.25, ...Array<number>(BINS - 3).fill(0), 0.1875],
            below: 0,
            above: 0,
          },
        },
      ],
    },
  },
)

export function presentProfile({ rowCount, columns }: SourceProfile) {
  const shown = columns.map((column) => {
    const { name, type, sqlType, known, histogram } = column
    const write = toJsonText(column)
    const asShown = (text: string) => write(shownAs(sqlType, text)) ?? 'null'
    const frequent = known.frequent
      .slice(0, MOST_SHOWN)
      .map((one) => `{"value":${asShown(one.text)},"share":${rounded(one.share)}}`)
    // Assembled as text, so that every digit of a number is kept.
    const { basis, blank, distinct } = known
    const about = JSON.stringify({ name, type, basis, blank: rounded(blank), distinct })
    return (
      `${about.slice(0, -1)},"frequent":[${frequent.join(',')}],"histogram":` +
      (histogram === null
        ? 'null}'
        : `{"from":${asShown(histogram.from)},"to":${asShown(histogram.to)},` +
          `"shares":${JSON.stringify(histogram.shares)},` +
          `"below":${histogram.below},"above":${histogram.above}}}`)
    )
  })
  return new JsonText(`{"rowCount":${rowCount},"columns":[${shown.join(',')}]}`)
}

/** Statistics hold values as PostgreSQL writes them in an array. */
function shownAs(sqlType: string, text: string): string {
  if (sqlType === 'boolean') return String(text.startsWith('t'))
  if (sqlType !== 'timestamptz') return text
  const instant = new Date(isoInstant(text))
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString()
}

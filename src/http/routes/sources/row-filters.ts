import { Type } from 'typebox'

import type { GivenFilter } from '../../../domain/sources/resolve-filters.ts'
import { type Comparison, COMPARISONS } from '../../../stack/read/row-filter.ts'

type Brackets = Readonly<Record<string, string | readonly string[]>>

const oneText = Type.String({ maxLength: 8192 })

/** The values by what is in the brackets of `filter[…]`. */
export const filterQuery = Type.Optional(
  Type.Unsafe<Brackets>(
    Type.Object(
      {},
      {
        additionalProperties: Type.Union([oneText, Type.Array(oneText)]),
        description:
          'Rows that pass; several are all to be passed, the same one may come again. ' +
          '`filter[Client]=Martin` compares whole cells; behind the header may stand `[gte]`, `[gt]`, ' +
          '`[lt]`, `[lte]`, `[contains]` (ignores case and accents; for texts and JSON), `[blank]` ' +
          '(`true` or `false`) or `[eq]`, as in `filter[Montant TTC][gte]=1000`. Values are written as ' +
          'rows show them: `true`, `-12.50`, `2026-01-31`, `2026-01-31T09:30:00.000Z`.',
        examples: [{ 'Montant TTC][gte': '1000' }],
      },
    ),
  ),
)

const oneHeader = Type.String({ minLength: 1, format: 'without-nul' })

/** Which columns of rows are wanted. */
export const columnsQuery = Type.Optional(
  Type.Union([oneHeader, Type.Array(oneHeader, { uniqueItems: true })], {
    description:
      'Headers in the order in which they are wanted, one each time; default: all columns',
    examples: ['Montant TTC'],
  }),
)

/** In which order rows are wanted. */
export const orderQuery = {
  sort: Type.Optional({
    ...oneHeader,
    description: 'Header of a column; default: the order of the source',
    examples: ['Montant TTC'],
  }),
  order: Type.Enum(['asc', 'desc'], { default: 'asc' }),
}

const COMPARED = new RegExp(`^([^]*)\\]\\[(${COMPARISONS.join('|')})$`)

/** The conditions of a query. */
export function readFilters(filter: Brackets = {}): GivenFilter[] {
  return Object.entries(filter).flatMap(([brackets, sent]) => {
    const [, header = brackets, comparison = 'eq'] = COMPARED.exec(brackets) ?? []
    const name = `filter[${brackets}]`.replaceAll('~', '~0').replaceAll('/', '~1')
    return [sent].flat().map((text) => ({
      pointer: `/query/${name}`,
      header,
      comparison: comparison as Comparison,
      text,
    }))
  })
}

import { Type } from 'typebox'

import type { Change, ChangesPage } from '../../domain/sources/sources.ts'
import { CHANGE_KINDS } from '../../stack/read/compare-states.ts'
import { JsonText } from '../define-route.ts'
import type { PageRequest } from '../../resources/page.ts'
import { named, nullable, strictObject } from '../schemas.ts'
import { exampleDrift, exampleRows } from './example-table.ts'
import { driftSchema } from '../../resources/load.ts'
import { rowSchema } from './present-source-data.ts'

const count = () => Type.Integer({ minimum: 0 })

const changeSchema = strictObject({
  kind: Type.Enum(CHANGE_KINDS),
  key: Type.Optional(Type.Unknown({ description: 'Value of the column in `key`' })),
  before: nullable(rowSchema),
  after: nullable(rowSchema),
})

const [first, second, third] = exampleRows

export const changesSchema = named(
  'SourceChanges',
  strictObject({
    added: count(),
    removed: count(),
    changed: count(),
    unchanged: count(),
    drift: driftSchema,
    items: Type.Array(changeSchema),
    total: count(),
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
  }),
  {
    'by-key': {
      added: 1,
      removed: 0,
      changed: 1,
      unchanged: 1,
      drift: exampleDrift,
      items: [
        {
          kind: 'changed',
          key: 'Hôtel des Îles',
          before: second!,
          after: { ...second!, Payé: true },
        },
        { kind: 'added', key: 'Mairie de Sète', before: null, after: third! },
      ],
      total: 2,
      page: 1,
      limit: 20,
    },
    'rows-compared-whole': {
      added: 0,
      removed: 1,
      changed: 0,
      unchanged: 2,
      drift: exampleDrift,
      items: [{ kind: 'removed', before: first!, after: null }],
      total: 1,
      page: 1,
      limit: 20,
    },
  },
)

/** Assembled as text, so that numbers which JavaScript cannot represent are passed on unchanged. */
export function presentChanges(changes: ChangesPage, { page, limit }: PageRequest): JsonText {
  const { added, removed, changed, unchanged, drift, items, total } = changes
  const head = JSON.stringify({ added, removed, changed, unchanged, drift }).slice(0, -1)
  return new JsonText(
    `${head},"items":[${items.map(presentChange).join(',')}],"total":${total},"page":${page},"limit":${limit}}`,
  )
}

function presentChange({ kind, key, before, after }: Change): string {
  const keyed = key === null ? '' : `"key":${key},`
  return `{"kind":"${kind}",${keyed}"before":${before ?? 'null'},"after":${after ?? 'null'}}`
}

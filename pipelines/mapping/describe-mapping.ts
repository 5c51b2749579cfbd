import { EngineError } from '../core/errors.ts'
import type {
  Expectation,
  MappedBy,
  MappedHeader,
  Mapping,
  MappingQuestion,
  Proposal,
} from '../core/mapping.ts'
import type { Message } from '../core/message.ts'
import { shownName } from '../core/cut-text.ts'
import { mappingMessages } from './mapping-messages.ts'
import { type MetHeader, pointerTo } from './meet-headers.ts'
import { type MissingColumn, propose, type UnknownHeader } from './propose.ts'

/** How the headers met the columns, and what was found below them. */
interface MetTable {
  readonly expectation: Expectation
  readonly headers: readonly (MetHeader & Pick<UnknownHeader, 'type' | 'isBlank'>)[]
}

const BECAUSE = {
  given: mappingMessages.byHand,
  name: mappingMessages.byName,
  folded: mappingMessages.byFold,
  alias: mappingMessages.byAlias,
  others: mappingMessages.byOthers,
}

/** How certain a mapping is that no person has looked at. */
const CONFIDENCE = { given: 1, name: 1, folded: 1, alias: 1, others: 0.98 }

/** Says how headers met columns, and asks what only people can know. */
export function describeMapping({ expectation, headers }: MetTable): Mapping {
  const missing = missingColumns(expectation, headers)
  const unknown = headers.flatMap((each, at) => (each.by === 'unknown' ? [{ ...each, at }] : []))
  const proposals = propose(unknown, missing)
  const mapped = headers.map((each) => mapHeader(expectation, each, proposals.get(each.header)))
  return {
    headers: mapped,
    missing: missing.map(({ column }) => column.name),
    questions: [
      ...unknown.flatMap(({ header }) =>
        questionOf(expectation, header, proposals.get(header) ?? []),
      ),
      ...(expectation.missing === 'ask'
        ? missing.map(({ column }) => missingQuestion(column.name))
        : []),
    ],
  }
}

/** Refuses what the shape says is to be refused. */
export function refuseUnasked({ unknown, missing }: Expectation, mapping: Mapping): void {
  const headers = mapping.headers.filter(({ by }) => by === 'proposed' || by === 'new')
  if (unknown === 'refuse' && headers.length > 0) {
    const names = headers.slice(0, MOST_NAMED).map(({ header }) => shownName(header))
    const message = mappingMessages.unknownRefused({ headers: names })
    throw new EngineError(message, { kind: 'options', pointer: pointerTo(headers[0]!.header) })
  }
  if (missing === 'refuse' && mapping.missing.length > 0) {
    const columns = mapping.missing.slice(0, MOST_NAMED).map(shownName)
    throw new EngineError(mappingMessages.missingRefused({ columns }), {
      kind: 'options',
      pointer: '/mapping',
    })
  }
}

const MOST_NAMED = 20

function missingColumns(
  { columns }: Expectation,
  headers: readonly MetHeader[],
): readonly MissingColumn[] {
  const met = new Set(headers.map(({ column }) => column))
  return columns
    .filter(({ isExpected }) => isExpected)
    .flatMap((column, at) => (met.has(column) ? [] : [{ column, at }]))
}

function mapHeader(
  { unknown }: Expectation,
  { header, column, name, by }: MetHeader,
  proposals: readonly Proposal[] = [],
): MappedHeader {
  const said = (mappedBy: MappedBy, to: string | null, confidence: number, because: Message) => ({
    header,
    column: to,
    by: mappedBy,
    confidence,
    because,
    alternatives: [],
    loadedAs: name,
  })
  switch (by) {
    case 'given':
      return said('given', name, CONFIDENCE.given, BECAUSE.given())
    case 'left by hand':
      return said('left', null, 1, mappingMessages.byHand())
    case 'left before':
      return said('left', null, 1, mappingMessages.leftBefore())
    case 'unknown':
      return mapUnknown()
    case 'others':
      return said('alias', column!.name, CONFIDENCE.others, BECAUSE.others())
    case 'name':
    case 'folded':
    case 'alias':
      return said(by, column!.name, CONFIDENCE[by], BECAUSE[by]())
  }

  function mapUnknown(): MappedHeader {
    const [best, ...alternatives] = proposals
    if (best !== undefined) {
      return { header, ...best, by: 'proposed', alternatives, loadedAs: name }
    }
    return unknown === 'leave'
      ? said('left', null, 1, mappingMessages.leftByShape())
      : said('new', name, 1, mappingMessages.isNew())
  }
}

function questionOf(
  { unknown }: Expectation,
  header: string,
  proposals: readonly Proposal[],
): readonly MappingQuestion[] {
  const [best] = proposals
  if (best !== undefined) return [{ kind: 'renamed', header, column: best.column, proposals }]
  return unknown === 'ask' ? [{ kind: 'unknown', header, proposals: [] }] : []
}

const missingQuestion = (column: string): MappingQuestion => ({
  kind: 'missing',
  column,
  proposals: [],
})

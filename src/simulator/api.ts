import type { FaultKind, RequestPlace } from './faults.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { writeRecords } from './records.ts'
import { json, refusal, type SimulatedReply } from './reply.ts'
import type { SimulatedItem, World } from './world.ts'

/** A call of the simulated interface, parsed but not answered yet. */
interface Call {
  readonly place: RequestPlace
  answer(fault: FaultKind | null): SimulatedReply
}

const DEFAULT_LIMIT = 20
const MAX_LIST_LIMIT = 100
const DEFAULT_PAGE_SIZE = 100
const MAX_PAGE_SIZE = 1000

const PATH = /^\/api\/v1\/(forms|cards)(?:\/([0-9a-fA-F-]{36})(?:\/(responses|submissions))?)?$/
const RECORDS_OF = { forms: 'responses', cards: 'submissions' } as const
const COUNT_OF = { forms: 'responseCount', cards: 'submissionCount' } as const

type Kind = keyof typeof RECORDS_OF

/** Null if the interface has nothing at this address. */
export function understand(world: World, url: URL): Call | null {
  const match = PATH.exec(url.pathname)
  if (!match) return null
  const kind = match[1] as Kind
  const [, , uuid, records] = match
  if (uuid === undefined) {
    return { place: 'listing', answer: () => list(kind, world[kind], url.searchParams) }
  }
  const item = world[kind].find((candidate) => candidate.uuid === uuid.toLowerCase())
  if (records === undefined) {
    return { place: 'item', answer: () => (item ? json(describe(kind, item)) : unknown()) }
  }
  if (records !== RECORDS_OF[kind]) return null
  return {
    place: 'records',
    answer: (fault) => (item ? page(item, url.searchParams, fault) : unknown()),
  }
}

const unknown = () => refusal(404, 'Introuvable')

function list(kind: Kind, items: readonly SimulatedItem[], query: URLSearchParams): SimulatedReply {
  const number = wholeNumber(query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const limit = wholeNumber(query.get('limit'), DEFAULT_LIMIT, MAX_LIST_LIMIT)
  if (number === null || limit === null) return refusal(400, 'Pagination invalide')
  const wanted = fold(query.get('search') ?? '')
  const found = items.filter(({ title }) => fold(title).includes(wanted))
  const shown = found
    .slice((number - 1) * limit, number * limit)
    .map((item) => describe(kind, item))
  return json(
    `{"items":[${shown.join(',')}],"total":${found.length},"page":${number},"limit":${limit}}`,
  )
}

function describe(kind: Kind, item: SimulatedItem): string {
  return JSON.stringify({
    uuid: item.uuid,
    title: item.title,
    publicationStatus: item.publicationStatus,
    [COUNT_OF[kind]]: item.recordCount,
    updatedAt: item.updatedAt,
    columns: item.questions
      .filter((question) => !question.removed)
      .map(({ key, label, type }) => ({ key, label, type })),
  })
}

function page(
  item: SimulatedItem,
  query: URLSearchParams,
  fault: FaultKind | null,
): SimulatedReply {
  const limit = wholeNumber(query.get('limit'), DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
  const cursor = query.get('cursor')
  const from = cursor === null ? 0 : readCursor(item.seed, cursor)
  if (limit === null || from === null) return refusal(400, 'Pagination invalide')

  const endless = fault?.kind === 'endless-pages' ? fault : null
  const to = endless ? from + limit : Math.min(from + limit, item.recordCount)
  const more = endless !== null || to < item.recordCount
  const next = fault?.kind === 'repeated-cursor' ? Math.min(limit, item.recordCount) : to
  const nextCursor = more ? `"${writeCursor(item.seed, next)}"` : 'null'
  const records = endless?.empty ? '' : writeRecords(item, from, Math.max(from, to))
  return json(
    `{"items":[${records}],"nextCursor":${nextCursor},"total":${totalSaid(item, to, fault)}}`,
  )
}

function totalSaid(item: SimulatedItem, sent: number, fault: FaultKind | null): number {
  if (fault?.kind === 'wrong-total') return Math.max(0, item.recordCount + fault.by)
  if (fault?.kind === 'endless-pages' && fault.honest) return sent + 1
  return item.recordCount
}

function wholeNumber(text: string | null, ifAbsent: number, maximum: number): number | null {
  if (text === null) return ifAbsent
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= maximum ? value : null
}

/** A search ignores case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

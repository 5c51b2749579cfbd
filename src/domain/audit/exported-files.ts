import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import type { ObjectStore } from '../../storage/object-store.ts'
import { type ChainEnd, CHAIN_START, type Flaw, flawOf, fromLine, type Link } from './chain.ts'

const folderOf = (enterpriseId: number) => `audit/${enterpriseId}/`

export const keyOfExported = (enterpriseId: number, first: number, last: number): string =>
  `${folderOf(enterpriseId)}${first}-${last}.ndjson`

/** What is wrong with what was exported. */
export type ExportFlaw =
  /** There is no file with these entries. */
  | { readonly kind: 'missing'; readonly first: number; readonly last: number }
  | { readonly kind: Flaw; readonly key: string; readonly line: number }

/**
 * Follows the chain through the files of an enterprise, from its start to the end up to which it is said
 * to be exported.
 */
export async function* verifyExported(
  store: ObjectStore,
  enterpriseId: number,
  exported: ChainEnd,
  signal: AbortSignal,
): AsyncGenerator<ExportFlaw> {
  // Null after a flaw: the next file is followed by itself.
  let known: ChainEnd | null = CHAIN_START
  let reached = 0
  for (const { first, last } of await listExported(store, enterpriseId, signal)) {
    // Left by a process that died, or was not the first, before it said that they are exported.
    if (last <= reached || last > exported.number) continue
    if (first > reached + 1) {
      yield { kind: 'missing', first: reached + 1, last: first - 1 }
      known = null
    }
    const key = keyOfExported(enterpriseId, first, last)
    const { stream } = await store.get(store.defaultBucket, key, { signal })
    const { flaw, line, begin, end } = await followFile(stream, known)
    if (flaw !== null) yield { kind: flaw, key, line }
    else if (begin !== first || end.number !== last) yield { kind: 'removed', key, line }
    else if (last === exported.number && end.hash !== exported.hash) {
      yield { kind: 'changed', key, line }
    }
    known = flaw === null && end.number === last ? end : null
    reached = last
  }
  if (reached < exported.number)
    yield { kind: 'missing', first: reached + 1, last: exported.number }
}

const NUMBERS_IN_KEY = /\/(\d+)-(\d+)\.ndjson$/

async function listExported(store: ObjectStore, enterpriseId: number, signal: AbortSignal) {
  const files: { first: number; last: number }[] = []
  for await (const page of store.list(store.defaultBucket, folderOf(enterpriseId), { signal })) {
    for (const { key } of page) {
      const [, first, last] = NUMBERS_IN_KEY.exec(key) ?? []
      if (first !== undefined) files.push({ first: Number(first), last: Number(last) })
    }
  }
  return files.toSorted((a, b) => a.first - b.first || a.last - b.last)
}

interface Followed {
  /** Of the line that was read last. */
  readonly flaw: Flaw | null
  readonly line: number
  /** The number of the first entry. */
  readonly begin: number
  readonly end: ChainEnd
}

/**
 * Follows the chain through an exported file. `known` is as far as it was followed before; null: what
 * comes before the file is not known.
 */
export async function followFile(file: Readable, known: ChainEnd | null): Promise<Followed> {
  let begin = 0
  let end: ChainEnd | null = null
  let line = 0
  for await (const text of createInterface({ input: file })) {
    line++
    const link = fromLine(text)
    const flaw = link === null ? 'changed' : flawAfter(end, known, link)
    if (link === null || flaw !== null) {
      file.destroy()
      return { flaw, line, begin, end: end ?? CHAIN_START }
    }
    begin ||= link.number
    end = link
  }
  // It lies before what is known, and does not lead there.
  const isStray = known !== null && end !== null && end.number < known.number
  return { flaw: isStray ? 'inserted' : null, line, begin, end: end ?? known ?? CHAIN_START }
}

function flawAfter(end: ChainEnd | null, known: ChainEnd | null, link: Link): Flaw | null {
  if (link.number === known?.number && link.hash !== known.hash) return 'changed'
  if (end !== null) return flawOf(end, link)
  if (link.number === 1) return flawOf(CHAIN_START, link)
  // Within what is known, its first line can only be judged by those that follow.
  return known !== null && link.number > known.number ? flawOf(known, link) : null
}

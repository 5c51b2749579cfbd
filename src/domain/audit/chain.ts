import { hash } from 'node:crypto'

/** One entry as it was hashed. */
export interface Link {
  readonly number: number
  readonly text: string
  readonly hash: string
}

/** The hash that every link contains is that of the one before it. */
export interface ChainEnd {
  readonly number: number
  readonly hash: string
}

export const CHAIN_START: ChainEnd = { number: 0, hash: '' }

export type Flaw = 'changed' | 'removed' | 'inserted'

/** What is wrong with a link that comes after this end; null: nothing is. */
export function flawOf(before: ChainEnd, link: Link): Flaw | null {
  if (link.number > before.number + 1) return 'removed'
  if (link.number <= before.number) return 'inserted'
  return hash('sha256', `${before.hash} ${link.text}`) === link.hash ? null : 'changed'
}

/** A line of an exported file; the hash stands last, so that the rest is what was hashed. */
export const toLine = ({ text, hash: own }: Link): string =>
  `${text.slice(0, -1)}, "hash": "${own}"}\n`

const HASH_AT_END = /, "hash": "([0-9a-f]{64})"\}$/

/** Null: no line of ours. */
export function fromLine(line: string): Link | null {
  const found = HASH_AT_END.exec(line)
  if (found === null) return null
  const text = `${line.slice(0, found.index)}}`
  try {
    const { number } = JSON.parse(text) as { number?: unknown }
    return typeof number === 'number' ? { number, text, hash: found[1]! } : null
  } catch {
    return null
  }
}

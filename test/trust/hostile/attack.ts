import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Operation } from './operations.ts'

/** One request with something wrong in it. */
export interface Attack {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** The document says that this cannot be taken. */
  readonly mustBeRefused: boolean
}

export interface Draft {
  what: string
  method: string
  params: Record<string, string>
  query: string[]
  headers: Record<string, string>
  body: Buffer | null
  mustBeRefused: boolean
}

/** Spoils the draft, or says that there is nothing here for it to spoil. */
export type Spoil = (draft: Draft, operation: Operation, random: SeededRandom) => boolean

export type FindUuid = (path: string, random: SeededRandom) => string

import { Readable } from 'node:stream'

import { type CellError, EngineError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import { MOST_REMEDIES, type Remedy } from '../core/remedy.ts'
import type { ByteSource, DataSource } from '../core/source.ts'
import { decimalAttempts, heldToNumbers } from './decimal-remedies.ts'
import type { EngineParts } from './engine-parts.ts'
import { formatOf } from './open-reading.ts'
import { remedyMessages } from './remedy-messages.ts'
import { type Attempt, structureAttempts, type Unread } from './structure-remedies.ts'
import { type Trial, tryOptions } from './try-options.ts'
import { MiB } from '../core/mebibyte.ts'

/** Whoever waits for a refusal does not wait longer than this for what to do about it. */
const MOST_MS = 3000
/** Rows behind the one that broke, so that a remedy is tried on more than that one. */
const ROWS_BEHIND = 1000

/** Reads a source, and can say afterwards what would let it load if it was refused. */
export interface WayOut {
  /** To be read in the place of the source. */
  readonly source: DataSource
  /** A refusal of what was read with the options that would let it load, each tried; else the error. */
  offer(error: unknown, signal: AbortSignal): Promise<unknown>
  /** Those of refused cells, and what shows only when the input is read again. */
  besides(refused: RefusedBefore, signal: AbortSignal): Promise<readonly Remedy[]>
}

interface RefusedBefore {
  readonly options: IngestOptions
  readonly errors: readonly CellError[]
  readonly remedies: readonly Remedy[]
}

export function wayOut(parts: EngineParts, source: DataSource, options: IngestOptions): WayOut {
  const remembered = source.kind === 'bytes' ? rememberWhatIsRead(source) : null
  const besides: WayOut['besides'] = async ({ options: asked, errors, remedies }, signal) => {
    const held = heldToNumbers(asked, errors)
    const again = held === null ? null : (remembered?.again() ?? null)
    if (held === null || again === null) return remedies
    const row = Math.max(0, ...errors.map((error) => error.row))
    const prove = prover(parts, again, row, inTime(signal))
    const asItIs = await prove.trial(held)
    const attempts = decimalAttempts(asked).map((attempt) => ({
      ...attempt,
      options: { ...held, ...attempt.options },
    }))
    const found = await prove.remedies(attempts, asked)
    const better = found.filter(({ leaves }) => leaves < (asItIs?.rejected ?? 0))
    return [...better.toSorted(leastFirst), ...remedies].slice(0, MOST_REMEDIES)
  }
  return {
    source: remembered?.source ?? source,
    async offer(error, signal) {
      if (!(error instanceof EngineError)) return error
      const { problem, remedies } = error
      if (problem.kind === 'cells') {
        const { errors } = problem
        return error.with(await besides({ options, errors, remedies: remedies ?? [] }, signal))
      }
      if (remedies !== null) return error
      const again = remembered?.again() ?? null
      return error.with(await structureRemedies(parts, again, options, error, inTime(signal)))
    },
    besides,
  }
}

function inTime(signal: AbortSignal): AbortSignal {
  const within = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  // Node forgets a time limit that nobody listens to, also while somebody still looks at it.
  within.addEventListener('abort', () => {})
  return within
}

/** What leaves nothing comes first; of equal ones the one that was thought of first. */
const leastFirst = (one: Remedy, other: Remedy): number => one.leaves - other.leaves

/** Tries options on the first rows, up to some behind the one that is wrong. */
function prover(parts: EngineParts, source: ByteSource, row: number, signal: AbortSignal) {
  const rows = Math.max(parts.limits.sampleRows, row + ROWS_BEHIND)
  const trial = async (options: IngestOptions): Promise<Trial | null> =>
    signal.aborted
      ? null
      : // Whatever goes wrong with it, it is not a remedy.
        tryOptions(parts, source, said(options), { rows, signal }).catch(() => null)
  return {
    trial,
    async remedies(attempts: readonly Attempt[], options: IngestOptions): Promise<Remedy[]> {
      const remedies: Remedy[] = []
      for (const attempt of attempts) {
        const tried = await trial({ ...options, ...attempt.options })
        const remedy = tried === null ? null : judged(attempt, tried, row, options)
        if (remedy !== null) remedies.push(remedy)
      }
      return remedies
    },
  }
}

async function structureRemedies(
  parts: EngineParts,
  source: ByteSource | null,
  options: IngestOptions,
  { problem, proposals }: EngineError,
  signal: AbortSignal,
): Promise<readonly Remedy[]> {
  if (source === null) return []
  const format = await formatOf(parts, source, options, signal).catch(() => null)
  const unread: Unread = {
    problem,
    proposals,
    options,
    hasOption: (name) => format !== null && Object.hasOwn(format.options, name),
  }
  const row = 'row' in problem ? (problem.row ?? 0) : 0
  const remedies = await prover(parts, source, row, signal).remedies(
    structureAttempts(unread),
    options,
  )
  const padded = remedies.find(({ options: { ragged } }) => ragged === 'pad')
  const fewest = options['ragged'] === 'pad' ? Infinity : (padded?.leaves ?? Infinity)
  return (
    remedies
      // Cutting fields off is nothing to offer where filling up does as much.
      .filter(({ options: { ragged }, leaves }) => ragged !== 'fit' || leaves < fewest)
      .toSorted(leastFirst)
      .slice(0, MOST_REMEDIES)
  )
}

/** What the trial proves; null if it did not come as far as the fault, or loses more than it loads. */
function judged(
  attempt: Attempt,
  trial: Trial,
  row: number,
  options: IngestOptions,
): Remedy | null {
  const { loaded, rejected, read, isAll } = trial
  if (loaded === 0 || rejected > loaded || (!isAll && read < row)) return null
  const remedy = attempt.remedy(trial)
  if (remedy === null) return null
  const all = said({ ...options, ...remedy.options })
  if (rejected === 0 || remedy.options.onInvalid === 'skip') {
    return { ...remedy, options: all, leaves: rejected }
  }
  return {
    options: { ...all, onInvalid: 'skip' },
    message: remedyMessages.andSkip({ first: remedy.message, rows: rejected }),
    leaves: rejected,
  }
}

const said = (options: IngestOptions): IngestOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Of a stream that may not come again, so much is kept to try remedies on. */
const MOST_BYTES = 4 * MiB
const LINE_FEED = 0x0a

interface Remembered {
  /** To be read in the place of the source. */
  readonly source: ByteSource
  /** What was read of it, as a source; null if nothing can be tried on that. */
  again(): ByteSource | null
}

/** Keeps the first bytes that a stream gives; stored bytes are simply opened again. */
function rememberWhatIsRead(source: ByteSource): Remembered {
  if (source.path !== undefined || source.openRange !== undefined) {
    return { source, again: () => source }
  }
  const chunks: Buffer[] = []
  let size = 0
  let isCut = false
  let hasEnded = false
  return {
    source: {
      ...source,
      open: (signal) => source.open(signal),
      onRead(chunk) {
        if (chunk === null || hasEnded) hasEnded = true
        else if (size >= MOST_BYTES) isCut = true
        else {
          // Readers change the bytes that they are given.
          chunks.push(Buffer.from(chunk))
          size += chunk.length
        }
      },
    },
    again() {
      const bytes = Buffer.concat(chunks)
      const kept = hasEnded && !isCut ? bytes : wholeLines(bytes)
      if (kept === null) return null
      const { name } = source
      const open = async () => Readable.from([kept])
      return { kind: 'bytes', ...(name !== undefined && { name }), size: kept.length, open }
    },
  }
}

/** Null for what is packed, or has no lines: half of it is nothing. */
function wholeLines(bytes: Buffer): Buffer | null {
  const isPacked = bytes[0] === 0x1f || bytes.subarray(0, 2).toString('latin1') === 'PK'
  const end = bytes.lastIndexOf(LINE_FEED) + 1
  return isPacked || end === 0 ? null : bytes.subarray(0, end)
}

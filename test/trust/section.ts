import { seededRandom, type SeededRandom } from '../support/seeded-random.ts'
import type { Failure, Ledger } from './ledger.ts'
import type { NodeFault } from './tools/node-controls.ts'

/** `ci`: seconds, with every run of the tests. `short`: minutes. `long`: the counts of the list. */
const EXTENTS = ['ci', 'short', 'long'] as const
export type Extent = (typeof EXTENTS)[number]

/** One part of the list: it opens what it needs, provokes, and looks whether everything held. */
export interface Section {
  readonly name: string
  readonly about: string
  run(trials: Trials): Promise<void>
}

/** With local storage, and with object storage where there is time for it. */
export const onBothStores =
  (runOn: (store: 'local' | 's3', trials: Trials) => Promise<void>): Section['run'] =>
  async (trials) => {
    await runOn('local', trials)
    if (trials.extent !== 'ci') await runOn('s3', trials)
  }

/** What a section gets: how much of it, from which seed, and where to write down what it saw. */
export interface Trials {
  readonly extent: Extent
  readonly seed: number
  readonly signal: AbortSignal
  /** What commands can do to a node of the cluster. */
  readonly nodeFaults: readonly NodeFault[]
  /** What the name of an attack, or of what a fault meets, has to contain. */
  readonly only: string
  /** How often, by extent. */
  times(counts: Readonly<Record<Extent, number>>): number
  /** Tries a fault once; a failure is written down and does not end the section. */
  attempt(fault: string, work: (random: SeededRandom) => Promise<string | void>): Promise<boolean>
  /** Tries a fault so often, each time from a seed of its own. */
  repeat(
    fault: string,
    counts: Readonly<Record<Extent, number>>,
    work: (random: SeededRandom) => Promise<string | void>,
  ): Promise<void>
  /** Counts what was tried in bulk. */
  count(fault: string, tried: number, failures: readonly Failure[]): void
  skip(fault: string, reason: string): void
  /** Runs the section itself: one that cannot even begin, or be closed, has not held. */
  guard(run: () => Promise<void>): Promise<void>
}

export interface TrialsOptions {
  readonly section: string
  readonly extent: Extent
  readonly seed: number
  readonly ledger: Ledger
  readonly signal: AbortSignal
  readonly nodeFaults?: readonly NodeFault[]
  readonly only?: string
  onAttempt?(fault: string, held: boolean): void
}

export function openTrials(options: TrialsOptions): Trials {
  const { section, extent, seed, ledger, signal, nodeFaults = [], only = '', onAttempt } = options

  async function attemptFrom(
    from: number,
    fault: string,
    work: (random: SeededRandom) => Promise<string | void>,
  ): Promise<boolean> {
    const entry = ledger.entry(section, fault)
    entry.tried++
    let held = false
    try {
      const note = await work(seededRandom(from))
      if (note) entry.note = note
      entry.held++
      held = true
    } catch (error) {
      entry.failures.push({ seed: from, message: messageOf(error) })
    }
    onAttempt?.(fault, held)
    return held
  }

  return {
    extent,
    seed,
    signal,
    nodeFaults,
    only,
    times: (counts) => counts[extent],
    attempt: (fault, work) => attemptFrom(seed, fault, work),
    async repeat(fault, counts, work) {
      for (let nth = 0; nth < counts[extent] && !signal.aborted; nth++) {
        await attemptFrom(seed + nth, fault, work)
      }
    },
    count(fault, tried, failures) {
      const entry = ledger.entry(section, fault)
      entry.tried += tried
      entry.held += tried - failures.length
      entry.failures.push(...failures)
      onAttempt?.(fault, failures.length === 0)
    },
    skip(fault, reason) {
      ledger.entry(section, fault).skipped = reason
    },
    async guard(run) {
      try {
        await run()
      } catch (error) {
        const entry = ledger.entry(section, 'the section itself')
        entry.tried++
        entry.failures.push({ seed, message: messageOf(error) })
        onAttempt?.(entry.fault, false)
      }
    },
  }
}

const MOST_CAUSES = 5

/** The error and what caused it, one line each. */
export function messageOf(error: unknown): string {
  const lines: string[] = []
  let cause = error
  while (cause instanceof Error && lines.length < MOST_CAUSES) {
    lines.push(cause.message)
    // What went wrong first is behind what went wrong while everything was closed.
    cause = cause instanceof SuppressedError ? cause.suppressed : cause.cause
  }
  return lines.length > 0 ? lines.join('\ncaused by: ') : JSON.stringify(error)
}

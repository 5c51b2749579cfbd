import { unlessAborted } from '../time/unless-aborted.ts'
import type { AskedGauge } from './metrics.ts'

/** Checks whether a part of the service works; a rejection means that it does not. */
type HealthQuestion = (signal: AbortSignal) => Promise<unknown>

export interface Health {
  /** Name of each part and whether it answers. */
  check(): Promise<Readonly<Record<string, boolean>>>
}

interface HealthOptions {
  readonly limitMs?: number
}

/**
 * Callers have time limits of their own; a part that has not answered by now counts as unavailable.
 */
const LIMIT_MS = 3000

/** Checks all parts at once. A part that has not answered yet is not asked a second time. */
export function createHealth(
  questions: Readonly<Record<string, HealthQuestion>>,
  { limitMs = LIMIT_MS }: HealthOptions = {},
): Health {
  const parts = Object.entries(questions).map(([name, ask]) => ({ name, answers: askOnce(ask) }))
  return {
    async check() {
      const limit = AbortSignal.timeout(limitMs)
      return Object.fromEntries(
        await Promise.all(
          parts.map(async ({ name, answers }): Promise<[string, boolean]> => [
            name,
            await answers(limit),
          ]),
        ),
      )
    },
  }
}

function askOnce(ask: HealthQuestion): (limit: AbortSignal) => Promise<boolean> {
  let underWay: Promise<unknown> | null = null
  return (limit) => {
    underWay ??= ask(limit).finally(() => {
      underWay = null
    })
    return unlessAborted(limit, underWay).then(
      () => true,
      () => false,
    )
  }
}

/** The same for Prometheus, which only reads numbers. */
export const partsGauge = (health: Health): AskedGauge => ({
  name: 'part_answers',
  help: 'Whether a part of the service answers this process: 1, or 0 where it is away',
  labelNames: ['part'],
  read: async () =>
    Object.entries(await health.check()).map(([part, answers]) => ({
      labels: { part },
      value: Number(answers),
    })),
})

import { setTimeout as sleep } from 'node:timers/promises'

import type { TestClient, TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { uniqueTable } from '../deeds/sources.ts'

/** Something that somebody of another enterprise wants meanwhile. */
type Question = (victim: TestClient) => Promise<TestResponse>

const SMALL_QUESTIONS: readonly Question[] = [
  (victim) => victim.get('/folders/mine'),
  (victim) => victim.get('/sources'),
  (victim) => victim.get('/auth/me'),
  (victim) => victim.get('/jobs?limit=10'),
  (victim) => victim.get('/documents?limit=10'),
]

const CSV = 'a,b\n1,2\n3,4\n'
const LOOK_EVERY_MS = 50

/** What may be asked besides, by the names that the process of the victim knows. */
export const QUESTIONS_BESIDES = {
  sendDocument: (victim) => victim.request('POST', '/documents', formOf('mine.csv', CSV)),

  previewFile: (victim) => victim.request('POST', '/sources/preview', formOf('mine.csv', CSV)),

  /** Of a table of its own. */
  exportRows: async (victim) => {
    const { body } = await victim.get('/sources?limit=1')
    return victim.get(`/sources/${body.items[0].uuid}/export?format=csv`)
  },

  /** Two lines, and is answered when they are loaded. */
  loadTwoLines,
} satisfies Readonly<Record<string, Question>>

export type QuestionBesides = keyof typeof QUESTIONS_BESIDES

async function loadTwoLines(victim: TestClient): Promise<TestResponse> {
  const tableName = uniqueTable()
  const fields = { source: 'file', name: 'Two lines', tableName }
  const queued = await victim
    .withHeaders({ prefer: 'respond-async' })
    .request('POST', '/sources', formOf('mine.csv', CSV, fields))
  if (queued.status !== 202) return queued
  for (;;) {
    const job = await victim.get(queued.headers.get('location')!)
    if (job.status !== 200 || job.body.status === 'SUCCEEDED') return job
    if (['FAILED', 'CANCELLED'].includes(job.body.status as string)) throw new Error(job.text)
    await sleep(LOOK_EVERY_MS)
  }
}

interface Times {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** How a while was for whoever asked. */
export interface Experience {
  readonly small: Times
  /** Of what was asked besides; null: nothing. */
  readonly besides: Times | null
  readonly errors: readonly string[]
}

/** How long it is asked: so often, or so long. */
export type Length = { readonly rounds: number } | { readonly seconds: number }

const PAUSE_MS = 20

/** Asks one after the other, as a person at a screen does. */
export async function experience(
  victim: TestClient,
  besides: readonly Question[],
  length: Length,
): Promise<Experience> {
  const [ofSmall, ofBesides]: [number[], number[]] = [[], []]
  const errors: string[] = []
  const begun = performance.now()
  const isOver = (round: number) =>
    'rounds' in length ? round >= length.rounds : performance.now() - begun > length.seconds * 1000
  async function time(ask: Question, tookMs: number[]): Promise<void> {
    const asked = performance.now()
    try {
      const { status, text } = await ask(victim)
      if (status >= 300) errors.push(`${status} ${text.slice(0, 300)}`)
    } catch (error) {
      errors.push(String(error))
    }
    tookMs.push(performance.now() - asked)
    await sleep(PAUSE_MS)
  }
  for (let round = 0; !isOver(round); round++) {
    for (const ask of SMALL_QUESTIONS) await time(ask, ofSmall)
    for (const ask of besides) await time(ask, ofBesides)
  }
  return {
    small: timesOf(ofSmall),
    besides: ofBesides.length > 0 ? timesOf(ofBesides) : null,
    errors,
  }
}

function timesOf(tookMs: readonly number[]): Times {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const percentile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) }
}

const describeTimes = ({ p50Ms, p99Ms }: Times): string =>
  `${Math.round(p50Ms)}/${Math.round(p99Ms)} ms`

export const describeExperience = ({ small, besides, errors }: Experience): string =>
  [
    describeTimes(small),
    ...(besides ? [`besides ${describeTimes(besides)}`] : []),
    ...(errors.length > 0 ? [`${errors.length} errors`] : []),
  ].join(', ')

import { setTimeout as sleep } from 'node:timers/promises'

import type { TestClient, TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { uniqueTable } from '../deeds/sources.ts'

/** Something that somebody of another enterprise wants meanwhile. */
export type Question = (victim: TestClient) => Promise<TestResponse>

export const SMALL_QUESTIONS: readonly Question[] = [
  (victim) => victim.get('/folders/mine'),
  (victim) => victim.get('/sources'),
  (victim) => victim.get('/auth/me'),
  (victim) => victim.get('/jobs?limit=10'),
  (victim) => victim.get('/documents?limit=10'),
]

const CSV = 'a,b\n1,2\n3,4\n'

export const sendDocument: Question = (victim) =>
  victim.request('POST', '/documents', formOf('mine.csv', CSV))

export const previewFile: Question = (victim) =>
  victim.request('POST', '/sources/preview', formOf('mine.csv', CSV))

/** Of a table of its own. */
export const exportRows: Question = async (victim) => {
  const { body } = await victim.get('/sources?limit=1')
  return victim.get(`/sources/${body.items[0].uuid}/export?format=csv`)
}

const LOOK_EVERY_MS = 50

/** Two lines, and is answered when they are loaded. */
export const loadTwoLines: Question = async (victim) => {
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

/** How a while was for whoever asked. */
export interface Experience {
  readonly asked: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: readonly string[]
}

/** How long it is asked: so often, or so long. */
export type Length = { readonly rounds: number } | { readonly seconds: number }

const PAUSE_MS = 20

/** Asks one after the other, as a person at a screen does. */
export async function experience(
  victim: TestClient,
  questions: readonly Question[],
  length: Length,
): Promise<Experience> {
  const tookMs: number[] = []
  const errors: string[] = []
  const begun = performance.now()
  const isOver = (round: number) =>
    'rounds' in length ? round >= length.rounds : performance.now() - begun > length.seconds * 1000
  for (let round = 0; !isOver(round); round++) {
    for (const ask of questions) {
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
  }
  const sorted = tookMs.toSorted((a, b) => a - b)
  const percentile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  return { asked: sorted.length, p50Ms: percentile(0.5), p99Ms: percentile(0.99), errors }
}

export const describeExperience = ({ p50Ms, p99Ms, errors }: Experience): string =>
  `p50 ${Math.round(p50Ms)} p99 ${Math.round(p99Ms)} ms, ${errors.length} errors`

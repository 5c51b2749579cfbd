import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { createFollowing } from '../../src/jobs/follow-jobs.ts'
import { NO_PROGRESS } from '../../src/jobs/job.ts'
import type { SeenJob } from '../../src/jobs/job-records.ts'
import type { Job, JobStatus } from '../../src/resources/job.ts'
import { holdClock } from '../support/held-clock.ts'

const A_LOOK_MS = 300
const QUIET_MS = 15_000

describe('clients that follow jobs', () => {
  const job = (uuid: string, version: number, status: JobStatus = 'RUNNING'): Job => ({
    id: 1,
    uuid,
    version,
    kind: 'test',
    about: null,
    status,
    progress: NO_PROGRESS,
    createdAt: new Date(0),
    startedAt: null,
    finishedAt: null,
  })

  /** A table of jobs, how often it was asked, and a clock that stands still. */
  function follow() {
    const clock = holdClock()
    const jobs = new Map<string, Job>()
    const asked: (readonly SeenJob[])[] = []
    const following = createFollowing(
      {
        newsSince: async (seen) => {
          asked.push(seen)
          const changed = seen.flatMap(({ uuid, version }) => {
            const found = jobs.get(uuid)
            return found && found.version !== version ? [found] : []
          })
          return { changed, closed: [] }
        },
      },
      clock,
    )
    const put = (changed: Job) => void jobs.set(changed.uuid, changed)
    const pass = async (ms: number) => {
      clock.advance(ms)
      for (let nth = 0; nth < 5; nth++) await nextTurn()
    }
    const ended = new AbortController()
    /** Goes on until the stream ends, and keeps what it told. */
    const tell = (found: Job) => {
      const told: (number | null)[] = []
      const done = (async () => {
        for await (const state of following(found, ended.signal)) told.push(state?.version ?? null)
      })()
      return { told, done }
    }
    return { asked, put, pass, tell, ended, following }
  }

  it('share one query of the database, however many they are', async () => {
    const { asked, put, pass, tell } = follow()
    put(job('a', 1))
    put(job('b', 1))
    const many = Array.from({ length: 500 }, (_, nth) => tell(job(nth % 2 ? 'a' : 'b', 1)))
    await pass(0)
    put(job('a', 2, 'SUCCEEDED'))
    put(job('b', 2, 'FAILED'))
    await pass(A_LOOK_MS)
    await Promise.all(many.map(({ done }) => done))
    expect(asked).to.have.length(1)
    expect(asked[0]).to.have.length(2)
    for (const { told } of many) expect(told).to.deep.equal([1, 2])
    await pass(10 * A_LOOK_MS)
    expect(asked, 'nobody follows any more').to.have.length(1)
  })

  it('get changes that the query for other clients found in the meantime', async () => {
    const { put, pass, tell, ended } = follow()
    put(job('a', 2))
    tell(job('a', 1))
    await pass(0)
    await pass(A_LOOK_MS)
    const late = tell(job('a', 1))
    await pass(0)
    expect(late.told).to.deep.equal([1, 2])
    ended.abort()
    await late.done
  })

  it('get an answer without changes after a while', async () => {
    const { put, pass, tell, ended } = follow()
    put(job('a', 1))
    const { told, done } = tell(job('a', 1))
    await pass(0)
    await pass(QUIET_MS)
    expect(told).to.deep.equal([1, null])
    ended.abort()
    await done
  })

  it('get changes that came while they were busy once', async () => {
    const { put, pass, following, ended } = follow()
    put(job('a', 1))
    const slow = following(job('a', 1), ended.signal)
    await slow.next()
    const next = slow.next()
    for (const version of [2, 3]) {
      put(job('a', version))
      await pass(A_LOOK_MS)
    }
    expect((await next).value?.version).to.equal(2)
    expect((await slow.next()).value?.version).to.equal(3)
    ended.abort()
    expect((await slow.next()).done).to.equal(true)
  })

  it('end at once for a finished job, and when nobody listens', async () => {
    const { tell, ended, pass } = follow()
    const over = tell(job('a', 4, 'CANCELLED'))
    await over.done
    expect(over.told).to.deep.equal([4])
    const left = tell(job('b', 1))
    await pass(0)
    ended.abort()
    await left.done
  })
})

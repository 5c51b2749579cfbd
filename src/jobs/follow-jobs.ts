import { type Clock, systemClock, every } from '../time/clock.ts'
import type { Job } from '../resources/job.ts'
import { isFinished } from './job.ts'
import type { JobNews, JobRecords } from './job-records.ts'

const LOOK_EVERY_MS = 300
/**
 * After this long without a change something is sent all the same: silence looks like a broken
 * connection.
 */
const QUIET_MS = 15_000

const NO_NEWS: JobNews = { changed: [], closed: [] }

interface Follower {
  tell(job: Job | null): void
  end(): void
}

interface FollowedJob {
  /** The state that was last told to all followers; null: none so far. */
  latest: Job | null
  version: number
  readonly followers: Set<Follower>
}

/** Follows jobs as they progress. All followers in one process share one query to the database. */
export function createFollowing(
  records: Pick<JobRecords, 'newsSince'>,
  clock: Clock = systemClock,
) {
  const followed = new Map<string, FollowedJob>()
  let looking: Disposable | null = null

  async function look(): Promise<void> {
    const seen = [...followed].map(([uuid, { version }]) => ({ uuid, version }))
    // While the database is away there is nothing to tell, so the followers wait for it.
    const { changed, closed } = await records.newsSince(seen).catch(() => NO_NEWS)
    for (const uuid of closed) {
      for (const follower of followed.get(uuid)?.followers ?? []) follower.end()
    }
    for (const job of changed) {
      const entry = followed.get(job.uuid)
      if (!entry) continue
      entry.latest = job
      entry.version = job.version
      for (const follower of entry.followers) follower.tell(job)
    }
  }

  function join({ uuid, version }: Job, follower: Follower): Disposable {
    const entry = followed.get(uuid) ?? { latest: null, version, followers: new Set() }
    followed.set(uuid, entry)
    entry.followers.add(follower)
    if (entry.latest && entry.latest.version > version) follower.tell(entry.latest)
    looking ??= every(LOOK_EVERY_MS, look, clock)
    return {
      [Symbol.dispose]: () => {
        entry.followers.delete(follower)
        if (entry.followers.size === 0) followed.delete(uuid)
        if (followed.size > 0) return
        looking?.[Symbol.dispose]()
        looking = null
      },
    }
  }

  /**
   * Yields the job as it was found, then each change up to its end. Changes that come faster than
   * they are read are told as one, in their latest state. Yields null after a while without a
   * change.
   */
  return async function* follow(found: Job, ended: AbortSignal): AsyncGenerator<Job | null> {
    yield found
    let seen = found
    let news: Job | null = null
    let wake = Promise.withResolvers<void>()
    let isOver = false
    const end = () => {
      isOver = true
      wake.resolve()
    }
    const follower: Follower = {
      tell: (job) => {
        news = job
        wake.resolve()
      },
      end,
    }
    ended.addEventListener('abort', end, { once: true })
    using _joined = join(found, follower)
    try {
      while (!ended.aborted && !isFinished(seen)) {
        const takeBack = clock.after(QUIET_MS, () => wake.resolve())
        await wake.promise
        takeBack()
        wake = Promise.withResolvers()
        if (isOver) return
        const job = news as Job | null
        news = null
        if (job === null) yield null
        else if (job.version > seen.version) {
          seen = job
          yield job
        }
      }
    } finally {
      ended.removeEventListener('abort', end)
    }
  }
}

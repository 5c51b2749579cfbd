import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { MiB } from '../../../pipelines/index.ts'
import { thingMakers } from '../authorisation/things.ts'
import { beginRawUpload } from '../tools/raw-upload.ts'
import { type Assailant, loops } from './assailant.ts'
import type { Assault } from './assault.ts'

const UPLOADS = 32
const EXPORTS = 4

/** What lasts for as long as a client likes. */
export const HELD_PLACES: readonly Assault[] = [
  {
    name: 'many streams of events of one job',
    async prepare({ world, scale }) {
      const { admin, enterprise } = world.people
      const { uuid } = await thingMakers(world)['queued-job'](admin, enterprise)
      return {
        run: (assailant, signal) =>
          loops(scale.streams, signal, () => assailant.ask(`/jobs/${uuid}/events`, { signal })),
        answers: [200, 429, 503],
        awaited: 429,
        end: async () => void (await world.pool.query('delete from jobs where uuid = $1', [uuid])),
      }
    },
  },
  {
    name: 'uploads at 650 bytes a second',
    besides: ['sendDocument', 'previewFile', 'exportRows'],
    async prepare() {
      const content = Buffer.alloc(MiB, 'x')
      return {
        run: (assailant, signal) =>
          loops(UPLOADS, signal, () => uploadSlowly(assailant, content, signal)),
        answers: [408, 429, 503],
        awaited: 429,
      }
    },
  },
  {
    name: 'exports taken at 6 kB a second',
    besides: ['exportRows'],
    async prepare({ wide }) {
      const path = `${await wide()}/export?format=ndjson`
      return {
        run: (assailant, signal) =>
          loops(EXPORTS, signal, () =>
            assailant.ask(path, { signal, take: (answer) => takeSlowly(answer, signal) }),
          ),
        answers: [200, 429, 503],
        awaited: 429,
      }
    },
  },
]

async function uploadSlowly(
  { address, token, count }: Assailant,
  content: Buffer,
  signal: AbortSignal,
): Promise<void> {
  using upload = await beginRawUpload({
    address,
    path: '/documents',
    headers: { 'x-app-access-token': token },
    fields: {},
    filename: 'slow.csv',
    content,
  })
  const over = new AbortController()
  const countAnswer = async () => {
    const status = await upload.status()
    if (status !== null) count(status)
    over.abort()
  }
  const answered = countAnswer()
  const leave = () => {
    upload.hangUp()
    over.abort()
  }
  signal.addEventListener('abort', leave, { once: true })
  while (!over.signal.aborted) {
    await upload.sendUntil(upload.sentBytes + 65)
    await sleep(100)
  }
  signal.removeEventListener('abort', leave)
  await answered
}

/** The rest waits in the buffers of the system, and then in the service. */
async function takeSlowly(answer: IncomingMessage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !answer.readableEnded && !answer.destroyed) {
    answer.read(Math.min(6_000, Math.max(1, answer.readableLength)))
    await sleep(1_000)
  }
}

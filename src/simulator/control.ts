import type { IncomingMessage } from 'node:http'
import { json as readJson } from 'node:stream/consumers'

import type { Fault, FaultScript } from './faults.ts'
import { json, refusal, type SimulatedReply } from './reply.ts'

/** What can be changed and inspected while the simulator runs. */
export interface Switches {
  readonly faults: FaultScript
  readonly keys: { add(key: string): void; revoke(key: string): void }
  /** Adds new records after the existing ones. */
  addRecords(itemUuid: string, count: number): void
  /** The most recent calls, newest last. */
  requests(): readonly SeenRequest[]
}

export interface SeenRequest {
  /** Milliseconds on the simulator's monotonic clock. */
  readonly atMs: number
  readonly path: string
  readonly query: string
}

const PREFIX = '/_control/'

export function isControl(url: URL): boolean {
  return url.pathname.startsWith(PREFIX)
}

/**
 * Offers the switches over HTTP, for tests that run the simulator in its own process: `POST|DELETE
 * /_control/faults`, `POST|DELETE /_control/keys { key }`, `POST /_control/records { uuid, count
 * }`, `GET /_control/requests`.
 */
export async function control(
  switches: Switches,
  request: IncomingMessage,
  url: URL,
): Promise<SimulatedReply> {
  const action = `${request.method} ${url.pathname.slice(PREFIX.length)}`
  switch (action) {
    case 'GET requests':
      return json(JSON.stringify(switches.requests()))
    case 'DELETE faults':
      switches.faults.clear()
      return json('{}')
    case 'POST faults':
      switches.faults.add((await readJson(request)) as Fault)
      return json('{}')
    case 'POST keys':
      switches.keys.add(((await readJson(request)) as { key: string }).key)
      return json('{}')
    case 'DELETE keys':
      switches.keys.revoke(((await readJson(request)) as { key: string }).key)
      return json('{}')
    case 'POST records': {
      const { uuid, count } = (await readJson(request)) as { uuid: string; count: number }
      switches.addRecords(uuid, count)
      return json('{}')
    }
    default:
      return refusal(404, `No such switch: ${action}`)
  }
}

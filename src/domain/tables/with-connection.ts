import type { ClientBase } from 'pg'

import type { LoadTarget } from '../../../pipelines/index.ts'

/** A connection for one piece of work; if the work fails, the connection is not used again. */
export async function withConnection<R>(
  connect: LoadTarget['connect'],
  work: (client: ClientBase) => Promise<R>,
): Promise<R> {
  const { client, release } = await connect()
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } finally {
    release(isBroken)
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const SERVER_AWAY =
  'server login has been failing, cached error: connect failed (server_login_retry)'

interface StrictPooler extends AsyncDisposable {
  /** The address of the server behind, by way of the pooler. */
  readonly url: string
  /** Whether it says of its server what PgBouncer does when no login has succeeded for a while. */
  sayServerAway(isAway: boolean): void
}

/**
 * A way to a server that begins no session with settings: PgBouncer refuses `options` like this, and
 * whatever is asked of it while its server is away.
 */
export async function startStrictPooler(upstream: string): Promise<StrictPooler> {
  const { hostname, port } = new URL(upstream)
  const sockets = new Set<Socket>()
  let serverIsAway = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.once('data', (startup) => {
      if (startup.includes('options\0')) {
        client.end(refusal('08P01', 'unsupported startup parameter: options'))
        return
      }
      if (serverIsAway) {
        client.end(refusal('08P01', SERVER_AWAY))
        return
      }
      const behind = connect(Number(port || '5432'), hostname)
      sockets.add(behind)
      behind.on('error', () => client.destroy())
      behind.write(startup)
      client.pipe(behind).pipe(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(upstream)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    sayServerAway(isAway) {
      serverIsAway = isAway
      if (isAway) for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An ErrorResponse of PostgreSQL's protocol. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be broken, and mended. */
interface BreakableWay extends AsyncDisposable {
  readonly port: number
  break(): void
  mend(): void
}

export async function breakableWay(to: { host: string; port: number }): Promise<BreakableWay> {
  const sockets = new Set<Socket>()
  let isBroken = false
  const server = createServer({ noDelay: true }, (near) => {
    if (isBroken) {
      near.resetAndDestroy()
      return
    }
    const far = connect({ ...to, noDelay: true })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      // Either side learns of it by the close.
      socket.on('error', () => other.destroy())
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    break() {
      isBroken = true
      cut()
    },
    mend() {
      isBroken = false
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

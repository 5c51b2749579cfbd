import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A way to another server on which everything that happens to networks can be made to happen. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  readonly openConnections: number
  /** That have gone to the server. */
  readonly forwardedBytes: number
  /** The address of the server behind, by way of the proxy. */
  through(url: string): string
  /** Cuts every connection now. */
  cutAll(): void
  /** New connections are cut at once, until told otherwise. */
  refuse(refusing: boolean): void
  /** Every piece of bytes waits this long, both ways. */
  delay(milliseconds: number): void
  /** From now on nothing goes to the server any more, though every connection stays open. */
  stall(): void
  /** So many bytes a second in each direction of each connection; null: as they come. */
  throttle(bytesPerSecond: number | null): void
  /** Cuts once, when the client has sent something that matches. */
  cutWhenSent(pattern: RegExp, options?: CutOptions): PendingCut
}

interface CutOptions {
  /** How many matches pass unharmed first. */
  readonly letPass?: number
  /** `before`: the server never sees it. `after`: the server does, and its answer is lost. */
  readonly when?: 'before' | 'after'
}

export interface PendingCut {
  readonly happened: boolean
  cancel(): void
}

interface ArmedCut {
  readonly pattern: RegExp
  readonly when: 'before' | 'after'
  letPass: number
  happened: boolean
}

/** Enough to find a word that was split between two pieces. */
const CARRIED_BYTES = 32
/** The server has carried out a statement that it was sent this long ago. */
const AFTERMATH_MS = 40
const SLICE_MS = 20

export async function startTcpProxy(upstream: string): Promise<TcpProxy> {
  const { hostname, port: upstreamPort } = new URL(upstream)
  const sockets = new Set<Socket>()
  let armed: ArmedCut | null = null
  let isRefusing = false
  let delayMs = 0
  let bytesPerSecond: number | null = null
  let isStalled = false
  let forwardedBytes = 0

  async function forward(
    from: AsyncIterable<Buffer>,
    to: Socket,
    inspect: (bytes: Buffer) => ArmedCut | null,
  ) {
    for await (const piece of from) {
      const cut = inspect(piece)
      if (cut?.when === 'before') break
      if (delayMs > 0) await sleep(delayMs)
      await pass(piece, to)
      if (cut) await sleep(AFTERMATH_MS)
      if (cut) break
    }
    // Leaving the loop early has destroyed `from`, as a cut cable would.
    to.end()
  }

  async function pass(piece: Buffer, to: Socket): Promise<void> {
    let rest = piece
    while (rest.length > 0 && !to.destroyed) {
      const slice =
        bytesPerSecond === null
          ? rest
          : rest.subarray(0, Math.max(1, (bytesPerSecond * SLICE_MS) / 1000))
      rest = rest.subarray(slice.length)
      if (!to.write(slice)) await Promise.race([once(to, 'drain'), once(to, 'close')])
      if (bytesPerSecond !== null) await sleep(SLICE_MS)
    }
  }

  /** What goes to the server is counted, and can be held up. */
  async function* sentBy(client: Socket): AsyncGenerator<Buffer> {
    for await (const piece of client as AsyncIterable<Buffer>) {
      if (isStalled) await once(client, 'close')
      forwardedBytes += piece.length
      yield piece
    }
  }

  /** What comes before the cable is cut; then the server goes on, and nobody hears of it. */
  async function* answersOf(behind: Socket, isCut: () => boolean): AsyncGenerator<Buffer> {
    for await (const piece of behind as AsyncIterable<Buffer>) if (!isCut()) yield piece
  }

  function inspector(): (bytes: Buffer) => ArmedCut | null {
    let carried = ''
    return (bytes) => {
      if (!armed || armed.happened) return null
      const text = carried + bytes.toString('latin1')
      carried = text.slice(-CARRIED_BYTES)
      if (!armed.pattern.test(text)) return null
      carried = ''
      if (armed.letPass-- > 0) return null
      armed.happened = true
      return armed
    }
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (isRefusing) {
      client.resetAndDestroy()
      return
    }
    const behind = connect(Number(upstreamPort), hostname)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        behind.destroy()
      })
    }
    // A broken connection is what this proxy is for: either side learns of it by the close.
    const broken = () => client.destroy()
    client.on('error', broken)
    behind.on('error', broken)
    let isCut = false
    const inspect = inspector()
    const cutOf = (bytes: Buffer) => {
      const cut = inspect(bytes)
      isCut ||= cut !== null
      return cut
    }
    forward(sentBy(client), behind, cutOf).catch(broken)
    forward(
      answersOf(behind, () => isCut),
      client,
      () => null,
    ).catch(broken)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    get openConnections() {
      return sockets.size / 2
    },
    get forwardedBytes() {
      return forwardedBytes
    },
    through(url) {
      const proxied = new URL(url)
      proxied.hostname = '127.0.0.1'
      proxied.port = String(port)
      return proxied.href
    },
    cutAll() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    refuse(refusing) {
      isRefusing = refusing
    },
    stall() {
      isStalled = true
    },
    delay(milliseconds) {
      delayMs = milliseconds
    },
    throttle(limit) {
      bytesPerSecond = limit
    },
    cutWhenSent(pattern, { letPass = 0, when = 'before' } = {}) {
      const cut: ArmedCut = { pattern, when, letPass, happened: false }
      armed = cut
      return {
        get happened() {
          return cut.happened
        },
        cancel() {
          if (armed === cut) armed = null
        },
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface BenchmarkServer extends AsyncDisposable {
  readonly url: string
}

/** The server that was named, else an embedded one with the settings it has in service. */
export async function benchmarkServer(url: string | null): Promise<BenchmarkServer> {
  if (url !== null) return { url, [Symbol.asyncDispose]: async () => undefined }
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder('bench-postgres'))
  const server = opened.adopt(await startEmbeddedPostgres({ folder: folder.path }), (own) =>
    own.stop(),
  )
  const resources = opened.move()
  return { url: server.url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

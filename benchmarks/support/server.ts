import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts'

export interface BenchmarkServer extends AsyncDisposable {
  readonly url: string
}

/** The server that was named, else an embedded one with the settings it has in service. */
export async function benchmarkServer(url: string | null): Promise<BenchmarkServer> {
  if (url !== null) return { url, [Symbol.asyncDispose]: async () => undefined }
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({ folder })
    return {
      url: server.url,
      [Symbol.asyncDispose]: async () => {
        try {
          await server.stop()
        } finally {
          await remove()
        }
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

import { request } from 'node:http'

import type { TestServer } from './test-server.ts'

const IMAGE = 'postgres:18-alpine'
const PORT = 5432
const ANSWERS_WITHIN_MS = 800

/** Whether a Docker engine answers at once; a hanging one counts as none. */
export function dockerAnswers(): Promise<boolean> {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'
  const { protocol, hostname, port, pathname } = new URL(host)
  const place = protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port }
  return new Promise((resolve) => {
    const ping = request({ ...place, path: '/_ping', timeout: ANSWERS_WITHIN_MS }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.once('timeout', () => ping.destroy())
    ping.once('error', () => resolve(false))
    ping.once('close', () => resolve(false))
    ping.end()
  })
}

export async function startDockerPostgres(): Promise<TestServer> {
  // Loaded only where it is used: it takes longer to load than the embedded server to start.
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ POSTGRES_PASSWORD: 'test' })
    .withCommand(['-c', 'fsync=off', '-c', 'max_connections=200'])
    .withExposedPorts(PORT)
    // It starts twice: once to set itself up, then for good.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .start()
  const address = `${container.getHost()}:${container.getMappedPort(PORT)}`
  return {
    url: `postgres://postgres:test@${address}/postgres`,
    stop: async () => {
      await container.stop()
    },
  }
}

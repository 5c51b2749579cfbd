import { randomUUID } from 'node:crypto'

import { createPool } from '../../src/db/pool.ts'
import { type BenchmarkServer, benchmarkServer } from './server.ts'

/** An empty database of its own, on the server that was named or an embedded one; dropped at the end. */
export async function benchmarkDatabase(url: string | null): Promise<BenchmarkServer> {
  const server = await benchmarkServer(url)
  const name = `bench_${randomUUID().slice(0, 8)}`
  const admin = createPool(server.url, { max: 1 })
  const close = async () => {
    await admin.end()
    await server[Symbol.asyncDispose]()
  }
  try {
    await admin.query(`create database ${name}`)
  } catch (error) {
    await close()
    throw error
  }
  const own = new URL(server.url)
  own.pathname = `/${name}`
  return {
    url: own.href,
    [Symbol.asyncDispose]: async () => {
      try {
        await admin.query(`drop database ${name}`)
      } finally {
        await close()
      }
    },
  }
}

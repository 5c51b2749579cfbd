import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { hasCode, unlessGone } from '../../errors/system-codes.ts'

/** Owns its database, makes others and roles that read in it, and is no superuser. */
export const ROLE = 'administration'
export const DATABASE = 'administration'

/** What is remembered from one start to the next, so that people's SQL clients keep working. */
interface Address {
  readonly port: number
  readonly password: string
}

export function addressUrl({ port, password }: Address): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`
}

export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

export async function readAddress(folder: string): Promise<Address | undefined> {
  const text = await unlessGone(readFile(addressFile(folder), 'utf8'))
  if (text === null) return undefined
  const { port, password } = new URL(text.trim())
  return { port: Number(port), password }
}

export async function writeAddress(folder: string, address: Address): Promise<void> {
  const file = addressFile(folder)
  await writeFile(`${file}.new`, `${addressUrl(address)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** The remembered port when nothing else took it meanwhile, else any free one. */
export async function freePort(remembered = 0): Promise<number> {
  return (await portIfFree(remembered)) ?? (await freePort())
}

function portIfFree(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => {
      if (hasCode(error, 'EADDRINUSE', 'EACCES')) resolve(undefined)
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address()
      const free = typeof address === 'object' ? address?.port : undefined
      server.close(() => resolve(free))
    })
  })
}

function addressFile(folder: string): string {
  return join(folder, 'connection-url')
}

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** Into a file, with as little work as there can be: it shares the cores with whoever sends. */
export async function download(address: string, token: string, path: string): Promise<void> {
  const headers = { 'x-app-access-token': token, 'accept-encoding': 'identity' }
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${address}: ${response.statusCode}`)
  await pipeline(response, createWriteStream(path))
}

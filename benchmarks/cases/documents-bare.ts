import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { Busboy, type BusboyHeaders } from '@fastify/busboy'

// The least that takes the same form: busboy into a file, with no hash and no row, flushed or not.
const folder = process.env['BENCH_FOLDER']!
const flush = process.env['BENCH_FLUSH'] === 'yes'

const server = createServer((request, response) => {
  const parser = new Busboy({ headers: request.headers as BusboyHeaders })
  parser.on('file', (_name, file) => {
    pipeline(file, createWriteStream(join(folder, 'upload'), { flush })).then(
      () => response.writeHead(201).end(),
      () => response.destroy(),
    )
  })
  request.pipe(parser)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
})

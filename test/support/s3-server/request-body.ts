import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'

import { CHECKSUMS, type Checksum } from './checksums.ts'
import { S3Problem } from './s3-problem.ts'

/**
 * The body of a signed request without its transfer coding. It errs when its hash, one of its
 * checksums or its length is not what the request said; `md5Hex` is its ETag once it has ended.
 */
interface VerifiedBody {
  readonly stream: Transform
  md5Hex(): string
}

const CHUNKED = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

export function verifiedBody(request: IncomingMessage, payloadHash: string): VerifiedBody {
  const { headers } = request
  const expected = new Map<string, string>()
  const running = new Map<string, Checksum>()
  const watch = (name: string) => {
    const make = CHECKSUMS[name]
    if (!make) throw new S3Problem(400, 'InvalidRequest', `Unknown checksum ${name}`)
    running.set(name, make())
  }
  for (const [header, value] of Object.entries(headers)) {
    const name = /^x-amz-checksum-(?!algorithm$|type$|mode$)(.+)$/.exec(header)?.[1]
    if (name === undefined) continue
    watch(name)
    expected.set(name, String(value))
  }

  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let size = 0
  const take = (bytes: Buffer) => {
    size += bytes.length
    md5.update(bytes)
    if (isHexHash(payloadHash)) sha256.update(bytes)
    for (const checksum of running.values()) checksum.update(bytes)
  }
  let md5Hex = ''
  const verify = () => {
    const digest = md5.digest()
    md5Hex = digest.toString('hex')
    if (isHexHash(payloadHash) && sha256.digest('hex') !== payloadHash) {
      throw new S3Problem(400, 'XAmzContentSHA256Mismatch')
    }
    const contentMd5 = headers['content-md5']
    if (contentMd5 !== undefined && contentMd5 !== digest.toString('base64')) {
      throw new S3Problem(400, 'BadDigest', 'Content-MD5')
    }
    for (const [name, checksum] of running) {
      if (checksum.base64() !== expected.get(name)) throw new S3Problem(400, 'BadDigest', name)
    }
  }

  if (payloadHash !== CHUNKED) {
    if (payloadHash.startsWith('STREAMING-')) throw new S3Problem(501, 'NotImplemented')
    if (request.method === 'PUT' && headers['content-length'] === undefined) {
      throw new S3Problem(411, 'MissingContentLength')
    }
    return { stream: passing(take, verify), md5Hex: () => md5Hex }
  }

  if (!String(headers['content-encoding']).split(',').includes('aws-chunked')) {
    throw new S3Problem(400, 'InvalidRequest', 'Content-Encoding aws-chunked is missing')
  }
  const decodedLength = Number(headers['x-amz-decoded-content-length'] ?? NaN)
  const trailerNames = String(headers['x-amz-trailer'] ?? '').split(',')
  for (const trailer of trailerNames) watch(trailer.trim().replace(/^x-amz-checksum-/, ''))
  const decoder = chunkDecoder(take, (trailers) => {
    for (const [header, value] of trailers) {
      expected.set(header.replace(/^x-amz-checksum-/, ''), value)
    }
    if (size !== decodedLength) throw new S3Problem(400, 'IncompleteBody')
    verify()
  })
  return { stream: decoder, md5Hex: () => md5Hex }
}

const isHexHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

function passing(take: (bytes: Buffer) => void, verify: () => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      take(chunk)
      done(null, chunk)
    },
    flush(done) {
      attempt(verify, done)
    },
  })
}

type Trailers = readonly (readonly [name: string, value: string])[]

/** aws-chunked without chunk signatures: `<hex>CRLF bytes CRLF … 0 CRLF trailers CRLF`. */
function chunkDecoder(take: (bytes: Buffer) => void, end: (trailers: Trailers) => void): Transform {
  let pending: Buffer = Buffer.alloc(0)
  let state: 'size' | 'data' | 'data-end' | 'trailers' = 'size'
  let missing = 0
  const trailers: [string, string][] = []

  const line = (): string | null => {
    const at = pending.indexOf('\r\n')
    if (at === -1) {
      if (pending.length > 8192) throw new S3Problem(400, 'IncompleteBody', 'A line is too long')
      return null
    }
    const text = pending.toString('latin1', 0, at)
    pending = pending.subarray(at + 2)
    return text
  }

  const decode = (push: (bytes: Buffer) => void) => {
    for (;;) {
      if (state === 'data') {
        const bytes = pending.subarray(0, missing)
        if (bytes.length === 0) return
        pending = pending.subarray(bytes.length)
        missing -= bytes.length
        take(bytes)
        push(bytes)
        if (missing === 0) state = 'data-end'
        continue
      }
      const text = line()
      if (text === null) return
      if (state === 'size') {
        if (!/^[0-9a-f]{1,12}$/i.test(text))
          throw new S3Problem(400, 'IncompleteBody', 'Chunk size')
        missing = Number.parseInt(text, 16)
        state = missing === 0 ? 'trailers' : 'data'
      } else if (state === 'data-end') {
        if (text !== '') throw new S3Problem(400, 'IncompleteBody', 'Chunk end')
        state = 'size'
      } else if (text !== '') {
        const colon = text.indexOf(':')
        trailers.push([text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()])
      }
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      attempt(() => decode((bytes) => this.push(bytes)), done)
    },
    flush(done) {
      attempt(() => {
        if (state !== 'trailers') throw new S3Problem(400, 'IncompleteBody')
        end(trailers)
      }, done)
    },
  })
}

function attempt(work: () => void, done: (error?: Error | null) => void): void {
  try {
    work()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
    return
  }
  done()
}

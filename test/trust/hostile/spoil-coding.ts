import { gzipSync } from 'node:zlib'

import type { Spoil } from './attack.ts'

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  '*/*',
  'application/json/json',
  'x'.repeat(3000),
  '; charset',
]

export const spoilType: Spoil = (draft, operation, random) => {
  if (!draft.body) return false
  const type = random.pick(TYPES)
  draft.headers['content-type'] = type
  draft.what = `content type ${type.slice(0, 60)}`
  draft.mustBeRefused = operation.streams.length === 0 && !/^application\/json(;|$)/.test(type)
  return true
}

export const spoilEncoding: Spoil = (draft, operation, random) => {
  if (!draft.body || operation.streams.length > 0) return false
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '))
  const [encoding, body] = random.pick<readonly [string, Buffer]>([
    ['gzip', draft.body],
    ['gzip', bomb],
    ['deflate', Buffer.from('nonsense')],
    ['br', Buffer.from('nonsense')],
    ['zstd', draft.body],
    ['nonsense', draft.body],
    ['gzip, gzip', bomb],
  ])
  draft.headers['content-encoding'] = encoding
  draft.body = body
  draft.what = `content encoding ${encoding}`
  draft.mustBeRefused = true
  return true
}

import { EngineError } from '../core/errors.ts'
import type { ReadContext } from '../core/reader.ts'
import type { ByteSource } from '../core/source.ts'
import { readHead, withHead } from './byte-flow.ts'
import { decode, type DecodedFlow } from './decode.ts'
import { detectEncoding, type Encoding, givenEncoding } from './encoding.ts'
import { refuseBinary, refuseForeign } from './foreign-formats.ts'
import { gunzip, isGzip } from './gunzip.ts'
import { openFlow } from './open-flow.ts'

const HEAD_BYTES = 64 * 1024

/** The text of an input as UTF-8 without a byte order mark, whatever it was packed and encoded in. */
export interface TextInput extends DecodedFlow {
  /** Of the source, that is before anything was unpacked. */
  readonly bytesRead: number
  /** For the reading's dialect: `compression` and `encoding`, with their evidence. */
  readonly found: Readonly<Record<string, unknown>>
}

export async function openText(
  source: ByteSource,
  context: Pick<ReadContext, 'options' | 'learned' | 'limits' | 'signal'>,
): Promise<TextInput> {
  const { limits, signal } = context
  const raw = await openFlow(source, signal)
  try {
    const start = await readHead(raw, 4)
    const isPacked = isGzip(start)
    const plain = isPacked ? gunzip(withHead(start, raw), limits) : withHead(start, raw)
    const head = await readHead(plain, HEAD_BYTES)
    if (head.length === 0) throw new EngineError('The file is empty.', { kind: 'empty' })
    refuseForeign(head)
    const encoding = encodingOf(head, context)
    // Every second byte of UTF-16 looks like a control character.
    if (!encoding.name.startsWith('utf-16')) refuseBinary(head)
    const text = decode(withHead(head.subarray(encoding.markBytes), plain), encoding)
    return {
      next: () => text.next(),
      release: (bytes) => raw.release?.(bytes),
      close: () => plain.close(),
      get misjudged() {
        return text.misjudged
      },
      get bytesRead() {
        return raw.bytesRead
      },
      found: {
        compression: isPacked ? 'gzip' : 'none',
        encoding: { value: encoding.name, evidence: encoding.evidence },
      },
    }
  } catch (error) {
    await raw.close()
    throw error
  }
}

function encodingOf(
  head: Buffer,
  { options, learned }: Pick<ReadContext, 'options' | 'learned'>,
): Encoding {
  if (options.encoding !== undefined) return givenEncoding(options.encoding, head)
  if (learned?.encoding === undefined) return detectEncoding(head, head.length < HEAD_BYTES)
  return { ...givenEncoding(learned.encoding, head), evidence: 'not UTF-8 further on' }
}

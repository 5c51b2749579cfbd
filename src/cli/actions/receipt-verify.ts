import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

import { readVerifyingKeys } from '../../domain/collections/receipts.ts'
import { type Receipt, type VerifyingKey, verifyReceipt } from '../../security/receipt.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { isAddress, openRemoteFile } from '../remote-file.ts'
import { plain } from '../terminal-text.ts'
import { withDatabase } from '../with-database.ts'

const MOST_RECEIPT_BYTES = 64 * 1024
const MOST_KEYS_BYTES = 1024 * 1024

interface Verdict {
  readonly isRight: boolean
  readonly sentence: string
}

export async function run(
  stop: StopRequest,
  file: string,
  receiptFile: string,
  { jwks }: { readonly jwks?: string },
): Promise<void> {
  const jws = await readText(contentOf(receiptFile), receiptFile, MOST_RECEIPT_BYTES)
  const keys =
    jwks === undefined
      ? await withDatabase(stop, ({ pool }) => readVerifyingKeys(pool))
      : await readKeys(jwks, stop.stopInOrder())
  const verified = await verifyReceipt(jws.trim(), keys)
  const { isRight, sentence } =
    verified.kind === 'genuine'
      ? await compare(file, verified.receipt)
      : { isRight: false, sentence: SENTENCES[verified.kind] }
  process.stdout.write(`${plain(sentence)}\n`)
  if (!isRight) process.exitCode = EXIT.fault
}

const SENTENCES = {
  unreadable: 'This is NOT a receipt: a receipt is one line of three parts with dots in between.',
  'unknown-key': 'The receipt is NOT of this service: none of its keys has signed it.',
  altered: 'The receipt is NOT genuine: it was changed after it was signed.',
} as const

async function compare(path: string, receipt: Receipt): Promise<Verdict> {
  const hash = createHash('sha256')
  for await (const chunk of contentOf(path)) hash.update(chunk)
  const isRight = hash.digest('hex') === receipt.sha256
  const { filename, sizeBytes, receivedAt, rows, rejected } = receipt
  const sent = `“${filename}”, ${sizeBytes} bytes, received at ${receivedAt}`
  return {
    isRight,
    sentence: isRight
      ? `The receipt is genuine and of this file: ${sent}; rows taken: ${rows}, rejected: ${rejected}.`
      : `The receipt is genuine, but NOT of this file. It is of ${sent}.`,
  }
}

async function readKeys(from: string, signal: AbortSignal): Promise<readonly VerifyingKey[]> {
  const stream = isAddress(from) ? await openRemoteFile(from).source.open(signal) : contentOf(from)
  const text = await readText(stream, from, MOST_KEYS_BYTES)
  const { keys } = parsed(text, from)
  if (!Array.isArray(keys)) throw new CliError(`${from} holds no keys`)
  return keys as VerifyingKey[]
}

function parsed(text: string, from: string): { readonly keys?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { readonly keys?: unknown }
  } catch (error) {
    throw new CliError(`${from} is not JSON`, { cause: error })
  }
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    throw new CliError(`${path} cannot be read`, { cause: error })
  }
}

async function readText(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  mostBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > mostBytes) throw new CliError(`${name} has more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

import type { IncomingMessage } from 'node:http'

import { invalidField } from '../../errors/index.ts'
import { bodyMessages } from './body-messages.ts'

/** An empty object says no more than an empty body, and many clients send one with every POST. */
const EMPTY = /^\s*(?:\{\s*\})?\s*$/
const MOST_BYTES = 64

/** Whether a body is coming, as far as the headers tell: one in chunks may turn out to be empty. */
export const announcesBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** For routes that take no body: a client that sends one expects it to have an effect. */
export async function refuseBody(incoming: IncomingMessage): Promise<void> {
  if (!announcesBody(incoming)) return
  let text = ''
  // The connection is still needed for the answer.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1', 0, MOST_BYTES)
    if (text.length >= MOST_BYTES) break
  }
  if (text.length < MOST_BYTES && EMPTY.test(text)) return
  throw invalidField('', bodyMessages.noBody())
}

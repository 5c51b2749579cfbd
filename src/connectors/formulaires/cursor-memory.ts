import { hash } from 'node:crypto'

import { remoteFailure } from '../errors.ts'
import { connectorMessages } from '../connector-messages.ts'

/**
 * Notices a repeated cursor. Cursors may be long, so only a short digest of each is kept; the
 * number of pages of a load is bounded, and so is the memory.
 */
interface CursorMemory {
  remember(cursor: string): void
}

const DIGEST_CHARACTERS = 16

export function createCursorMemory(): CursorMemory {
  const seen = new Set<string>()
  return {
    remember(cursor) {
      const digest = hash('sha256', cursor, 'base64url').slice(0, DIGEST_CHARACTERS)
      if (seen.has(digest)) {
        throw remoteFailure('inconsistent', connectorMessages.cursorTwice())
      }
      seen.add(digest)
    },
  }
}

import { EngineError } from '../core/errors.ts'
import { pictured } from '../cells/cell-messages.ts'
import type { Message } from '../core/message.ts'
import { jsonTextMessages } from './messages.ts'

/** The reference tokens of a JSON Pointer (RFC 6901). The empty pointer is the whole document. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) {
    throw invalid(pointer, jsonTextMessages.pointerBegins())
  }
  return pointer
    .slice(1)
    .split('/')
    .map((token) => unescapeToken(token, pointer))
}

/**
 * Formats a pointer for reports, which are kept in Postgres: without unpaired surrogates and
 * U+0000.
 */
export function formatPointer(tokens: readonly string[]): string {
  const escaped = tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return pictured(escaped.join('')).toWellFormed()
}

function unescapeToken(token: string, pointer: string): string {
  if (/~(?![01])/.test(token)) throw invalid(pointer, jsonTextMessages.pointerEscapes())
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function invalid(pointer: string, reason: Message): EngineError {
  return new EngineError(jsonTextMessages.noPointer({ pointer, reason }), {
    kind: 'options',
    pointer: '/path',
  })
}

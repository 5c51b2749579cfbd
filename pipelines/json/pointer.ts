import { EngineError } from '../core/errors.ts'

/** The reference tokens of a JSON Pointer (RFC 6901). The empty pointer is the whole document. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) {
    throw invalid(pointer, 'it must be empty or begin with /')
  }
  return pointer
    .slice(1)
    .split('/')
    .map((token) => unescapeToken(token, pointer))
}

export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function unescapeToken(token: string, pointer: string): string {
  if (/~(?![01])/.test(token)) throw invalid(pointer, 'a ~ must be written ~0, a / in a key ~1')
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function invalid(pointer: string, reason: string): EngineError {
  return new EngineError(`path '${pointer}' is not a JSON Pointer: ${reason}`, {
    kind: 'options',
    pointer: '/path',
  })
}

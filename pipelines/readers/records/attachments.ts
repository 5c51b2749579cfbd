import type { KeptMembers } from '../json/nested-values.ts'
import { QUOTE } from '../json/bytes.ts'
import { startsNumber } from '../json/lexer.ts'

const ID = quoted('id')
const NAME = quoted('name')
/** Keys that distinguish an attached file from other objects with an id and a name. */
const FILE_KEYS = ['url', 'downloadUrl', 'href', 'mimeType', 'contentType', 'size'].map(quoted)

const ABSENT = -1

/**
 * Only the id and the name of attached files are kept. Their addresses are signed again for every
 * answer, so a form loaded twice would otherwise differ from itself.
 */
export const attachmentByIdAndName: KeptMembers = (written, { from, keyEnd, count }, first) => {
  let id = ABSENT
  let name = ABSENT
  let isFile = false
  for (let member = first; member < count; member++) {
    const at = from[member]!
    const to = keyEnd[member]!
    // Of duplicate keys the last one counts.
    if (stands(ID, written, at, to)) id = member
    else if (stands(NAME, written, at, to)) name = member
    else isFile ||= FILE_KEYS.some((key) => stands(key, written, at, to))
  }
  if (!isFile || id === ABSENT || name === ABSENT) return null
  // A colon separates a key and its value.
  const idBegins = written[keyEnd[id]! + 1]!
  const nameBegins = written[keyEnd[name]! + 1]!
  const isNamed = (idBegins === QUOTE || startsNumber(idBegins)) && nameBegins === QUOTE
  return isNamed ? [id, name] : null
}

function quoted(key: string): Buffer {
  return Buffer.from(JSON.stringify(key))
}

function stands(key: Buffer, written: Buffer, from: number, to: number): boolean {
  if (to - from !== key.length) return false
  for (let at = 0; at < key.length; at++) if (written[from + at] !== key[at]) return false
  return true
}

import type { InputHead } from '../../core/format.ts'

/** An object, or an array of what JSON may hold: `[id],[name]` is a header in CSV. */
const JSON_START = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{\]"\d-]|true\b|false\b|null\b|$))/

/** Rows in the way of JSON: no header of delimited text begins like this. */
const CERTAIN_START = /^\s*(?:\{\s*"[^"\\]*"\s*:|\[\s*\{\s*["}])/

/** Some line that could be a document: the first ones of a sequence may be broken. */
const DOCUMENT_START = /(?:^|[\r\n])[^\S\r\n]*[[{]/

export function recognisesJson(head: InputHead): boolean {
  if (head.members !== null) return false
  const text = textOf(head)
  return JSON_START.test(text) || COMMENTED_START.test(text.slice(0, COMMENTS_LOOKED_AT))
}

export function isCertainlyJson(head: InputHead): boolean {
  return head.members === null && CERTAIN_START.test(textOf(head))
}

/** Whether it makes sense to read it as JSON, if only to say where that is broken. */
export function mayBeJson(head: InputHead): boolean {
  return head.members === null && DOCUMENT_START.test(textOf(head))
}

/**
 * JSON has no comments, but what begins with one and goes on like JSON is no delimited text: its
 * reader says what is wrong with it.
 */
const COMMENTED_START =
  /^\s*(?:\/\/[^\r\n]*[\r\n]\s*|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)+(?:\{\s*"[^"\\]*"\s*:|\[\s*[{[])/

/** Characters; whoever comments more than that is not understood. */
const COMMENTS_LOOKED_AT = 4096

/**
 * ASCII is enough here. In UTF-16 every other byte of it is zero, and in a JSON text sequence a
 * separator stands in front of every document: that, too, is for the reader to tell.
 */
function textOf({ unpacked }: InputHead): string {
  const text = unpacked.toString('latin1').replace(/^(?:ï»¿|ÿþ|þÿ)+/, '')
  return text.replaceAll('\0', '').replaceAll('\x1e', ' ')
}

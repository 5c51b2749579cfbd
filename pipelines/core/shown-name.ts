import { cutText } from './cut-text.ts'

const CHARACTERS_SHOWN = 80

/** A name as it may stand in a message. */
export function shownName(name: string): string {
  return cutText(name.replaceAll(/\p{C}/gu, '\u{fffd}'), CHARACTERS_SHOWN, '…')
}

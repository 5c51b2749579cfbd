/** The symbols of windows-1252, at the places of Unicode's control characters; U+0085 is a line break. */
const MISPLACED = /[\u0080-\u0084\u0086-\u009f]/gu
const LETTER = /\p{L}/u

/**
 * A name as people read it: quotes, dashes and the like from windows-1252 that were stored as
 * control characters become what they were meant to be. A letter among them only counts next to
 * letters, and invisible characters are dropped.
 */
export function readableName(name: string): string {
  return name.replace(MISPLACED, (control, at: number) => {
    const sign = new TextDecoder('windows-1252').decode(Buffer.from(control, 'latin1'))
    if (sign === control) return ''
    const isWithinWord = LETTER.test(name.charAt(at - 1)) || LETTER.test(name.charAt(at + 1))
    return LETTER.test(sign) && !isWithinWord ? '' : sign
  })
}

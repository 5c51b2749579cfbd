/** The signs of windows-1252 in the places where Unicode has control characters; U+0085 is a line break. */
const MISPLACED = /[\u0080-\u0084\u0086-\u009f]/gu
const LETTER = /\p{L}/u

/**
 * A name as a person reads it: quotes, dashes and the like of windows-1252 that were once stored as
 * control characters are what they were meant to be. A letter among them is one beside letters only;
 * what shows nothing at all is no part of a name.
 */
export function readableName(name: string): string {
  return name.replace(MISPLACED, (control, at: number) => {
    const sign = new TextDecoder('windows-1252').decode(Buffer.from(control, 'latin1'))
    if (sign === control) return ''
    const isWithinWord = LETTER.test(name.charAt(at - 1)) || LETTER.test(name.charAt(at + 1))
    return LETTER.test(sign) && !isWithinWord ? '' : sign
  })
}

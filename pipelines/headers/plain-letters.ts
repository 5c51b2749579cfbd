import { cutText } from '../core/cut-text.ts'

/** Letters that are not a plain letter with an accent, in lower case. */
const PLAIN: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
}

/** Only the beginning of a longer header counts, since folding megabytes would take long. */
const MOST_CHARACTERS = 1024

/**
 * Without the accents of Latin and Greek letters; in other scripts such marks are part of the
 * letter.
 */
export const withoutAccents = (header: string): string =>
  cutText(header, MOST_CHARACTERS)
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFKC')

export const lowered = (text: string): string =>
  text.toLowerCase().replace(/[œæßøłđðþħıŧŋ]/g, (letter) => PLAIN[letter]!)

import { cutText, cutToEnd } from '../../core/cut-text.ts'
import type { Warning } from '../../core/warning.ts'
import { inputTextMessages } from './messages.ts'
import type { TextInput } from './open-text.ts'

/** Signs of text that was misread before it was sent. */
const SIGNS = [
  // `é` in UTF-8 that was once read as windows-1252.
  {
    sign: /Ã[\u0080-\u00bf\u0152-\u2122]|â€[\u0099™œ\u009d“”]/u,
    message: inputTextMessages.storedTwice,
  },
  // Quotes and dashes of windows-1252 that were once read as ISO 8859-1.
  { sign: /[\u0080-\u0084\u0086-\u009f]/u, message: inputTextMessages.storedTwice },
  { sign: /\ufffd/u, message: inputTextMessages.lettersLost },
]
/** In windows-1252, letters of DOS (é à è ç ê ù) and of old Macs (é è) become symbols like these. */
const NO_LETTERS = /[\u0081\u008d\u008f\u0090\u009d]|\p{L}[‚…Š‡ˆ—“‹Ž]\p{Ll}/u

/** For text that was read as windows-1252, or is UTF-8, and contains what no text contains. */
export function misreadWarnings({ head, encoding }: TextInput): Warning[] {
  const text = head.toString('utf8')
  const isGuessed = encoding.name === 'windows-1252' && encoding.isPresumed
  const pages = encoding.others
  if (pages.length > 0) return [inAnotherPage(text, pages)]
  const guessed = { sign: NO_LETTERS, message: inputTextMessages.notWindows1252 }
  for (const { sign, message } of isGuessed ? [guessed, ...SIGNS] : SIGNS) {
    const at = text.search(sign)
    if (at === -1) continue
    const sample = textAround(text, at)
    return [{ code: 'misread-characters', message: message({ sample }), line: lineOf(text, at) }]
  }
  return []
}

/** Of a text that words would be in another code page: the first line with a letter beyond ASCII. */
function inAnotherPage(text: string, pages: readonly string[]): Warning {
  const at = Math.max(0, text.search(/[^\0-\u007f]/u))
  const message = inputTextMessages.otherPages({ sample: textAround(text, at), pages })
  return {
    code: 'misread-characters',
    message,
    line: lineOf(text, at),
    remedies: pages.map((page) => ({
      options: { encoding: page },
      message: inputTextMessages.readIn({ page }),
      leaves: 0,
    })),
  }
}

const lineOf = (text: string, at: number) => text.slice(0, at).split(/\r\n|\r|\n/).length

/** How many characters before and after are shown, so that people recognise the place. */
const SHOWN = 12

function textAround(text: string, at: number): string {
  const before = cutToEnd(text.slice(0, at), SHOWN).split(/[\r\n]/)
  const behind = cutText(text.slice(at), SHOWN).split(/[\r\n]/)
  return before.at(-1)! + behind[0]!
}

import type { Warning } from '../../core/warning.ts'
import type { TextInput } from './open-text.ts'

/** What a text holds that was read in the wrong encoding, and what it would have been. */
const SIGNS: readonly { readonly sign: RegExp; readonly likely: string }[] = [
  // `é` in UTF-8 that was once taken for windows-1252.
  {
    sign: /Ã[\u0080-\u00bf\u0152-\u2122]|â€[\u0099™œ\u009d“”]/u,
    likely: 'text that was stored twice',
  },
  { sign: /\ufffd/u, likely: 'text that has lost letters before' },
]
/** Letters of DOS (é à è ç ê ù) and of old Macs (é è) stand in windows-1252 for signs like these. */
const NO_LETTERS = /[\u0081\u008d\u008f\u0090\u009d]|\p{L}[‚…Š‡ˆ—“‹Ž]\p{Ll}/u

/** Text that was read as windows-1252, or is UTF-8, and holds what no text holds. */
export function misreadWarnings({ head, encoding }: TextInput): Warning[] {
  const text = head.toString('utf8')
  const isGuessed = encoding.name === 'windows-1252' && encoding.evidence !== 'given'
  const at = isGuessed ? text.search(NO_LETTERS) : -1
  if (at !== -1) {
    const message = `the text holds signs where letters belong («${lineAround(text, at)}»): it is probably not windows-1252; name its encoding, such as cp850 or macintosh, by the option "encoding"`
    return [{ code: 'misread-characters', message, line: lineOf(text, at) }]
  }
  const found = SIGNS.find(({ sign }) => sign.test(text))
  if (found === undefined) return []
  const place = text.search(found.sign)
  const message = `some characters look misread («${lineAround(text, place)}»): ${found.likely}`
  return [{ code: 'misread-characters', message, line: lineOf(text, place) }]
}

const lineOf = (text: string, at: number) => text.slice(0, at).split(/\r\n|\r|\n/).length

/** So many characters before and behind show what is meant. */
const SHOWN = 12

function lineAround(text: string, at: number): string {
  const before = text
    .slice(Math.max(0, at - SHOWN), at)
    .split(/[\r\n]/)
    .at(-1)!
  const behind = text.slice(at, at + SHOWN).split(/[\r\n]/)[0]!
  return before + behind
}

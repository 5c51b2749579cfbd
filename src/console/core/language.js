import { en } from '../words/en.js'
import { fr } from '../words/fr.js'
import { forThisBrowser, keptIn } from './kept.js'
import { signal } from './ui.js'

const WORDS = { fr, en }
/** French wants a space there that is no place to break a line. */
const NO_BREAK = / (?=[:;!?»])|(?<=«) /g
export const LANGUAGES = Object.keys(WORDS)

const kept = keptIn(forThisBrowser, 'console.language')

function firstLanguage() {
  const wanted = [kept.read(), ...navigator.languages.map((name) => name.slice(0, 2))]
  return wanted.find((name) => LANGUAGES.includes(name)) ?? 'fr'
}

export const language = signal(firstLanguage())

export function speak(name) {
  kept.write(name)
  language.value = name
}

/**
 * The words of a key in the language of the reader, `{name}` filled in. Where there are several
 * forms, `count` chooses.
 */
export function t(key, values = {}) {
  const entry = WORDS[language.value][key]
  if (entry === undefined) return key
  const text =
    typeof entry === 'string'
      ? entry
      : (entry[new Intl.PluralRules(language.value).select(values.count)] ?? entry.other)
  const spaced = language.value === 'fr' ? text.replaceAll(NO_BREAK, '\u00a0') : text
  return spaced.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? showNumber(value) : String(value)
  })
}

export const hasWords = (key) => WORDS[language.value][key] !== undefined

export const showNumber = (value, options) =>
  new Intl.NumberFormat(language.value, options).format(value)

export const listed = (words) =>
  new Intl.ListFormat(language.value).format(
    words.toSorted(new Intl.Collator(language.value).compare),
  )

export const showPercent = (part, whole) =>
  whole === 0 ? '' : showNumber(part / whole, { style: 'percent', maximumFractionDigits: 1 })

export const showTime = (text) =>
  text === null || text === undefined
    ? ''
    : new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date(text),
      )

export const showSeconds = (seconds) =>
  showNumber(seconds, { style: 'unit', unit: 'second', maximumFractionDigits: 1 })

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

export function showBytes(bytes) {
  if (bytes === null || bytes === undefined) return ''
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return showNumber(bytes / 1000 ** power, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: bytes < 1000 ? 0 : 1,
  })
}

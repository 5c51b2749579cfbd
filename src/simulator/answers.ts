import * as words from './words.ts'

/**
 * Writes the answer to a question as JSON text, derived from a number that belongs to the record
 * and the question; null if there is none. The text is assembled from prepared pieces, since the
 * simulator must not be slower than what is measured with it.
 */
export type Answer = (chance: number) => string | null

const json = (values: readonly string[]) => values.map((value) => JSON.stringify(value))
const two = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

/** One of several values, all equally likely. */
export function oneOf(values: readonly string[]): Answer {
  const ready = json(values)
  return (chance) => ready[chance % ready.length]!
}

export const firstName = oneOf(words.FIRST_NAMES)
export const lastName = oneOf(words.LAST_NAMES)
export const city = oneOf(words.CITIES)
export const remark = oneOf(words.REMARKS)

export const email: Answer = (chance) =>
  `"contact${chance % 100_000}@${words.MAIL_DOMAINS[chance % words.MAIL_DOMAINS.length]}"`

export const phone: Answer = (chance) =>
  `"0${1 + (chance % 7)} ${two[chance % 97]} ${two[chance % 89]} ${two[chance % 83]} ${two[chance % 79]}"`

/** As text, since leading zeros matter. */
export const postcode: Answer = (chance) => `"${two[1 + (chance % 95)]}${100 + (chance % 900)}"`

export const wholeNumber =
  (from: number, to: number): Answer =>
  (chance) =>
    String(from + (chance % (to - from + 1)))

/** `1 234,56`, as people type it. */
export const decimalWithComma: Answer = (chance) => {
  const thousands = chance % 12
  const units = (chance >>> 4) % 1000
  const grouped = thousands === 0 ? String(units) : `${thousands} ${String(units).padStart(3, '0')}`
  return `"${grouped},${two[(chance >>> 8) % 100]}"`
}

export const yesOrNo = oneOf(['oui', 'non'])
export const trueOrFalse: Answer = (chance) => (chance % 2 === 0 ? 'true' : 'false')

const day = (chance: number) => two[1 + (chance % 28)]!
const month = (chance: number) => two[1 + ((chance >>> 5) % 12)]!
const year = (chance: number) => 2015 + ((chance >>> 9) % 11)
const time = (chance: number) =>
  `${two[6 + (chance % 14)]}:${two[(chance >>> 3) % 60]}:${two[(chance >>> 6) % 60]}`

export const dayFirstDate: Answer = (c) => `"${day(c)}/${month(c)}/${year(c)}"`
export const dottedDateTime: Answer = (c) =>
  `"${day(c)}.${month(c)}.${year(c)} ${time(c).slice(0, 5)}"`
export const plainDate: Answer = (c) => `"${year(c)}-${month(c)}-${day(c)}"`
export const isoWithZone: Answer = (c) =>
  `"${year(c)}-${month(c)}-${day(c)}T${time(c)}.${two[c % 100]}0+0${1 + (c % 2)}:00"`
/** Typed by hand: one in ten in another order, some with placeholders of other systems. */
export const dateByHand: Answer = (chance) => {
  const kind = (chance >>> 13) % 20
  if (kind < 2) return plainDate(chance)
  if (kind === 2) return DATE_PLACEHOLDERS[chance % DATE_PLACEHOLDERS.length]!
  return dayFirstDate(chance)
}
const DATE_PLACEHOLDERS = json(['', '  ', 'null', 'undefined', '0', '1970-01-01', '1899-12-30'])

export function someOf(values: readonly string[]): Answer {
  const ready = json(values)
  return (chance) => {
    const chosen = ready.filter((_, index) => (chance >>> index) % 3 === 0)
    return `[${chosen.join(',')}]`
  }
}

/** Attached files: `[{ id, name, url? }]`, often none. */
export const attachments: Answer = (chance) => {
  const file = (n: number) => {
    const name = words.FILE_NAMES[(chance + n) % words.FILE_NAMES.length]!
    const url = (chance + n) % 3 === 0 ? '' : `,"url":"https://fichiers.example/${chance}/${n}"`
    return `{"id":"f${chance}-${n}","name":${JSON.stringify(name)}${url}}`
  }
  return `[${Array.from({ length: chance % 3 }, (_, n) => file(n)).join(',')}]`
}

export const address: Answer = (chance) =>
  `{"rue":"${1 + (chance % 120)} rue des Lilas","codePostal":${postcode(chance)},"ville":${city(chance)},` +
  `"position":{"lat":${46 + (chance % 500) / 100},"lng":${1 + (chance % 700) / 100}}}`

/** Not everyone answers: half of the missing answers are left out, the others are null. */
export function sometimes(answer: Answer, percent: number): Answer {
  return (chance) => {
    if ((chance >>> 7) % 100 < percent) return answer(chance)
    return chance % 2 === 0 ? 'null' : null
  }
}

/** A placeholder where nobody answered. */
export function orElse(answer: Answer, percent: number, placeholder: string): Answer {
  const ready = JSON.stringify(placeholder)
  return (chance) => ((chance >>> 7) % 100 < percent ? answer(chance) : ready)
}

export const never: Answer = () => null

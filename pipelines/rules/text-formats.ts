import type { RuleFormat } from '../core/rule.ts'
import type { MessageMaker } from '../core/message.ts'
import { formatMessages } from './rule-messages.ts'

interface TextFormat {
  readonly what: MessageMaker<[]>
  isMet(text: string): boolean
}

const LONGEST_EMAIL = 254
const LONGEST_URI = 8192
/** In bytes: what is longer is of no format, and nobody looks at it. */
export const LONGEST_FORMATTED = 4 * LONGEST_URI
/** La Poste numbers its offices so that the sum of the digits is a multiple of five. */
const LA_POSTE = '356000000'

const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
}

/** Texts that are written by a rule of others. */
export const TEXT_FORMATS: Readonly<Record<RuleFormat, TextFormat>> = {
  email: {
    what: formatMessages.email,
    isMet: (text) =>
      text.length <= LONGEST_EMAIL &&
      /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(text) &&
      !/\.\.|^\.|\.@|@-|-\.|\.-|-$/.test(text),
  },
  uri: {
    what: formatMessages.uri,
    isMet: (text) =>
      text.length <= LONGEST_URI &&
      /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) &&
      URL.canParse(text),
  },
  uuid: {
    what: formatMessages.uuid,
    isMet: (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
  },
  siren: {
    what: formatMessages.siren,
    isMet: (text) => isOfDigits(ungrouped(text), 9) && checkSum(ungrouped(text)) % 10 === 0,
  },
  siret: {
    what: formatMessages.siret,
    isMet: (text) => isSiret(ungrouped(text)),
  },
  iban: {
    what: formatMessages.iban,
    isMet: (text) => isIban(ungrouped(text)),
  },
  'postcode-fr': {
    what: formatMessages.postcodeFr,
    isMet: (text) => /^(?:0[1-9]|[1-8]\d|9[0-8])\d{3}$/.test(text.trim()),
  },
  insee: {
    what: formatMessages.insee,
    isMet: (text) =>
      /^(?:(?:0[1-9]|1\d|2[1-9AB]|[3-8]\d|9[0-5])(?!000)\d{3}|97[1-8]\d{2}|98[46-8]\d{2})$/.test(
        text.trim(),
      ),
  },
}

/** Longer texts are none of these numbers. */
const LONGEST_NUMBER = 64

/** Numbers that people write in groups, and with blanks around them. */
function ungrouped(text: string): string {
  return text.length > LONGEST_NUMBER
    ? text
    : text.trim().replaceAll(/(?<=\w)[ \u00a0\u202f](?=\w)/g, '')
}

const isOfDigits = (text: string, count: number): boolean =>
  text.length === count && /^\d+$/.test(text)

function isSiret(digits: string): boolean {
  if (!isOfDigits(digits, 14)) return false
  if (checkSum(digits) % 10 === 0) return true
  if (!digits.startsWith(LA_POSTE)) return false
  return [...digits].reduce((sum, digit) => sum + Number(digit), 0) % 5 === 0
}

/** By Luhn: every second digit from the right counts twice. */
function checkSum(digits: string): number {
  let sum = 0
  for (let at = digits.length - 1, twice = false; at >= 0; at--, twice = !twice) {
    const value = Number(digits[at]) * (twice ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum
}

function isIban(text: string): boolean {
  const iban = text.toUpperCase()
  if (iban.length !== IBAN_LENGTHS[iban.slice(0, 2)]) return false
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) return false
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}

import { t } from './language.js'

const SCALAR = ['text', 'number', 'date', 'boolean']

/**
 * What a column can be held to: for which types, how what is given is written, and how it is read
 * from there. `input` null: there is nothing to give.
 */
const KINDS = {
  required: { types: [...SCALAR, 'json'], input: null, read: () => true },
  unique: { types: SCALAR, input: null, read: () => true },
  // People ask it of numbers alone; what a Table Schema asks of others is shown as it is.
  written: { types: ['number'], input: null, read: () => ({ type: 'integer' }) },
  oneOf: { types: ['text', 'number', 'date'], input: 'lines', read: readLines },
  minimum: { types: ['number', 'date'], input: 'scalar', read: readScalar },
  maximum: { types: ['number', 'date'], input: 'scalar', read: readScalar },
  minLength: { types: ['text'], input: 'count', read: Number },
  maxLength: { types: ['text'], input: 'count', read: Number },
  format: { types: ['text'], input: 'format', read: (text) => text },
  matches: { types: ['text'], input: 'pattern', read: (text) => text },
  in: {
    types: SCALAR,
    input: 'source',
    read: JSON.parse,
  },
}

export const FORMATS = ['email', 'uri', 'uuid', 'siren', 'siret', 'iban', 'postcode-fr', 'insee']

export const kindsFor = (type) =>
  Object.keys(KINDS).filter((kind) => KINDS[kind].types.includes(type))
export const kindOf = (rule) => Object.keys(KINDS).find((kind) => rule[kind] !== undefined)
export const inputOf = (kind) => KINDS[kind].input
/** Null while what has to be given is not. */
export function ruleOf({ kind, text, type, severity, message }) {
  if (inputOf(kind) !== null && text.trim() === '') return null
  const given = KINDS[kind].read(text, type)
  return {
    [kind]: given,
    ...(severity === 'warning' && { severity }),
    ...(message.trim() !== '' && { message: message.trim() }),
  }
}

/** In a sentence. */
export function wordsOfRule(rule) {
  const kind = kindOf(rule)
  const given = rule[kind]
  const values =
    kind === 'oneOf'
      ? given.slice(0, MOST_LISTED).join(', ') + (given.length > MOST_LISTED ? ', …' : '')
      : kind === 'format'
        ? t(`rule.format.${given}`)
        : kind === 'written'
          ? given.type
          : (given.column ?? String(given))
  return t(`rule.${kind}.words`, { values })
}

const MOST_LISTED = 5

function readLines(text, type) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => readScalar(line, type))
}

/** A text keeps every digit of a number that a browser would round. */
function readScalar(text, type) {
  const plain =
    type === 'number' ? text.trim().replaceAll(/\s/g, '').replace(',', '.') : text.trim()
  return type === 'number' && String(Number(plain)) === plain ? Number(plain) : plain
}

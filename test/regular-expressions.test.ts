import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

import { processorClock } from './support/processor-time.ts'

const ROOT = join(import.meta.dirname, '..')

/** Slow on a long text, and never given one. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/\\/+$/': 'addresses: settings, and base addresses of at most 2,048 characters',
  '/^\\s*(?:\\{\\s*\\})?\\s*$/': 'the first 64 bytes of a body',
}

const TEXT_LENGTH = 10_000
/** Takes time in proportion to the square of its text. */
const SQUARE = / +$/
/** Of that time; what is in proportion to the length takes less than a thousandth of it. */
const MOST_OF_SQUARE = 1 / 4
const MOST_CHARACTERS = 14

interface Expression {
  readonly file: string
  readonly literal: string
  readonly pattern: RegExp
}

describe('the regular expressions of the code', () => {
  const expressions = ['src', 'pipelines'].flatMap(expressionsBelow)
  let mostTime = 0

  before(() => {
    const text = `${' '.repeat(TEXT_LENGTH)}x`
    mostTime = MOST_OF_SQUARE * Math.min(...[1, 2, 3].map(() => timeFor(SQUARE, text)))
  })

  it('are found', () => {
    expect(expressions.length).to.be.above(120)
    expect(expressions.map(({ literal }) => literal)).to.include.members(Object.keys(BOUNDED))
  })

  it('take time in proportion to the text, whatever the text', () => {
    const slow = expressions.flatMap(({ file, literal, pattern }) => {
      const text = literal in BOUNDED ? undefined : slowText(pattern, mostTime)
      return text === undefined ? [] : [`${file}: ${literal} for ${describeText(text)}`]
    })
    expect(slow).to.deep.equal([])
  })

  it('are found out where they take longer', () => {
    for (const pattern of [/\s+$/, /^(\d+\.?\d*|\.\d+)$/, /(?:^|\n)\s*\{/, /"(?:[^"]|"")*"$/]) {
      expect(slowText(pattern, mostTime), String(pattern)).to.be.a('string')
    }
  })
})

/** Literals as one finds them without a parser: where a value may begin, and not a division. */
function expressionsBelow(folder: string): Expression[] {
  const literals =
    /(?<=(?:[=(,:!&|?[{;]|=>|return)\s*|^\s+)\/(?![/*\s=])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*/gm
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const code = readFileSync(join(ROOT, folder, name), 'utf8').replace(
        /^\s*(?:\/\/|\/?\*).*$/gm,
        '',
      )
      return [...code.matchAll(literals)].map(([literal]) => {
        const end = literal.lastIndexOf('/')
        const pattern = new RegExp(literal.slice(1, end), literal.slice(end + 1).replace('y', ''))
        return { file: join(folder, name), literal, pattern }
      })
    })
}

/** One that it takes too long for, made of what the expression itself speaks of. */
function slowText(pattern: RegExp, mostTime: number): string | undefined {
  for (const text of textsFor(pattern)) {
    // Once more where something else of this process was counted.
    if ([1, 2, 3].every(() => timeFor(pattern, text) > mostTime)) return text
  }
  return undefined
}

function timeFor(pattern: RegExp, text: string): number {
  const spent = processorClock()
  text.replace(pattern, '')
  return spent()
}

/** The same over and over, behind something else perhaps, and an end that fits nothing. */
function* textsFor(pattern: RegExp): Generator<string> {
  const characters = charactersOf(pattern.source)
  for (const end of ['\0', '']) {
    for (const character of characters) {
      const run = character.repeat(TEXT_LENGTH)
      for (const start of ['', ...characters]) yield start + run + end
      for (const other of characters) yield (character + other).repeat(TEXT_LENGTH / 2) + end
    }
  }
}

const IN_CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', n: '\n', r: '\r' }

/** Those that it names, and some of the classes. */
function charactersOf(source: string): string[] {
  const named = source.replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}/g, 'é').matchAll(/\\(.)|[^()|?^$]/gs)
  const found = [...named].map(([whole, escaped]) =>
    escaped === undefined ? whole : (IN_CLASSES[escaped] ?? escaped),
  )
  return [...new Set([' ', '0', 'a', ...found])].slice(0, MOST_CHARACTERS)
}

function describeText(text: string): string {
  return `${JSON.stringify(text.slice(0, 6))} … ${JSON.stringify(text.slice(-3))}`
}

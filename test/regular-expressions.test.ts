import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

const ROOT = join(import.meta.dirname, '..')

/** Slow on a long text, and never given one. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/\\/+$/': 'addresses: settings, and base addresses of at most 2,048 characters',
  '/^\\s*(?:\\{\\s*\\})?\\s*$/': 'the first 64 bytes of a body',
}

const TEXT_LENGTH = 10_000
/** In proportion to its length it takes some ten microseconds, to its square a hundred milliseconds. */
const WITHIN_MS = 25
const MOST_CHARACTERS = 14

interface Expression {
  readonly file: string
  readonly literal: string
  readonly pattern: RegExp
}

describe('the regular expressions of the code', function () {
  this.timeout(60_000)
  const expressions = ['src', 'pipelines'].flatMap(expressionsBelow)

  it('are found', () => {
    expect(expressions.length).to.be.above(120)
    expect(expressions.map(({ literal }) => literal)).to.include.members(Object.keys(BOUNDED))
  })

  it('take time in proportion to the text, whatever the text', () => {
    const slow = expressions.flatMap(({ file, literal, pattern }) => {
      const text = literal in BOUNDED ? undefined : slowText(pattern)
      return text === undefined ? [] : [`${file}: ${literal} for ${describeText(text)}`]
    })
    expect(slow).to.deep.equal([])
  })

  it('that would not are noticed', () => {
    for (const pattern of [/\s+$/, /^(\d+\.?\d*|\.\d+)$/, /(?:^|\n)\s*\{/, /"(?:[^"]|"")*"$/]) {
      expect(slowText(pattern), String(pattern)).to.be.a('string')
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
function slowText(pattern: RegExp): string | undefined {
  for (const text of textsFor(pattern)) {
    // Once more where something else held the machine up.
    if ([1, 2, 3].every(() => millisecondsFor(pattern, text) > WITHIN_MS)) return text
  }
  return undefined
}

function millisecondsFor(pattern: RegExp, text: string): number {
  const begun = performance.now()
  text.replace(pattern, '')
  return performance.now() - begun
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

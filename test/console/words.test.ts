import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

const FOLDER = resolve(import.meta.dirname, '../../src/console')

type Entry = string | Readonly<Record<string, string>>
type Words = Readonly<Record<string, Entry>>

const wordsOf = async (language: string): Promise<Words> => {
  const module = (await import(join(FOLDER, `words/${language}.js`))) as Record<string, Words>
  return module[language]!
}

const formsOf = (entry: Entry): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry)
const placesOf = (entry: Entry): string[] =>
  [...new Set(formsOf(entry).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].toSorted()

describe('the words of the console', () => {
  let fr: Words
  let en: Words
  let modules: string[]

  before(async () => {
    fr = await wordsOf('fr')
    en = await wordsOf('en')
    const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true })
    const files = entries.filter(
      ({ name, parentPath }) => name.endsWith('.js') && !parentPath.endsWith('words'),
    )
    modules = await Promise.all(
      files.map(({ name, parentPath }) => readFile(join(parentPath, name), 'utf8')),
    )
  })

  it('are the same in both languages, with the same places to fill in', () => {
    expect(Object.keys(en)).to.deep.equal(Object.keys(fr))
    for (const [key, entry] of Object.entries(fr)) {
      expect(placesOf(en[key]!), key).to.deep.equal(placesOf(entry))
      for (const text of [...formsOf(entry), ...formsOf(en[key]!)]) expect(text, key).to.match(/\S/)
    }
  })

  it('are there for every key that a screen asks for', () => {
    const asked = modules.flatMap((text) =>
      [...text.matchAll(/(?<![\w.])t\(\s*'([^']+)'/g)].map(([, key]) => key!),
    )
    expect(asked.length).to.be.greaterThan(200)
    expect(asked.filter((key) => !(key in fr))).to.deep.equal([])
  })

  it('hold nothing that no screen asks for', () => {
    const text = modules.join('\n')
    const isAsked = (key: string) => {
      if (text.includes(`'${key}'`) || text.includes(`\`${key}\``)) return true
      // `state.${state}` asks for a family of words, `load.${deed}.text` for one with a tail.
      const steps = key.split('.')
      return steps.some((_, at) => at > 0 && text.includes(`\`${steps.slice(0, at).join('.')}.\${`))
    }
    expect(Object.keys(fr).filter((key) => !isAsked(key))).to.deep.equal([])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

const ROOT = resolve(import.meta.dirname, '..')
const PRODUCT = ['src', 'pipelines', 'migrations', 'seeds', 'knexfile.ts']
const BESIDE = ['test', 'benchmarks', 'scripts']

/** Commands, and what they load by themselves: no file imports them. */
const TOOLS = ['c8', 'mocha', 'oxfmt', 'oxlint', 'oxlint-tsgolint', 'typescript']
/** Given to browsers as they are: src/http/routes/console/console-files.ts names them. */
const SERVED = ['@preact/signals-core']
/** What the product was to be built with, in that order. */
const ASKED_FOR = [
  'koa',
  '@koa/router',
  'koa-body',
  'ajv',
  'objection',
  'knex',
  'pg',
  'pg-copy-streams',
  'stream-json',
  'csv-parse',
  'exceljs',
  'luxon',
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  'pino',
  'mocha',
  'chai',
  'testcontainers',
]
/** Types of what is no package of its own name. */
const TYPES_WITHOUT_PACKAGE = ['@types/node', '@types/mocha']

type Versions = Readonly<Record<string, string>>

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Versions
  readonly devDependencies: Versions
}
const dependencies = Object.keys(manifest.dependencies)
const devDependencies = Object.keys(manifest.devDependencies)

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?!type\s)[^'"\n]*?(?:\{[^}]*\}[^'"\n]*?)?from\s+'([^.'][^']*)'/g
const OTHER_IMPORT = /(?:\bimport\(|\brequire\(|\bresolve\(|(?:^|\n)import )\s*'([^.'][^']*)'/g

function filesOf(room: string): string[] {
  if (room.endsWith('.ts')) return [join(ROOT, room)]
  return readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

function packagesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [IMPORT, OTHER_IMPORT]
    .flatMap((form) => [...text.matchAll(form)].map(([, name]) => name!))
    .filter((name) => !isBuiltin(name))
    .map(packageName)
}

/** The packages whose code the files of these rooms load. */
const packagesOf = (rooms: readonly string[]): Set<string> =>
  new Set(rooms.flatMap(filesOf).flatMap(packagesIn))

function packageName(specifier: string): string {
  const [first, second] = specifier.split('/')
  return specifier.startsWith('@') ? `${first}/${second}` : first!
}

const typed = (types: string) => {
  const name = types.slice('@types/'.length)
  return name.includes('__') ? `@${name.replace('__', '/')}` : name
}

describe('the dependencies', () => {
  const ofProduct = packagesOf(PRODUCT)
  const ofOthers = packagesOf(BESIDE)

  it('are what the product imports, and nothing besides', () => {
    expect([...new Set([...ofProduct, ...SERVED])].toSorted()).to.deep.equal(
      dependencies.toSorted(),
    )
  })

  it('for development are imported by tests, benchmarks or scripts, or are tools', () => {
    const idle = devDependencies.filter(
      (name) => !name.startsWith('@types/') && !ofOthers.has(name) && !TOOLS.includes(name),
    )
    expect(idle).to.deep.equal([])
  })

  it('have types only for packages that are there', () => {
    const packages = [...dependencies, ...devDependencies]
    const orphans = devDependencies.filter(
      (name) =>
        name.startsWith('@types/') &&
        !TYPES_WITHOUT_PACKAGE.includes(name) &&
        !packages.includes(typed(name)),
    )
    expect(orphans).to.deep.equal([])
  })

  describe('that README names', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const [, table = ''] = readme.split('| Package | What it does here |')
    const rows = table
      .split('\n\n', 1)[0]!
      .matchAll(/^\| (?<name>[@\w][^ ]*) \| (?<about>.+) \|$/gm)
    const named = [...rows].map(({ groups }) => ({
      name: groups!['name']!,
      about: groups!['about']!,
    }))

    it('are those that the product was to be built with', () => {
      expect(named.map(({ name }) => name)).to.deep.equal(ASKED_FOR)
    })

    for (const name of ASKED_FOR) {
      it(`work where it says: ${name}`, () => {
        const { about } = named.find((row) => row.name === name)!
        const [, place] = /`([^`]+\.ts)`/.exec(about)!
        expect(packagesIn(join(ROOT, place!))).to.include(name)
        const isOfProduct = PRODUCT.some((room) => place!.startsWith(room))
        expect(isOfProduct ? dependencies : [...dependencies, ...devDependencies]).to.include(name)
        // What the product does not load itself has a decision that says what does its work.
        const isTool = ['mocha', 'chai', 'testcontainers'].includes(name)
        if (!isOfProduct && !isTool) expect(about).to.match(/\]\(docs\/adr\/\d{4}-[\w-]+\.md\)/)
      })
    }
  })
})

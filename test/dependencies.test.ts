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

/** The packages whose code the files of these rooms load. */
function packagesOf(rooms: readonly string[]): Set<string> {
  const specifiers = rooms.flatMap(filesOf).flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [IMPORT, OTHER_IMPORT].flatMap((form) =>
      [...text.matchAll(form)].map(([, name]) => name!),
    )
  })
  return new Set(specifiers.filter((name) => !isBuiltin(name)).map(packageName))
}

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
})

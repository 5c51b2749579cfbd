import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join, posix, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const FOLDER = resolve(import.meta.dirname, '../../../console')

/** Modules that the console imports by name, and the one file of each. */
const LIBRARIES: Readonly<Record<string, readonly [library: string, file: string]>> = {
  preact: ['preact', 'dist/preact.mjs'],
  'preact/hooks': ['preact', 'hooks/dist/hooks.mjs'],
  htm: ['htm', 'dist/htm.mjs'],
  '@preact/signals': ['@preact/signals', 'dist/signals.mjs'],
  '@preact/signals-core': ['@preact/signals-core', 'dist/signals-core.mjs'],
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** What is shown first: whoever is signed in already sees the frame, everybody else the way in. */
const FIRST = ['main.js', 'screens/sign-in.js']

const STATIC_IMPORT = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"](?<name>[^'"]+)['"]/g

interface ConsoleFile {
  readonly type: string
  readonly bytes: Buffer
  /** Compressed once, since everybody asks for the same ones, and for many at once. */
  readonly gzipped: Buffer
}

export interface ConsoleFiles {
  /** Of what all files hold: it stands in their addresses, so that a browser may keep them for good. */
  readonly version: string
  readonly files: ReadonlyMap<string, ConsoleFile>
  readonly importMap: string
  /** Names of the modules of the first screen: asked for at once, not one after the other. */
  readonly first: readonly string[]
  readonly page: string
}

/** The console as it lies in the folder, with the libraries that it imports. */
export async function readConsole(): Promise<ConsoleFiles> {
  const files = new Map<string, ConsoleFile>()
  for (const [name, path] of [...(await ownFiles()), ...libraryFiles()]) {
    // The map of a library is not served, and a browser should not ask for it.
    const bytes = withoutSourceMap(await readFile(path))
    files.set(name, { type: TYPES[extname(name)]!, bytes, gzipped: await compressed(bytes) })
  }
  const page = await readFile(join(FOLDER, 'index.html'), 'utf8')
  const hash = createHash('sha256').update(page)
  for (const [name, { bytes }] of files) hash.update(name).update(bytes)
  const version = hash.digest('hex').slice(0, 12)
  const imports = Object.keys(LIBRARIES).map((name) => [
    name,
    `./assets/${version}/${servedAs(name)}`,
  ])
  return {
    version,
    files,
    page,
    importMap: JSON.stringify({ imports: Object.fromEntries(imports) }),
    first: [...importedBy(FIRST, files)],
  }
}

const compressed = promisify<Buffer, Buffer>(gzip)

/** The modules themselves, and all that they import before they run. */
function importedBy(
  names: readonly string[],
  files: ReadonlyMap<string, ConsoleFile>,
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const name of names) {
    if (found.has(name) || !files.has(name)) continue
    found.add(name)
    const text = files.get(name)!.bytes.toString('utf8')
    const imported = [...text.matchAll(STATIC_IMPORT)].map(({ groups }) => groups!['name']!)
    const next = imported.map((path) =>
      path.startsWith('.') ? posix.join(posix.dirname(name), path) : servedAs(path),
    )
    importedBy(next, files, found)
  }
  return found
}

async function ownFiles(): Promise<[name: string, path: string][]> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name)
      return [relative(FOLDER, path).replaceAll('\\', '/'), path]
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function libraryFiles(): [name: string, path: string][] {
  const fromHere = createRequire(import.meta.url)
  // A package need not show its package.json; its folder is above whatever it does show.
  const folderOf = (library: string) => {
    const entry = fromHere.resolve(library)
    return (
      entry.slice(0, entry.lastIndexOf(join('node_modules', library))) +
      join('node_modules', library)
    )
  }
  return Object.entries(LIBRARIES).map(([name, [library, file]]) => [
    servedAs(name),
    join(folderOf(library), file),
  ])
}

const servedAs = (name: string): string =>
  `libraries/${name.replace('@', '').replaceAll('/', '-')}.js`

function withoutSourceMap(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf('\n//# sourceMappingURL=')
  return at === -1 ? bytes : bytes.subarray(0, at + 1)
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join, posix, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const FOLDER = resolve(import.meta.dirname, '../../../console')

/** Modules that the console imports by name, and the file of each. */
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

/** Of both pages, which differ in what `PageOfConsole` names. */
const TEMPLATE = 'page.html'

/** Where the parts of a page lie as seen from it, and which are loaded first, `main` by the page itself. */
interface PageOfConsole {
  readonly assets: string
  readonly main: string
  readonly first: readonly string[]
  readonly styles: readonly string[]
}

/** In the order in which the later ones count. */
const STYLES = ['tokens', 'base', 'parts', 'pictures', 'grid', 'list', 'frame', 'screens']

const PAGES = {
  /** Users who are signed in see the frame at once, all others the sign-in page. */
  console: { assets: 'assets', main: 'main.js', first: ['screens/sign-in.js'], styles: STYLES },
  /** For senders of collections, who have no account. */
  deliver: {
    assets: '../console/assets',
    main: 'deliver/main.js',
    first: [],
    styles: [...STYLES, 'deliver'],
  },
} satisfies Record<string, PageOfConsole>

type PageName = keyof typeof PAGES

const STATIC_IMPORT = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"](?<name>[^'"]+)['"]/g

interface ConsoleFile {
  readonly type: string
  readonly bytes: Buffer
  /** Compressed once, since every browser asks for the same files, and for many at a time. */
  readonly gzipped: Buffer
}

export interface ConsoleFiles {
  /** A hash of all files. It is part of their addresses, so that browsers may cache them for good. */
  readonly version: string
  readonly files: ReadonlyMap<string, ConsoleFile>
  readonly pages: Readonly<Record<PageName, ConsolePage>>
}

export interface ConsolePage {
  /** Without the origin of uploads and the formats. */
  readonly html: string
  readonly importMap: string
}

/** Reads the console from its folder, with the libraries that it imports. */
export async function readConsole(): Promise<ConsoleFiles> {
  const files = new Map<string, ConsoleFile>()
  for (const [name, path] of [...(await ownFiles()), ...libraryFiles()]) {
    // The source map of a library is not served, so browsers should not ask for it.
    const bytes = withoutSourceMap(await readFile(path))
    files.set(name, { type: TYPES[extname(name)]!, bytes, gzipped: await compressed(bytes) })
  }
  const template = await readFile(join(FOLDER, TEMPLATE), 'utf8')
  const hash = createHash('sha256').update(template)
  for (const [name, { bytes }] of files) hash.update(name).update(bytes)
  const version = hash.digest('hex').slice(0, 12)
  const pageOf = (name: PageName) => writePage(template, { name, version, files })
  return {
    version,
    files,
    pages: { console: pageOf('console'), deliver: pageOf('deliver') },
  }
}

interface GivenPage extends Pick<ConsoleFiles, 'version' | 'files'> {
  readonly name: PageName
}

function writePage(template: string, { name, version, files }: GivenPage): ConsolePage {
  const { assets: folder, main, first, styles }: PageOfConsole = PAGES[name]
  const assets = `${folder}/${version}`
  const importMap = importMapOf(assets)
  // In the page's own file, a formatter would change the text whose hash the browser checks.
  const modules = [
    `<script type="importmap">${importMap}</script>`,
    // Those of the first screen are requested together rather than one after another.
    ...[...importedBy([main, ...first], files)].map(
      (path) => `<link rel="modulepreload" href="${assets}/${path}" />`,
    ),
  ]
  const html = template
    .replaceAll('{{name}}', name)
    .replaceAll('{{assets}}', assets)
    .replace('{{main}}', main)
    .replace('{{styles}}', styles.map((style) => styleIn(assets, style)).join('\n    '))
    .replace('{{modules}}', () => modules.join('\n    '))
  return { html, importMap }
}

const styleIn = (assets: string, name: string): string =>
  `<link rel="stylesheet" href="${assets}/styles/${name}.css" />`

function importMapOf(assets: string): string {
  // Without a dot before it, an import map takes a path for a name.
  const folder = assets.startsWith('.') ? assets : `./${assets}`
  const imports = Object.keys(LIBRARIES).map((name) => [name, `${folder}/${servedAs(name)}`])
  return JSON.stringify({ imports: Object.fromEntries(imports) })
}

const compressed = promisify<Buffer, Buffer>(gzip)

/** The modules themselves, and everything that they import statically. */
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
  // A package need not export its package.json; its folder is above whatever it does export.
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

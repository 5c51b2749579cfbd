import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { expect } from 'chai'

/**
 * Which room may import from which. A file belongs to the first room whose folder it lies in; it
 * may import from its own room and from those named. Data goes one way through the house.
 */
const ROOMS: readonly { room: string; may: readonly string[]; why: string }[] = [
  { room: 'pipelines/index.ts', may: ['pipelines/'], why: 'it is the door of the engine' },
  { room: 'pipelines/core/', may: [], why: 'the interfaces of the engine depend on nothing' },
  {
    room: 'pipelines/cells/',
    may: ['pipelines/core/'],
    why: 'what is said of any cell lies below the types that cells have',
  },
  { room: 'pipelines/headers/', may: ['pipelines/core/'], why: 'names know no values' },
  {
    room: 'pipelines/mapping/',
    may: ['pipelines/core/', 'pipelines/headers/'],
    why: 'how headers meet columns is decided by names, whoever has given them',
  },
  {
    room: 'pipelines/json/',
    may: ['pipelines/core/', 'pipelines/cells/'],
    why: 'it is the syntax of JSON that several rooms share',
  },
  {
    room: 'pipelines/numbers/',
    may: ['pipelines/core/'],
    why: 'to read a number needs nothing but its bytes',
  },
  {
    room: 'pipelines/dates/',
    may: ['pipelines/core/', 'pipelines/cells/'],
    why: 'to read a date needs nothing but its bytes and a zone',
  },
  {
    room: 'pipelines/encoders/',
    may: ['pipelines/core/', 'pipelines/cells/', 'pipelines/dates/', 'pipelines/numbers/'],
    why: 'they write what was decided, and decide nothing',
  },
  {
    room: 'pipelines/transforms/',
    may: [
      'pipelines/core/',
      'pipelines/cells/',
      'pipelines/dates/',
      'pipelines/numbers/',
      'pipelines/encoders/',
    ],
    why: 'they look at columns, whoever read them',
  },
  {
    room: 'pipelines/rules/',
    may: [
      'pipelines/core/',
      'pipelines/cells/',
      'pipelines/dates/',
      'pipelines/encoders/',
      'pipelines/json/',
    ],
    why: 'they judge what is stored, however it was read',
  },
  { room: 'pipelines/input/', may: ['pipelines/core/'], why: 'bytes come before formats' },
  {
    room: 'pipelines/outline/',
    may: ['pipelines/core/', 'pipelines/cells/', 'pipelines/headers/'],
    why: 'where a table stands is told for every format alike',
  },
  {
    room: 'pipelines/readers/',
    may: [
      'pipelines/core/',
      'pipelines/cells/',
      'pipelines/headers/',
      'pipelines/input/',
      'pipelines/json/',
      'pipelines/outline/',
    ],
    why: 'readers know syntax and no types',
  },
  {
    room: 'pipelines/workbooks/',
    may: ['pipelines/core/', 'pipelines/cells/', 'pipelines/readers/'],
    why: 'what is written into a workbook has to be found in it first',
  },
  {
    room: 'pipelines/sinks/',
    may: ['pipelines/core/', 'pipelines/cells/', 'pipelines/encoders/', 'pipelines/transforms/'],
    why: 'they take what was decided, wherever it came from',
  },
  { room: 'pipelines/engine/', may: ['pipelines/'], why: 'it composes the rooms of the engine' },
  {
    room: 'src/errors/system-codes.ts',
    may: [],
    why: 'whoever opens a file or a socket asks what became of it',
  },
  {
    room: 'src/this-machine.ts',
    may: [],
    why: 'who sends a password, and who shows a demo world, ask the same',
  },
  {
    room: 'src/config/',
    may: [
      'src/this-machine.ts',
      'pipelines/index.ts',
      'src/security/encryption-keys.ts',
      'src/security/outbound/allow-list.ts',
    ],
    why: 'settings are read before anything else exists; some have a grammar of their own',
  },
  {
    room: 'src/db/',
    may: ['src/errors/system-codes.ts', 'src/resources/', 'src/time/'],
    why: 'it knows how statements are run, and of things only how a page of them is asked for',
  },
  { room: 'src/time/', may: [], why: 'everything that waits or repeats may ask it' },
  {
    room: 'src/processes/',
    may: ['src/db/', 'src/time/', 'src/observability/'],
    why: 'who lives is known without knowing what they do',
  },
  {
    room: 'src/security/',
    may: ['pipelines/index.ts', 'src/time/', 'src/errors/'],
    why: 'secrets know no rooms above',
  },
  {
    room: 'src/storage/',
    may: ['src/errors/system-codes.ts'],
    why: 'a driver knows its port alone',
  },
  {
    room: 'src/notifications/',
    may: ['pipelines/index.ts', 'src/this-machine.ts'],
    why: 'a driver knows its port alone',
  },
  {
    room: 'src/observability/',
    may: ['src/errors/system-codes.ts', 'src/time/'],
    why: 'everything may log, so it depends on nothing that logs',
  },
  {
    room: 'src/connectors/',
    may: ['pipelines/index.ts', 'src/time/', 'src/security/'],
    why: 'connectors know no tenants',
  },
  {
    room: 'src/simulator/',
    may: ['src/connectors/'],
    why: 'it stands for a remote application',
  },
  {
    room: 'src/errors/',
    may: [
      'pipelines/index.ts',
      'src/connectors/errors.ts',
      'src/db/database-errors.ts',
      'src/resources/',
      'src/storage/storage-error.ts',
    ],
    why: 'it translates the errors of the rooms below, and nothing else of them',
  },
  {
    room: 'src/resources/',
    may: ['pipelines/index.ts'],
    why: 'they list the fields of things, and depend on nothing that holds them',
  },
  {
    room: 'src/domain/actor.ts',
    may: ['src/resources/'],
    why: 'who asks, and what they may do, is said once: for requests and for work that waited',
  },
  {
    room: 'src/scope.ts',
    may: ['src/domain/actor.ts'],
    why: 'who sees what is said once, below all that ask',
  },
  {
    room: 'src/shares.ts',
    may: ['pipelines/index.ts', 'src/domain/actor.ts', 'src/errors/'],
    why: 'places are shared alike, whatever they are for',
  },
  {
    room: 'src/models/',
    may: ['src/domain/actor.ts', 'src/db/', 'src/resources/', 'src/scope.ts'],
    why: 'models are tables, and ask one place for scopes',
  },
  {
    room: 'src/jobs/',
    may: [
      'pipelines/index.ts',
      'src/time/',
      'src/db/',
      'src/domain/actor.ts',
      'src/errors/',
      'src/observability/',
      'src/processes/',
      'src/resources/',
      'src/scope.ts',
      'src/shares.ts',
    ],
    why: 'jobs know nothing of what they run',
  },
  {
    room: 'src/stack/',
    may: [
      'pipelines/index.ts',
      'src/db/',
      'src/domain/actor.ts',
      'src/domain/ingest/',
      'src/domain/collections/settle-slots.ts',
      'src/domain/shapes/',
      'src/domain/uploads/',
      'src/errors/',
      'src/jobs/',
      'src/observability/',
      'src/processes/',
      'src/resources/',
      'src/storage/',
      'src/time/',
    ],
    why: 'generated tables and their loads are the same, whoever asks for them',
  },
  {
    room: 'src/domain/',
    may: [
      'pipelines/index.ts',
      'src/connectors/',
      'src/db/',
      'src/errors/',
      'src/jobs/',
      'src/models/',
      'src/notifications/',
      'src/observability/',
      'src/processes/',
      'src/resources/',
      'src/scope.ts',
      'src/security/',
      'src/shares.ts',
      'src/stack/',
      'src/storage/',
    ],
    why: 'use cases never see HTTP',
  },
  {
    room: 'src/http/',
    may: [
      'pipelines/index.ts',
      'src/time/',
      'src/connectors/',
      'src/domain/',
      'src/errors/',
      'src/jobs/',
      'src/observability/',
      'src/resources/',
      'src/shares.ts',
      'src/stack/',
      'src/storage/content-disposition.ts',
    ],
    why: 'HTTP never touches a query, a model, a database or a store',
  },
  {
    room: 'src/start/',
    may: [
      'pipelines/index.ts',
      'src/config/',
      'src/connectors/',
      'src/db/',
      'src/domain/sql-users/sql-users.ts',
      'src/errors/',
      'src/http/listen.ts',
      'src/notifications/',
      'src/observability/',
      'src/processes/',
      'src/security/',
      'src/stack/',
      'src/storage/',
      'src/time/',
    ],
    why: 'it opens what the settings name, and knows nothing of what is done with it',
  },
  {
    room: 'src/cli/',
    may: ['pipelines/index.ts', 'src/', 'seeds/'],
    why: 'a command may use the whole house',
  },
  {
    room: 'src/',
    may: ['pipelines/index.ts', 'src/', 'seeds/'],
    why: 'here the house is put together',
  },
  { room: 'migrations/', may: [], why: 'a migration must mean the same for ever' },
  { room: 'seeds/', may: ['src/'], why: 'the demo world uses the product' },
  {
    room: 'benchmarks/',
    may: ['pipelines/index.ts', 'src/'],
    why: 'benchmarks measure the product and need nothing of its tests',
  },
  {
    room: 'test/',
    may: ['.mocharc.json', 'benchmarks/', 'pipelines/', 'seeds/', 'src/'],
    why: 'tests may look into everything, and nothing depends on them',
  },
]

/** Rooms that are no part of the product. */
const BESIDE = ['benchmarks', 'test']

const ROOT = resolve(import.meta.dirname, '..')
const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:\{[^}]*\}[^'"\n]*?)?from\s+'(\.[^']+)'/g
/** What is loaded when it is first needed, and the types that are named in their place. */
const IMPORT_LATER = /\bimport\('(\.[^']+)'\)/g

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const pathFrom = (file: string, path: string): string =>
  relative(ROOT, resolve(ROOT, dirname(file), path))

function importsOf(file: string): string[] {
  const text = textOf(file)
  return [IMPORT, IMPORT_LATER]
    .flatMap((form) => [...text.matchAll(form)])
    .map(([, path]) => pathFrom(file, path!))
}

const IMPORTED_NAMES = /(?:^|\n)(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/g
const EXPORTED_NAME =
  /(?:^|\n)export\s+(?:async\s+|abstract\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/g

const EXPORTED_TYPE = /(?:^|\n)export\s+(?:abstract\s+)?(?:class|interface|type)\s+(\w+)/g

/** Which names are imported from where, as `file name`. */
function namesImportedBy(file: string): string[] {
  return [...textOf(file).matchAll(IMPORTED_NAMES)].flatMap(([, names, path]) =>
    names!
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .replace(/\s+as\s.*/, ''),
      )
      .map((name) => `${pathFrom(file, path!)} ${name}`),
  )
}

/** Files of which somebody takes everything: `import *`, `export *` and `import()`. */
function filesTakenWhole(file: string): string[] {
  const all = /(?:^|\n)(?:import|export)\s+\*[^'\n]*\sfrom\s+'(\.[^']+)'/g
  return [all, IMPORT_LATER]
    .flatMap((form) => [...textOf(file).matchAll(form)])
    .map(([, path]) => pathFrom(file, path!))
}

const product = ['pipelines', 'src', 'migrations', 'seeds'].flatMap(filesOf)
const files = [...product, ...BESIDE.flatMap(filesOf)]
const roomOf = (file: string) => ROOMS.find(({ room }) => file.startsWith(room))!

/** Circles of a graph, each as the way round. */
function circlesOf(nodes: readonly string[], next: (node: string) => readonly string[]): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (node: string, path: readonly string[]) => {
    if (state.get(node) === 'done') return
    if (state.get(node) === 'open') {
      circles.push([...path.slice(path.indexOf(node)), node].join(' → '))
      return
    }
    state.set(node, 'open')
    for (const target of next(node)) visit(target, [...path, node])
    state.set(node, 'done')
  }
  for (const node of nodes) visit(node, [])
  return circles
}

describe('the architecture', () => {
  it('has a rule for every file', () => {
    const without = files.filter((file) => roomOf(file) === undefined)
    expect(without).to.deep.equal([])
  })

  for (const rule of ROOMS) {
    it(`${rule.room} imports from ${rule.may.join(', ') || 'nowhere else'}: ${rule.why}`, () => {
      const forbidden = files
        .filter((file) => roomOf(file) === rule)
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(
          ({ target }) => ![rule.room, ...rule.may].some((allowed) => target.startsWith(allowed)),
        )
        .map(({ file, target }) => `${file} imports ${target}`)
      expect(forbidden).to.deep.equal([])
    })
  }

  it('names no permission that nobody uses', () => {
    const unused = ROOMS.flatMap((rule) => {
      const targets = files.filter((file) => roomOf(file) === rule).flatMap(importsOf)
      return rule.may
        .filter((allowed) => !targets.some((target) => target.startsWith(allowed)))
        .map((allowed) => `${rule.room} may import ${allowed}`)
    })
    expect(unused).to.deep.equal([])
  })

  it('exports only what another file imports', () => {
    const readers = [...files, ...filesOf('scripts')]
    const imported = new Set(readers.flatMap(namesImportedBy))
    // Knex and Mocha look for the names in these by themselves.
    const found = ['test/support/hooks.ts', ...filesOf('migrations')]
    const whole = new Set([...found, ...readers.flatMap(filesTakenWhole)])
    const unused = readers
      .filter((file) => !whole.has(file))
      .flatMap((file) =>
        [...textOf(file).matchAll(EXPORTED_NAME)].map(([, name]) => `${file} ${name}`),
      )
      .filter((name) => !imported.has(name))
    expect(unused).to.deep.equal([])
  })

  it('has one meaning for the name of a type', () => {
    const meanings = new Map<string, string[]>()
    for (const file of product) {
      for (const [, name] of textOf(file).matchAll(EXPORTED_TYPE)) {
        meanings.set(name!, [...(meanings.get(name!) ?? []), file])
      }
    }
    const shared = [...meanings].filter(([, places]) => places.length > 1)
    expect(shared).to.deep.equal([])
  })

  it('has no circular imports', () => {
    const circles = circlesOf(files, (file) =>
      importsOf(file).filter((target) => files.includes(target)),
    )
    expect(circles).to.deep.equal([])
  })

  it('has no circle of folders in the engine, however deep they lie', () => {
    const engine = files.filter((file) => file.startsWith('pipelines/'))
    const folders = new Map<string, Set<string>>()
    for (const file of engine) {
      const targets = folders.get(dirname(file)) ?? new Set()
      for (const target of importsOf(file)) {
        if (dirname(target) !== dirname(file)) targets.add(dirname(target))
      }
      folders.set(dirname(file), targets)
    }
    const circles = circlesOf([...folders.keys()], (folder) => [...(folders.get(folder) ?? [])])
    expect(circles).to.deep.equal([])
  })

  it('reads settings from the environment only where a process begins', () => {
    const starts = ['src/serve.ts', 'src/cli/with-database.ts', 'src/cli/load-database.ts']
    const readers = product.filter(
      (file) =>
        /process\.env\b/.test(textOf(file)) &&
        !starts.includes(file) &&
        // What a child process needs of ours: a path, a locale.
        !file.startsWith('src/db/embedded/'),
    )
    expect(readers).to.deep.equal([])
  })

  const whichSay = (word: RegExp) =>
    files.filter((file) => file.startsWith('src/') && word.test(textOf(file)))

  it('repeats work by one timer', () => {
    expect(whichSay(/\bsetInterval\b/)).to.deep.equal(['src/time/clock.ts'])
  })

  it('has every advisory lock in one file', () => {
    expect(whichSay(/advisory_/)).to.deep.equal(['src/db/locks.ts'])
  })

  it('reads the codes of PostgreSQL in one file', () => {
    // A size, 256MB say, looks like one.
    const codes =
      /['"`](?:0[89]|2[2-8BDF]|3[489BDF]|4[0-4]|5[3-8]|P0|XX)(?!\d[KMGT]B)[0-9A-Z]{3}['"`]/
    expect(whichSay(codes)).to.deep.equal(['src/db/database-errors.ts'])
  })

  it('has no file of the product longer than 400 lines', () => {
    const long = product.filter((file) => textOf(file).split('\n').length > 400)
    expect(long).to.deep.equal([])
  })
})

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect } from 'chai'
import type { Command } from 'commander'

import { CASES } from '../../benchmarks/cases/index.ts'
import { createProgram } from '../../src/cli/run-command.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { PROBLEMS } from '../../src/errors/index.ts'
import { allRoutes } from '../../src/http/routes/index.ts'
import { StopRequest } from '../../src/start/stop-request.ts'
import { SECTIONS } from '../trust/sections/index.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** What is there now. CHANGELOG.md and the decisions also tell of what was there once. */
const PAGES = globSync('{README,ARCHITECTURE,STYLE}.md', { cwd: ROOT })
  .concat(globSync('{docs,pipelines,benchmarks,test/trust}/*.md', { cwd: ROOT }))
  .filter((page) => page !== 'benchmarks/RESULTS.md')

interface Mention {
  readonly page: string
  readonly text: string
}

/** Code in a line, and the lines of fenced blocks, each whole where it is continued. */
const MENTIONS: readonly Mention[] = PAGES.flatMap((page) => {
  const blocks: string[] = []
  const text = read(page)
    .replaceAll(/^ *```.*\n([^]*?)^ *```$/gm, (_, block: string) => {
      blocks.push(...block.replaceAll(/\\\n\s*/g, '').split('\n'))
      return ''
    })
    .replaceAll(/\s+/g, ' ')
  const inLine = [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
  return [...blocks, ...inLine].map((code) => ({ page, text: code }))
})

/** All that these expressions find, the named group `what` or the whole. */
const found = (pattern: RegExp): Mention[] =>
  MENTIONS.flatMap(({ page, text }) =>
    [...text.matchAll(pattern)].map(({ 0: whole, groups }) => ({
      page,
      text: groups?.['what'] ?? whole,
    })),
  )

const told = ({ page, text }: Mention) => `${page}: ${text}`
const wrong = (mentions: readonly Mention[], isRight: (text: string) => boolean) =>
  mentions.filter(({ text }) => !isRight(text)).map(told)

describe('the guides name only what there is:', () => {
  it('scripts of npm', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
    const named = found(/npm run (?:--silent )?(?<what>[\w-]+)/g)
    expect(named).to.have.length.above(50)
    expect(wrong(named, (name) => Object.hasOwn(scripts, name))).to.deep.equal([])
  })

  it('benchmarks, and sections of trust', () => {
    // `json` stands for several; the others are of files that are named.
    const cases = new Set([...CASES.map(({ name }) => name), 'json', 'ingest', 'outline'])
    const after = (script: string) =>
      found(new RegExp(`npm run ${script} -- (?<what>[\\w -]+)`, 'g')).map(({ page, text }) => ({
        page,
        text: /^[a-z-]+(?: [a-z-]+)*/.exec(text.replace(/ --.*/, ''))?.[0] ?? '',
      }))
    const isCase = (names: string) =>
      names.split(' ').every((name) => name === '' || cases.has(name))
    expect(wrong(after('bench'), isCase)).to.deep.equal([])
    const isSection = (names: string) =>
      names
        .split(' ')
        .every((name) => name === '' || SECTIONS.some((section) => section.name === name))
    expect(wrong(after('trust'), isSection)).to.deep.equal([])
  })

  it('commands, and options that these take', async () => {
    const program = await createProgram(new StopRequest({ runsUntilStopped: false }))
    const called = found(
      /(?:npm run (?:--silent )?cli -- |src\/cli\/start\.js |docker run IMAGE |^cli )(?<what>[^|;&)]*)/g,
    )
    // `keys check`, where the text has said that it is a command.
    const groups = program.commands.filter(({ commands }) => commands.length > 0)
    const short = found(
      new RegExp(
        `^(?:${groups.map((group) => group.name()).join('|')}) [a-z][a-z-]+(?= |$).*`,
        'g',
      ),
    )
    expect(called).to.have.length.above(40)
    expect(short).to.have.length.above(10)
    const misuse = [...called, ...short].flatMap((mention) => {
      const misused = misuseOf(program, mention.text)
      return misused === null ? [] : [`${told(mention)}: ${misused}`]
    })
    expect(misuse).to.deep.equal([])
  })

  it('settings', () => {
    const names = found(/(?<![\w$}{-])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])|^[A-Z]+(?==))/g)
    expect(names).to.have.length.above(100)
    const arguments_ = [...read('Dockerfile').matchAll(/^ARG (\w+)/gm)].map(([, name]) => name!)
    const others = new Set([...arguments_, ...OTHER_NAMES])
    const isKnown = (name: string) =>
      Object.hasOwn(SETTINGS, name.replace(/_FILE$/, '')) || others.has(name)
    const ofOperators = names.filter(({ page }) => !OF_CODE.has(page))
    expect(wrong(ofOperators, isKnown)).to.deep.equal([])
  })

  it('routes', () => {
    const routes = allRoutes('0').map(({ spec }) => ({
      method: spec.method.toUpperCase(),
      path: anyValues(spec.path),
    }))
    const areas = new Set(routes.map(({ path }) => path.split('/')[1]))
    const isRoute = (asked: string) => {
      const [method, path] = asked.startsWith('/') ? [null, asked] : asked.split(' ')
      const wanted = anyValues(path.replace(/[?#].*/, ''))
      return routes.some(
        (route) => route.path === wanted && (method ?? route.method) === route.method,
      )
    }
    const asked = found(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w:{}$/.-]*/g)
    expect(asked).to.have.length.above(50)
    const paths = found(/^(?:https?:\/\/[\w.:]+)?(?<what>\/[\w:$/{}-]+)(?![\w:$/{}*-]|…)/g)
    const ours = paths.filter(({ text }) => areas.has(text.split('/')[1]))
    ours.push(...found(/(?:\$API|127\.0\.0\.1:3000)(?<what>\/[\w:$/{}-]+)(?![\w:$/{}*-]|…)/g))
    expect(ours).to.have.length.above(30)
    const ofClients = [...asked, ...ours].filter(({ page }) => !OF_CODE.has(page))
    expect(wrong(ofClients, isRoute)).to.deep.equal([])
  })

  it('codes of problems', () => {
    const codes = new Set(PROBLEMS.map(({ code }) => code))
    const named = found(/\b[A-Z]\w+Exception\b/g)
    expect(named).to.have.length.above(80)
    expect(wrong(named, (code) => codes.has(code))).to.deep.equal([])
  })

  it('files and folders', () => {
    const named = found(
      /(?<![\w./-]|exec )(?:src|test|docs|deploy|pipelines|benchmarks|scripts|migrations|seeds)\/[\w./-]*(?![\w*<{…])/g,
    )
    expect(named).to.have.length.above(80)
    const isThere = (path: string) => path === IMAGINED || existsSync(join(ROOT, path))
    expect(wrong(named, isThere)).to.deep.equal([])
  })

  it('shell that a shell can read', () => {
    const blocks = PAGES.flatMap((page) =>
      [...read(page).matchAll(/^( *)```sh.*\n([^]*?)^ *```$/gm)].map(([, , text]) => ({
        page,
        text: text!,
      })),
    )
    expect(blocks).to.have.length.above(30)
    const isShell = (text: string) => spawnSync('sh', ['-n'], { input: text }).status === 0
    expect(wrong(blocks, isShell)).to.deep.equal([])
  })
})

/** Variables of what is shown there, and of tests. */
const OTHER_NAMES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_ENDPOINT_URL',
  'AWS_SECRET_ACCESS_KEY',
  'API',
  'TOKEN',
  'SOURCE',
  'CONNECTION',
  'FORM',
  'JOB',
  'TEST_CITUS_URL',
  // Node reads it itself.
  'NODE_COMPILE_CACHE',
]
/** They name constants of the code, and routes of examples. */
const OF_CODE: ReadonlySet<string> = new Set(['docs/extending.md', 'pipelines/README.md'])
/** A change that ARCHITECTURE.md thinks through. */
const IMAGINED = 'src/domain/sources/publish-due.ts'

/** Whatever stands for a value. */
const anyValues = (path: string) =>
  path.replaceAll(/(?<=\/)(?:[:$*{]\w*\}?|\{[^}]*\}|\d[\w-]*)/g, '*')

/** Why a command would refuse this; null: it would not. */
function misuseOf(program: Command, line: string): string | null {
  let command = program
  const words = line.trim().split(/\s+/)
  while (command.commands.length > 0) {
    const [name] = words
    if (name === undefined || name === '' || name.startsWith('-') || /^[A-Z…]/.test(name)) break
    const chosen = command.commands.find((each) => each.name() === name)
    if (chosen === undefined) return `no command ${name}`
    command = chosen
    words.shift()
  }
  const options = [...program.options, ...command.options].map(({ long }) => long)
  const strange = words
    .filter((word) => /^--\w/.test(word))
    .map((word) => word.replace(/=.*/, ''))
    .filter((option) => option !== '--help' && !options.includes(option))
  return strange.length === 0 ? null : `${command.name()} has no ${strange.join(', ')}`
}

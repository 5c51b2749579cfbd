import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'puppeteer-core'

import { migrate } from '../../src/db/migrate.ts'
import { type BenchmarkCase, type BenchmarkResult, type Figure, median } from '../benchmark.ts'
import { writeMessyCsv } from '../generators/messy-csv.ts'
import { writeNarrowCsv } from '../generators/narrow-csv.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'
import {
  countScripts,
  countSent,
  newVisitor,
  paintedAfter,
  scrollThrough,
  serveEmptyPage,
} from '../support/console-page.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import type { Measured } from '../support/measure.ts'
import { openBrowser } from '../support/open-browser.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'

const MB = 1_000_000
const MESSY_ROW_BYTES = 113
const SCREENS = [
  'sources/new',
  'workflows',
  'connections',
  'jobs',
  'documents',
  'folders',
  'enterprises',
  'users',
  'account',
]

/** What the console costs whoever looks at it, in a browser. */
export const consoleCase: BenchmarkCase = {
  name: 'console',
  summary: 'the console in a browser: its first screen, a preview, and a table of many rows',
  rows: 1_200_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await benchmarkDatabase(databaseUrl)
      await migrate(database.url)
      await using service = await benchedService(database.url, join(folder, 'data'))
      const browser = await openBrowser()
      try {
        return await measureAll({ browser, service, folder, rows, runs })
      } finally {
        await browser.close()
      }
    }),
}

interface Stand {
  readonly browser: Browser
  readonly service: BenchedService
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

async function measureAll(stand: Stand): Promise<BenchmarkResult> {
  const { rows, runs } = stand
  const first = await firstScreens(stand)
  const scripts = await allScripts(stand)
  const previews = await previewsOf(stand)
  const grid = await manyRows(stand)
  const empty = median(first.empty.samples)
  return {
    input: `a table of ${rows.toLocaleString('en')} rows, files of 20 and 100 MB; ${runs} runs`,
    rows: null,
    bytes: null,
    contenders: [...Object.values(first), ...previews.contenders],
    figures: [
      {
        what: 'seconds to the first screen, processor slowed four times',
        found: median(first.signIn.samples),
        atMost: Number((3 * empty + 0.5).toFixed(2)),
      },
      { what: 'KB of script as sent, all screens', found: scripts / 1000, atMost: 150 },
      ...previews.figures,
      ...grid,
    ],
    caveats: [
      'Each run begins with an empty cache. From the beginning of the navigation until it is painted.',
      'The bound of the first screen is three times the empty page, and half a second.',
      'A frame is the time between two calls of requestAnimationFrame, while the wheel turns and then the scroll bar goes from end to end.',
    ],
  }
}

async function sessionOf({ service }: Stand): Promise<unknown> {
  const user: unknown = await (await service.fetch('/auth/me')).json()
  return { token: service.token, expiresAt: new Date(Date.now() + 3_600_000).toISOString(), user }
}

const consoleAt = ({ service }: Stand, screen = '') => `${service.address}/console/#/${screen}`

async function firstScreens(stand: Stand) {
  const { browser, runs } = stand
  await using emptyPage = await serveEmptyPage()
  const session = await sessionOf(stand)
  const visit = async (address: string, selector: string, given?: unknown): Promise<Measured> => {
    const visitor = await newVisitor(browser, given)
    try {
      return { ms: await paintedAfter(visitor, address, selector), peakRssBytes: null }
    } finally {
      await visitor.leave()
    }
  }
  return await inTurns(
    {
      empty: { name: 'empty page', run: () => visit(emptyPage.address, '#there') },
      signIn: {
        name: 'first screen',
        isOurs: true,
        run: () => visit(consoleAt(stand), 'input[name=password]'),
      },
      sources: {
        name: 'list of sources',
        isOurs: true,
        run: () => visit(consoleAt(stand, 'sources'), '.screen .empty', session),
      },
    },
    runs,
  )
}

async function allScripts(stand: Stand): Promise<number> {
  const visitor = await newVisitor(stand.browser)
  try {
    const scripts = await countScripts(visitor)
    const { page } = visitor
    await page.goto(consoleAt(stand), { waitUntil: 'networkidle0' })
    const session = JSON.stringify(JSON.stringify(await sessionOf(stand)))
    await page.evaluate(`sessionStorage.setItem('console.session', ${session})`)
    await page.reload({ waitUntil: 'networkidle0' })
    for (const screen of SCREENS) {
      await page.goto(consoleAt(stand, screen))
      await page.waitForNetworkIdle({ idleTime: 300 })
    }
    return scripts.bytes()
  } finally {
    await visitor.leave()
  }
}

/** Of a large file and of one five times as large: only what is seen is sent. */
async function previewsOf(stand: Stand) {
  const session = await sessionOf(stand)
  const sizes = { small: 20 * MB, large: 100 * MB }
  const sent: Record<number, number> = {}
  const clicks: Previewed[] = []
  const preview = async (size: number): Promise<Measured> => {
    const path = join(stand.folder, `${size}.csv`)
    const visitor = await newVisitor(stand.browser, session)
    try {
      const { page } = visitor
      const bytes = await countSent(visitor)
      await page.goto(consoleAt(stand, 'sources/new'), { waitUntil: 'networkidle0' })
      const input = (await page.waitForSelector('input[type=file]'))!
      const began = performance.now()
      await input.uploadFile(path)
      await page.waitForSelector('.grid-row')
      const ms = performance.now() - began
      sent[size] = bytes.bytes()
      if (size === sizes.small) clicks.push(await previewedAgain(page))
      return { ms, peakRssBytes: null }
    } finally {
      await visitor.leave()
    }
  }
  for (const size of Object.values(sizes)) {
    const messy = join(stand.folder, `${size}.csv`)
    await writeMessyCsv(Math.ceil(size / MESSY_ROW_BYTES), { messy, clean: '/dev/null' })
    const { size: written } = await stat(messy)
    if (written < size) throw new Error(`${written} bytes were written, less than ${size}`)
  }
  const { small, large } = await inTurns(
    {
      small: { name: 'preview of 20 MB', isOurs: true, run: () => preview(sizes.small) },
      large: { name: 'preview of 100 MB', isOurs: true, run: () => preview(sizes.large) },
    },
    stand.runs,
  )
  const figures: Figure[] = [
    {
      what: 'of what the preview of 20 MB sends, that of 100 MB sends',
      found: sent[sizes.large]! / sent[sizes.small]!,
      atMost: 1.01,
    },
    {
      what: 'seconds until a click on a type previews the rows in sight again',
      found: median(clicks.map(({ inSightMs }) => inSightMs)) / 1000,
      atMost: 1,
    },
    {
      what: 'seconds until it has previewed all of the sample again',
      found: median(clicks.map(({ wholeMs }) => wholeMs)) / 1000,
      atMost: 1,
    },
    { what: 'MB sent for the preview of 100 MB', found: sent[sizes.large]! / MB },
    {
      what: 'of the preview of 20 MB, that of 100 MB takes',
      found: median(large.samples) / median(small.samples),
      atMost: 1.25,
    },
  ]
  return { contenders: [small, large], figures }
}

interface Previewed {
  readonly inSightMs: number
  readonly wholeMs: number
}

/** From the choice of another type until what comes of it is shown: here, that no number is a date. */
async function previewedAgain(page: Page): Promise<Previewed> {
  await page.waitForSelector('[aria-live=polite][aria-busy=false]')
  const began = performance.now()
  await page.select('.column-head select', 'date')
  await page.waitForSelector('.grid-row .invalid[aria-colindex="2"]')
  const inSightMs = performance.now() - began
  await page.waitForSelector('[aria-live=polite][aria-busy=false]')
  return { inSightMs, wholeMs: performance.now() - began }
}

async function manyRows(stand: Stand): Promise<Figure[]> {
  const path = join(stand.folder, 'many.csv')
  await writeNarrowCsv(path, { rows: stand.rows })
  const source = await stand.service.createSource(path, 'many')
  const visitor = await newVisitor(stand.browser, await sessionOf(stand))
  try {
    const { page } = visitor
    await page.goto(consoleAt(stand, `sources/${source}/rows`))
    await page.waitForFunction(`document.body.innerText.includes('customer 2')`)
    const { longestFrameMs, mostRowsInPage } = await scrollThrough(visitor)
    await page.goto(consoleAt(stand, `sources/${source}/summary`))
    await page.waitForSelector('[aria-busy=false] table')
    const saysSo = await page.evaluate(`document.body.innerText.includes('sample')`)
    return [
      { what: 'ms of the longest frame while scrolling', found: longestFrameMs, atMost: 50 },
      { what: 'rows in the page at once, at most', found: mostRowsInPage, atMost: 100 },
      {
        what: 'summaries above 1,000,000 rows that say that they are of a sample',
        found: saysSo === true ? 1 : 0,
        ...(stand.rows > MB && { atLeast: 1 }),
      },
    ]
  } finally {
    await visitor.leave()
  }
}

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'puppeteer-core'

import { newVisitor } from '../benchmarks/support/console-page.ts'
import { inFolder } from '../benchmarks/support/in-folder.ts'
import { listeningProcess } from '../benchmarks/support/listening-process.ts'
import { openBrowser } from '../benchmarks/support/open-browser.ts'
import { SERVICE } from '../benchmarks/support/service-process.ts'
import { DEMO_PASSWORD } from '../seeds/people.ts'
import { consoleSpecimens } from './console-specimens.ts'

/**
 * Writes the pictures of README.md and docs/console-design.md, from a service of its own with the demo
 * world, a source of many rows, and a messy sheet.
 */
const PICTURES = new URL('../docs/pictures/', import.meta.url)
const ADMIN = 'admin@lumiere.test'

const SHEET = [
  'Galerie Lumière — ventes du mois de mars 2026;;;;',
  'Export du 02/04/2026, montants en euros;;;;',
  ';;;;',
  'N° client;Date;Client;Montant;Payé',
  '00012;03/03/2026;Galerie Martin;1 240,50 €;oui',
  '00013;11/03/2026;Hôtel des Îles;3 980,00 €;non',
  '00014;31/02/2026;Café du Port;86,00 €;oui',
  '00015;27/03/2026;Mairie de Sète;12 400,00 €;non',
  '00016;28/03/2026;Librairie Le Grain;45,00 €;oui',
  '00017;0;Librairie Le Grain;47,00 €;oui',
  '00018;29/03/2026;Musée d’art;N/A;non',
  '00019;30/03/2026;Théâtre de la Mer;1 850,00 €;oui',
  ';;;;',
  'Source : caisse, arrêtée au 31 mars;;;;',
].join('\n')

const CLIENTS = ['Galerie Martin', 'Hôtel des Îles', 'Café du Port', 'Mairie de Sète']

/** Two of its rows do not fit. */
const SALES = [
  'N° client;Date;Client;Montant;Payé',
  ...Array.from({ length: 400 }, (_, at) => {
    const day = String(1 + (at % 28)).padStart(2, '0')
    const month = String(1 + (at % 3)).padStart(2, '0')
    const amount = `${((at * at * 37) % 1900) + 12},50`
    const client = CLIENTS[at % 10 < 5 ? 0 : at % CLIENTS.length]
    return `${String(at).padStart(5, '0')};${day}/${month}/2026;${client};${amount};${at % 7 === 0 ? '' : at % 3 === 0 ? 'non' : 'oui'}`
  }),
  '00400;31/02/2026;Café du Port;86,00;oui',
  '00401;30/02/2026;Théâtre de la Mer;1 850,00;oui',
].join('\n')

interface Picture {
  readonly name: string
  readonly width?: number
  readonly height?: number
  readonly isDark?: boolean
  readonly isSignedOut?: boolean
  /** Of the console, without `#/`, or of the page of senders. */
  readonly at: string
  /** Waits for what is shown, and does what leads to it. */
  readonly prepare?: (page: Page) => Promise<void>
  /** All of what is in sight, unless this alone is meant. */
  readonly of?: string
}

await inFolder(async (folder) => {
  const sheet = join(folder, 'ventes mars.csv')
  await writeFile(sheet, SHEET)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  await using service = await listeningProcess(SERVICE, { DATA_DIR: dataDir })
  const browser = await openBrowser()
  try {
    const ask = askerOf(service.address)
    const session = await ask('POST', '/auth/login', { email: ADMIN, password: DEMO_PASSWORD })
    const admin = { 'x-app-access-token': String(session['token']) }
    const source = await ask('POST', '/sources', salesForm(), admin)
    const collection = firstOf(await ask('GET', '/collections', undefined, admin))
    const slots = `/collections/${collection['uuid']}/slots`
    const awaited = firstOf(await ask('GET', `${slots}?state=awaited`, undefined, admin))
    const link = await ask('POST', `${slots}/${awaited['uuid']}/link`, undefined, admin)

    const given = {
      sheet,
      source: String(source['uuid']),
      collection: String(collection['uuid']),
      link: String(link['url']),
    }
    const stage = () => ask('POST', `/sources/${source['uuid']}/reload`, fewerSalesForm(), admin)
    for (const picture of [...specimensOf(await consoleSpecimens()), ...screensOf(given, stage)]) {
      const { width = 1160, height = 700, isDark = false, isSignedOut = false } = picture
      const { page, leave } = await newVisitor(browser, isSignedOut ? null : session)
      await page.setViewport({ width, height })
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ])
      await page.goto(new URL(picture.at, `${service.address}/console/`).href)
      await page.waitForNetworkIdle()
      await picture.prepare?.(page)
      const shown = picture.of === undefined ? page : (await page.waitForSelector(picture.of))!
      await writeFile(new URL(`${picture.name}.png`, PICTURES), await shown.screenshot())
      await leave()
    }
  } finally {
    await browser.close()
  }
})

function specimensOf(specimens: Readonly<Record<string, string>>): Picture[] {
  const { toasts, ...alone } = specimens
  const specimen = (name: string, script: string, isDark = false): Picture => ({
    name: isDark ? `${name}-dark` : name,
    isDark,
    at: '#/account',
    prepare: async (page) => void (await page.evaluate(script)),
    of: '.specimen',
  })
  return [
    ...Object.entries(alone).map(([name, script]) => specimen(name, script)),
    ...['colours', 'tags', 'notices'].map((name) => specimen(name, alone[name]!, true)),
    { ...specimen('toasts', toasts!), of: '.toasts' },
  ]
}

/** `stage` has a load wait, which is seen in other places, too. */
function screensOf(
  given: Readonly<Record<'sheet' | 'source' | 'collection' | 'link', string>>,
  stage: () => Promise<unknown>,
) {
  const rows = `#/sources/${given.source}/rows`
  const screens: Picture[] = [
    {
      name: 'console',
      width: 1260,
      height: 740,
      at: '#/sources/new',
      prepare: async (page) => {
        const input = (await page.waitForSelector('input[type=file]'))!
        await (input as unknown as { uploadFile(file: string): Promise<void> }).uploadFile(
          given.sheet,
        )
        await page.waitForSelector('.grid-cell.invalid')
        await page.waitForNetworkIdle()
      },
    },
    { name: 'door', at: '#/home', isSignedOut: true },
    { name: 'list', at: '#/sources', height: 420, of: '.main' },
    {
      name: 'chosen',
      at: '#/sources',
      prepare: (page) => page.locator('thead .tick input').click(),
      of: '.list',
    },
    { name: 'places', at: '#/sources', height: 760, of: '.side' },
    {
      name: 'row-menu',
      at: '#/connections',
      height: 360,
      prepare: press('What can be done with Formulaires de démonstration'),
      of: '.main',
    },
    { name: 'empty', at: '#/shapes', height: 420, of: '.main' },
    {
      name: 'column-menu',
      at: rows,
      prepare: async (page) => {
        await press('What can be done with Client')(page)
        await page.waitForNetworkIdle()
      },
      of: '.main',
    },
    { name: 'table', at: `#/sources/${given.source}/loads`, of: '.table-box' },
    { name: 'dialog', at: rows, height: 460, prepare: press('Export'), of: 'dialog' },
    { name: 'grid', at: rows, height: 560, of: '.grid-box' },
    { name: 'grid-dark', at: rows, height: 560, isDark: true, of: '.grid-box' },
    { name: 'profiles', at: `#/sources/${given.source}/summary`, height: 800, of: '.table-box' },
    { name: 'slots', at: `#/collections/${given.collection}`, of: '.list' },
    { name: 'sender', at: given.link, width: 640, height: 620 },
    { name: 'phone', at: '#/home', width: 390, height: 700 },
    {
      name: 'changes',
      at: `#/sources/${given.source}/changes`,
      height: 800,
      prepare: async (page) => {
        await stage()
        await page.reload()
        await page.waitForSelector('.grid-row.added')
      },
      of: '.grid-box',
    },
  ]
  return screens
}

function press(name: string) {
  return async (page: Page): Promise<void> => {
    await page.locator(`::-p-aria(${name}[role="button"])`).click()
  }
}

function salesForm(): FormData {
  const form = new FormData()
  form.set('source', 'file')
  form.set('name', 'Ventes du trimestre')
  form.set('tableName', 'ventes_trimestre')
  form.set('options', JSON.stringify({ onInvalid: 'skip' }))
  form.set('file', new Blob([SALES]), 'ventes trimestre.csv')
  return form
}

/** Most rows are gone, one is spelled otherwise. */
function fewerSalesForm(): FormData {
  const form = new FormData()
  form.set('publish', 'false')
  form.set('options', JSON.stringify({ onInvalid: 'skip' }))
  const rows = SALES.split('\n').slice(0, 40).join('\n').replace('Café du Port', 'Café du port')
  form.set('file', new Blob([rows]), 'ventes avril.csv')
  return form
}

type Answer = Readonly<Record<string, unknown>>

function firstOf({ items }: Answer): Answer {
  return (items as readonly Answer[])[0]!
}

function askerOf(address: string) {
  return async (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const isForm = body instanceof FormData
    const answer = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
}

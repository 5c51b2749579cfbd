import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import { expect } from 'chai'
import type { Browser, Page } from 'puppeteer-core'

import { openBrowser } from '../../benchmarks/support/open-browser.ts'
import { until } from './patience.ts'

/** Far more than any screen takes; a way that fails says so before anybody has left. */
const PATIENCE_MS = 45_000

let tried: Promise<(() => Promise<Browser>) | null> | undefined

/** Null where no browser can start, which is said, and is an error where one is demanded. Tried once a process. */
export const findBrowser = (): Promise<(() => Promise<Browser>) | null> => (tried ??= tryBrowser())

async function tryBrowser(): Promise<(() => Promise<Browser>) | null> {
  try {
    const browser = await openBrowser()
    await browser.close()
    return openBrowser
  } catch (error) {
    if (process.env['BROWSER_REQUIRED'] === 'true') throw error
    process.stderr.write(
      `No browser can start here, so the console is not tested: ${String(error)}\n`,
    )
    return null
  }
}

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** A page that remembers whatever should not happen in it. */
export interface WatchedPage {
  readonly page: Page
  /** What was written to the console, thrown, refused by the policy or asked of another origin. */
  readonly faults: readonly string[]
  /** Waits until no request is under way. */
  settle(): Promise<void>
  /** Fails on whatever keeps somebody from using what is shown. */
  expectAccessible(what: string): Promise<void>
  /** By what assistive technology calls it. */
  click(role: 'button' | 'link' | 'menuitem', name: string): Promise<void>
  fill(name: string, text: string): Promise<void>
  choose(selector: string, value: string): Promise<void>
  /** Waits until the text stands somewhere on the page, whatever its spaces are. */
  see(text: string): Promise<void>
  open(path: string): Promise<void>
}

export async function openPage(
  browser: Browser,
  address: string,
  language: 'en' | 'fr' = 'en',
): Promise<WatchedPage> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.setViewport({ width: 1280, height: 860 })
  await page.evaluateOnNewDocument(`
    localStorage.setItem('console.language', '"${language}"')
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error('refused by the policy: ' + event.violatedDirective + ' ' + event.blockedURI)
    })`)
  const faults: string[] = []
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => faults.push(`thrown: ${String(error)}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(?:data|blob):/.test(url)) {
      faults.push(`asked of another origin: ${url}`)
    }
  })
  const settle = () => page.waitForNetworkIdle({ idleTime: 200 })
  const named = (role: string, name: string) => page.locator(`::-p-aria(${name}[role="${role}"])`)
  return {
    page,
    faults,
    settle,
    async see(text) {
      const spaced = (words: string) => `${words}.replaceAll(/[\\u00a0\\u202f]/g, ' ')`
      const isShown = `${spaced('document.body.innerText')}.includes(${spaced(JSON.stringify(text))})`
      const look = async () => (await page.evaluate(isShown)) === true
      await until(`«${text}» on the page`, look, PATIENCE_MS).catch(async (cause: unknown) => {
        const shown = await page.evaluate('document.body.innerText')
        throw new Error(`«${text}» is not on the page, but this is:\n${String(shown)}`, { cause })
      })
    },
    async expectAccessible(what) {
      await settle()
      // It stays in the page while that shows something else.
      if (!(await page.evaluate('globalThis.axe !== undefined'))) await page.evaluate(axeSource)
      // Of what is as it has to be, it need not say where it stands.
      const only = JSON.stringify({ resultTypes: ['violations'] })
      const found = await page.evaluate(`axe.run(${only}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`)
      expect(found, what).to.deep.equal([])
    },
    click: (role, name) => named(role, name).click(),
    fill: (name, text) => named('textbox', name).fill(text),
    async choose(selector, value) {
      await page.waitForSelector(selector)
      await page.select(selector, value)
    },
    async open(path) {
      await page.goto(`${address}/console/#/${path}`)
      await settle()
    },
  }
}

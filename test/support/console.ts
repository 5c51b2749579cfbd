import { scryptSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import type { Browser } from 'puppeteer-core'

import { makeFolder } from './folder.ts'
import type { TestApp } from './app.ts'
import { openPage, type WatchedPage } from './browser.ts'
import type { Factories } from './factories.ts'
import { eventually } from './patience.ts'

export const PASSWORD = 'a long password for the console'
/** Cheap to check, since nobody guesses here; that others are not is tested elsewhere. */
const PASSWORD_HASH = `scrypt$16$8$1$c2FsdA==$${scryptSync(PASSWORD, 'salt', 32, { N: 16, r: 8, p: 1 }).toString('base64')}`

/** The console of a service in a browser: whoever signs in, and what a person does there. */
export function useConsole(app: TestApp, open: () => Promise<Browser>) {
  let browser: Browser
  let folder: string
  const opened: WatchedPage[] = []

  before('opens the browser', async () => {
    browser = await open()
    folder = await makeFolder('console')
  })
  after('closes the browser', async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })
  afterEach('looks for what should not have happened', async function () {
    const pages = opened.splice(0)
    for (const { page } of pages) await page.browserContext().close()
    if (!this.currentTest?.isPassed()) return
    for (const { faults } of pages) expect(faults).to.deep.equal([])
  })

  async function visit(language: 'en' | 'fr'): Promise<WatchedPage> {
    const way = await openPage(browser, app.address, language)
    opened.push(way)
    await way.open('')
    return way
  }

  return {
    visit,
    async signIn(email: string, language: 'en' | 'fr' = 'en'): Promise<WatchedPage> {
      const way = await visit(language)
      await way.fill(language === 'en' ? 'Email address' : 'Adresse électronique', email)
      await way.page.type('input[name=password]', PASSWORD)
      await way.click('button', language === 'en' ? 'Sign in' : 'Se connecter')
      await way.page.waitForSelector('nav a[aria-current=page]')
      return way
    },
    /** Somebody who can sign in. */
    user: (given: Parameters<Factories['user']>[0] = {}) =>
      app.build.user({ ...given, passwordHash: PASSWORD_HASH }),
    async fileOf(name: string, content: string | Uint8Array): Promise<string> {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
  }
}

export async function chooseFile({ page }: WatchedPage, path: string): Promise<void> {
  const input = await page.waitForSelector('input[type=file]')
  await (input as unknown as { uploadFile(file: string): Promise<void> }).uploadFile(path)
}

/** The address of another part of the source that is shown. */
export function tabOf({ page }: WatchedPage, tab: string): string {
  const [, uuid] = /#\/sources\/([0-9a-f-]{36})/.exec(page.url())!
  return `sources/${uuid}/${tab}`
}

/** Waits until the list of the screen has so many. */
export const seeRows = ({ page }: WatchedPage, count: number): Promise<void> =>
  eventually(async () => {
    expect(await page.$$('main tbody tr')).to.have.length(count)
  })

/** Out of what can be done with a thing, but is not in sight. */
export async function chooseDeed(way: WatchedPage, thing: string, deed: string): Promise<void> {
  await way.click('button', `What can be done with ${thing}`)
  await way.click('menuitem', deed)
}

/** Browsers write every refusal to their console, also one that a way is about. */
export const expectRefusals = (way: WatchedPage, status: number): void =>
  expectFaults(way, `status of ${status}`)

export function expectFaults({ faults }: WatchedPage, text: string): void {
  const kept = faults.filter((fault) => !fault.includes(text))
  ;(faults as string[]).splice(0, faults.length, ...kept)
}

/** Goes on with the Tab key until it has reached what is meant. */
export async function tabTo({ page }: WatchedPage, selector: string): Promise<void> {
  const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`
  for (let step = 0; step < 80; step++) {
    if (await page.evaluate(isThere)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${selector}`)
}

export async function pressOn(way: WatchedPage, selector: string): Promise<void> {
  await tabTo(way, selector)
  await way.page.keyboard.press('Enter')
}

/** Waits until the dialog has the keyboard: a key pressed before that goes on in it to the next field. */
export async function openDialog(way: WatchedPage, selector: string): Promise<void> {
  await pressOn(way, selector)
  await way.page.waitForSelector('dialog:modal :focus')
}

export async function openMenu(way: WatchedPage, selector: string): Promise<void> {
  await pressOn(way, selector)
  await way.page.waitForSelector('[role=menu] :focus')
}

export async function tabBackTo(way: WatchedPage, selector: string): Promise<void> {
  await way.page.keyboard.down('Shift')
  await tabTo(way, selector)
  await way.page.keyboard.up('Shift')
}

import { expect } from 'chai'
import ExcelJS from 'exceljs'

import { type Formulaires, startFormulaires } from '../../src/simulator/formulaires.ts'
import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { chooseFile, expectRefusals, tabOf, useConsole } from '../support/console.ts'

const WIDTHS = [390, 800, 1400] as const
const LANGUAGES = ['fr', 'en'] as const

type Language = (typeof LANGUAGES)[number]
type Forms = string | Readonly<Record<string, string>>

const open = await findBrowser()

/** What the console says under a key. */
async function wordsOf(language: Language) {
  const path = `../../src/console/words/${language}.js`
  const words = ((await import(path)) as Record<string, Record<string, Forms>>)[language]!
  return (key: string, values: Readonly<Record<string, string | number>> = {}) => {
    const entry = words[key]!
    const { count } = values
    const form = new Intl.PluralRules(language).select(Number(count ?? 1))
    const text = typeof entry === 'string' ? entry : (entry[form] ?? entry['other']!)
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  }
}

/** Three months; two dates of the last one are written alike and are none. */
async function workbook(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook()
  for (const [at, month] of ['Janvier', 'Février', 'Mars'].entries()) {
    const sheet = book.addWorksheet(month)
    sheet.addRow(['Client', 'Jour', 'Montant'])
    for (let row = 1; row <= 12; row++) {
      const isWrong = at === 2 && row > 10
      const day = isWrong ? '31/02/2026' : `${String(row).padStart(2, '0')}/0${at + 1}/2026`
      sheet.addRow([`Client ${row}`, day, row * 10])
    }
  }
  return new Uint8Array(await book.xlsx.writeBuffer())
}

/** What is cut off at the right, where nothing can be moved into sight. */
const CUT_OFF = `[...document.querySelectorAll('main :is(button, a, input, select, p, figcaption)')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => !one.closest('.grid-box, .table-box, .tabs, .hidden-text'))
  .map(({ textContent }) => textContent.trim()).join(' | ')`

const APRIL = 'Client;Jour;Montant TTC\nAnne;01/04/2026;12,5\nBruno;02/04/2026;30\n'

if (open !== null) {
  describe('a month of an administrator, in a browser', () => {
    let simulator: Formulaires
    before('starts a forms application', async () => {
      simulator = await startFormulaires({ responsesPerForm: 20 })
    })
    const app = useApp({ env: () => ({ OUTBOUND_ALLOW: new URL(simulator.url).host }) })
    after('stops the forms application', () => simulator.close())
    const { signIn, user, fileOf } = useConsole(app, open)

    /** Fits every width, and can be used by everybody at one of them, in turn. */
    function looker(way: WatchedPage, language: Language) {
      let turn = LANGUAGES.indexOf(language)
      return async (what: string) => {
        const own = WIDTHS[turn++ % WIDTHS.length]!
        await way.page.setViewport({ width: own, height: 860 })
        await way.expectAccessible(`${what}, ${language}, ${own}`)
        for (const width of [own, ...WIDTHS.filter((one) => one !== own)]) {
          await way.page.setViewport({ width, height: 860 })
          const over = await way.page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expect(over, `${what}, ${language}, ${width}`).to.be.at.most(0)
          expect(await way.page.evaluate(CUT_OFF), `${what}, ${language}, ${width}`).to.equal('')
        }
        await way.page.setViewport({ width: 1280, height: 860 })
      }
    }

    const submit = (way: WatchedPage) => way.page.locator('dialog button[type=submit]').click()

    for (const language of LANGUAGES) {
      it(`goes from a workbook to a collection and a schedule (${language})`, async () => {
        const say = await wordsOf(language)
        const owner = await user()
        const client = app.client.as(owner)
        await app.build.connection({
          enterprise: owner.enterprise!,
          name: 'Formulaires',
          baseUrl: simulator.url,
          apiKey: simulator.apiKey,
        })
        const way = await signIn(owner.email, language)
        const look = looker(way, language)
        await look('home, where nothing is yet')

        await way.open('sources/new')
        await chooseFile(way, await fileOf('ventes.xlsx', await workbook()))
        await way.page.waitForSelector('.grid-row')
        await look('the sheet before it is loaded')
        await way.click('button', say('sheets.several'))
        await way.see(say('sheets.load', { count: 3 }))
        await way.page.locator('dialog select').fill('skip')
        await look('several sheets at once')
        await submit(way)
        await way.see(say('sheets.loaded', { count: 3 }))
        await way.open('sources')
        await look('the sources')

        const { items } = (await client.get('/sources')).body as {
          items: { uuid: string; tableName: string; rejectedCount: number }[]
        }
        const march = items.find(({ tableName }) => tableName === 'ventes_mars')!
        expect(march.rejectedCount).to.equal(2)
        await way.open(`sources/${march.uuid}/rejects`)
        await way.see(say('walk.of', { at: 1, count: 2 }))
        await look('the rejects')
        await way.click('button', say('next'))
        await way.fill(say('walk.instead'), '28/03/2026')
        await way.click('button', say('walk.mendAlike', { count: 2 }))
        await way.click('button', say('rejects.send', { count: 2 }))
        await way.see(say('rejects.none'))

        await way.open(tabOf(way, 'rows'))
        await way.page.waitForSelector('.grid-row')
        await look('the rows')
        await way.click('button', say('reload'))
        await chooseFile(way, await fileOf('avril.csv', APRIL))
        await way.page.waitForSelector('dialog select[aria-label*="Montant TTC"]')
        await look('headers beside columns')
        await way.page.select('dialog select[aria-label*="Montant TTC"]', 'column:Montant')
        await submit(way)
        await way.see(say('reload.staged'))
        await way.page.waitForSelector('.grid-row')
        await look('what would change')
        await way.click('button', say('load.publish'))
        await submit(way)
        await way.see(say('load.published'))
        await way.click('button', say('undo'))
        await way.see(say('load.rolledBack'))
        await way.open(tabOf(way, 'loads'))
        await look('the loads')
        const { body } = await client.get(`/sources/${march.uuid}`)
        expect(body['rowCount']).to.equal(12)

        await way.open('collections')
        await way.click('button', say('collection.new'))
        await way.fill(say('name'), 'Ventes des boutiques')
        await way.page.waitForSelector(`dialog option[value="${march.uuid}"]`)
        await way.page.select('dialog select', march.uuid)
        await way.fill(say('collection.senders'), 'lyon;Boutique de Lyon;lyon@example.test')
        await way.fill(say('collection.periods'), 'avril\nmai')
        await look('a new collection')
        await submit(way)
        await way.see('/deliver/#')
        await look('the new links')
        await way.page.keyboard.press('Escape')
        // It leads to the board; an address that is asked for before is never seen to change.
        await way.page.waitForFunction(`location.hash.startsWith('#/collections/')`)
        await way.see(say('collection.addSenders'))
        await way.open('collections')
        await way.click('link', 'Ventes des boutiques')
        await way.see('Boutique de Lyon')
        await look('the board of a collection')

        const { title } = simulator.forms[0]!
        await way.open('sources/new')
        await way.click('button', say('newSource.from.form'))
        await way.click('button', `${say('choose')} ${title}`)
        await way.page.waitForSelector('.grid-row')
        await way.choose('form.panel select', 'null')
        await way.click('button', say('newSource.load'))
        await way.see(say('newSource.done', { name: title }))
        await way.open(tabOf(way, 'schedule'))
        await way.choose('form.panel select', 'weekday')
        await way.see(say('schedule.nextRuns'))
        await way.click('button', say('save'))
        await way.see(say('schedule.set'))
        await look('the schedule')
        // What is not there yet is asked for, and the browser writes it down.
        expectRefusals(way, 404)

        for (const part of ['home', 'jobs', 'shapes', 'audit']) {
          await way.open(part)
          await look(part)
        }
        await way.see(say('audit.action.schedule.set'))
      })
    }
  })
}

import { expect } from 'chai'
import ExcelJS from 'exceljs'

import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { chooseFile, expectRefusals, tabOf, useConsole } from '../support/console.ts'

/** The third line is blank, and is dropped. */
const SALES = [
  'Ventes du mois de mars;;',
  'Date;Client;Montant',
  '',
  '03/03/2026;Galerie Martin;1 240,50',
  '11/03/2026;Hôtel des Îles;3 980,00',
  '12/03/2026;Café du Port;86,00',
  '27/03/2026;Mairie de Sète;12 400,00',
  '',
].join('\n')

const open = await findBrowser()

if (open !== null) {
  describe('the sheet of a new source in a browser', () => {
    const app = useApp()
    const { signIn, user, fileOf } = useConsole(app, open)

    async function see(content: string, language: 'en' | 'fr' = 'en'): Promise<WatchedPage> {
      const way = await signIn((await user()).email, language)
      await way.open('sources/new')
      await chooseFile(way, await fileOf('ventes.csv', content))
      await way.page.waitForSelector('.grid-row')
      await way.settle()
      return way
    }

    const gutter = ({ page }: WatchedPage) =>
      page.$$eval('.grid-body .grid-gutter', (cells) =>
        cells.map(({ textContent }) => textContent.trim()),
      )

    const activate = async ({ page }: WatchedPage, text: string) => {
      await page.locator(`::-p-xpath(//*[@role="gridcell"][contains(., "${text}")])`).click()
    }

    const tableRows = (way: WatchedPage) =>
      way.page.$eval('.facts', ({ textContent }) => textContent.trim())

    it('takes the line that is meant where blank lines are dropped', async () => {
      const way = await see(SALES)
      expect(await gutter(way)).to.deep.equal(['title 1', 'header 2', '4', '5', '6', '7'])
      await activate(way, 'Café du Port')
      await way.click('button', 'Row 6')
      await way.expectAccessible('what can be said of a row')
      await way.click('menuitem', 'The last row of the table')
      await way.settle()
      expect(await gutter(way)).to.deep.equal(['title 1', 'header 2', '4', '5', '6', 'note 7'])
      expect(await tableRows(way)).to.match(/2–6|4–6/)

      await way.click('button', 'Find the table again')
      await way.settle()
      await activate(way, 'Hôtel des Îles')
      await way.click('button', 'Row 5')
      await way.click('menuitem', 'The first row of the table')
      await way.settle()
      expect(await gutter(way)).to.include('header 2')
      expect(await gutter(way)).to.include('5')
      expect(await gutter(way)).not.to.include('4')
      await way.see('Montant')
    })

    it('shows one number for one row where all cells are figures', async () => {
      const way = await see('1;2;3\n4;5;x\n7;8;9\n10;11;12\n')
      await activate(way, '4')
      await way.click('button', 'Row 2')
      await way.click('menuitem', 'The header is here')
      await way.settle()
      expect((await gutter(way)).slice(0, 3)).to.deep.equal(['title 1', 'header 2', '3'])

      const numbers = await see('2021;2022;2023\n4;5;6\n7;8;9\n10;11;12\n')
      expect(await gutter(numbers)).to.deep.equal(['header 1', '2', '3', '4'])
      await numbers.page.select('.column-head select', 'date')
      await numbers.settle()
      await numbers.click('button', 'Load the table')
      const refusal = await numbers.page.waitForSelector('[role=alert]')
      expect(await refusal!.evaluate(({ textContent }) => textContent)).to.include('line 2')
      expect(
        await numbers.page.$eval('.grid-cell.invalid', (cell) =>
          cell.parentElement!.querySelector('.grid-gutter')!.textContent.trim(),
        ),
      ).to.equal('2')
      expectRefusals(numbers, 400)
    })

    it('counts the rows of a document, of which many share a line', async () => {
      const owner = await user()
      const way = await signIn(owner.email)
      await way.open('sources/new')
      const rows = Array.from({ length: 30 }, (_, at) => ({
        n: at === 7 ? 'sept' : at,
        v: `v${at}`,
      }))
      await chooseFile(way, await fileOf('rows.json', JSON.stringify(rows)))
      await way.page.waitForSelector('.grid-row')
      await way.settle()
      await way.page.select('.column-head select', 'number')
      await way.settle()
      expect((await gutter(way)).slice(0, 3)).to.deep.equal(['1', '2', '3'])
      await way.click('button', 'Load the table')
      await way.see('1 of 1')
      await way.fill('Write instead', '7')
      await way.page.keyboard.press('Enter')
      await way.see('1 correction:')
      await way.click('button', 'Load the table')
      await way.see('rows is loaded.')
      const { body } = await app.client.as(owner).get('/sources')
      expect((body['items'] as object[])[0]).to.include({ rowCount: 30, rejectedCount: 0 })
      expectRefusals(way, 400)
    })

    it('says from the number of a row where the table is, with the keyboard too', async () => {
      const way = await see(SALES, 'fr')
      await way.click('button', '5')
      await way.page.waitForSelector('[role=menu]')
      await way.expectAccessible('the menu of a row')
      await way.page.keyboard.press('ArrowDown')
      await way.page.keyboard.press('Enter')
      await way.page.waitForSelector('[role=menu]', { hidden: true })
      await way.settle()
      expect(await gutter(way)).not.to.include('4')

      await activate(way, 'Café du Port')
      await way.page.keyboard.press('ContextMenu')
      await way.page.waitForSelector('[role=menu]')
      await way.page.keyboard.press('Escape')
      await way.page.waitForSelector('[role=menu]', { hidden: true })
      expect(await way.page.evaluate('document.activeElement.textContent.trim()')).to.equal(
        'Café du Port',
      )
    })

    it('draws what each column holds, before and after it is loaded', async () => {
      const rows = Array.from({ length: 90 }, (_, at) => {
        const day = `${String((at % 28) + 1).padStart(2, '0')}/03/2026`
        return `${day};${at % 3 === 0 ? 'Sète' : 'Agde'};${at % 30 === 0 ? '' : `${at}12,50`};oui`
      })
      const way = await see(`Jour;Ville;Montant;Payé\n${rows.join('\n')}\n`, 'fr')
      const shares = await way.page.$$eval('.column-head .share-bar', (bars) =>
        bars.map((bar) => bar.getAttribute('aria-label')),
      )
      expect(shares[2]).to.match(/^valides 96,7\s%, vides 3,3\s%$/)
      const pictures = await way.page.$$eval('.column-head :is(.picture svg, .frequent)', (drawn) =>
        drawn.map((one) => `${one.getAttribute('aria-label')} ${one.textContent}`),
      )
      expect(pictures[1]).to.match(/^Valeurs les plus fréquentes.*Agde66,7\s%$/)
      expect(pictures[2]).to.match(/^De 112,50 à 8\s912,50\./)
      await way.page.click('[aria-colindex="4"] .column-head button')
      await way.see('Les 90 lignes affichées')
      const picture = await way.page.$eval('dialog svg[role=img]', (svg) => svg.ariaLabel)
      expect(picture).to.match(/^De 112,50 à 8\s912,50\./)
      await way.expectAccessible('the evidence with its picture')
      await way.page.keyboard.press('Escape')
      await way.click('button', 'Charger la table')
      await way.see('ventes est chargée.')
      await way.see('15/03/2026')
      const cells = () =>
        way.page.$$eval('.grid-body .grid-row:nth-child(2) [role=gridcell]', (row) =>
          row.map(({ textContent }) => textContent.trim().replaceAll(/\s/g, ' ')),
        )
      expect(await cells()).to.deep.equal(['02/03/2026', 'Agde', '112,50', 'Oui'])
      const grid = await way.page.waitForSelector('.grid-cell[data-active]')
      await grid!.click()
      await way.page.evaluate(
        `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }`,
      )
      await way.page.keyboard.down('Control')
      await way.page.keyboard.press('a')
      await way.page.keyboard.press('c')
      await way.page.keyboard.up('Control')
      await way.page.waitForFunction('globalThis.copied !== undefined')
      expect(await way.page.evaluate('copied.split("\\n")[1]')).to.equal(
        '2026-03-02\tAgde\t112.50\ttrue',
      )

      await way.open(tabOf(way, 'summary'))
      await way.page.waitForSelector('.picture svg')
      await way.see('Agde')
      await way.see('8\u202f912,50')
      await way.expectAccessible('the summary with its pictures')
      await way.page.setViewport({ width: 390, height: 800 })
      await way.expectAccessible('the summary on a phone')
      await way.page.setViewport({ width: 1280, height: 860 })
      // What is seen there leads to its rows.
      await way.click('link', 'Agde')
      await way.see('60 lignes remplissent les conditions.')
      await way.page.goBack()
      await way.click('link', '3')
      await way.see('3 lignes remplissent les conditions.')
    })

    async function workbook(): Promise<Uint8Array> {
      const book = new ExcelJS.Workbook()
      const months = [
        ['Janvier', 3],
        ['Février', 5],
        ['Mars', 2],
      ] as const
      for (const [month, rows] of months) {
        const sheet = book.addWorksheet(month)
        sheet.addRow(['Client', 'Montant'])
        for (let row = 1; row <= rows; row++) sheet.addRow([`${month} ${row}`, row])
      }
      return new Uint8Array(await book.xlsx.writeBuffer())
    }

    it('shows the sheets of a workbook as tabs with their rows, and loads several in one go', async () => {
      const owner = await user()
      const way = await signIn(owner.email)
      await way.open('sources/new')
      await chooseFile(way, await fileOf('ventes.xlsx', await workbook()))
      await way.see('Janvier 3 rows')
      await way.see('Février 5 rows')
      await way.see('Mars 2 rows')
      // The tabs say which sheets were not read.
      expect(await way.page.$('.notice.warn')).to.equal(null)
      await way.click('link', 'Février 5 rows')
      await way.see('Février 4')
      await way.expectAccessible('the sheets as tabs')
      await way.click('button', 'Several sheets at once')
      await way.see('Load 3 sheets')
      await way.expectAccessible('several sheets at once')
      await way.page.setViewport({ width: 390, height: 800 })
      await way.expectAccessible('several sheets on a phone')
      await way.page.setViewport({ width: 1280, height: 860 })
      await way.page.click('dialog li:nth-child(2) input[type=checkbox]')
      await way.click('button', 'Load 2 sheets')
      await way.see('2 sheets are loaded.')
      await way.see('ventes Mars')
      const { body } = await app.client.as(owner).get('/sources')
      const sources = body['items'] as { name: string; tableName: string; rowCount: number }[]
      expect(
        sources
          .map(({ name, tableName, rowCount }) => `${name} ${tableName} ${rowCount}`)
          .toSorted(),
      ).to.deep.equal(['ventes Janvier ventes_janvier 3', 'ventes Mars ventes_mars 2'])
    })

    it('names, describes, orders and leaves out columns before they are loaded', async () => {
      const owner = await user()
      const way = await signIn(owner.email, 'fr')
      await way.open('sources/new')
      const file = 'Client;Montant;Interne\nAnne;10,5;x\nBruno;12;y\n'
      await chooseFile(way, await fileOf('ventes.csv', file))
      await way.page.waitForSelector('.grid-row')
      await way.settle()
      const examine = (at: number) => way.page.click(`[aria-colindex="${at}"] .column-head button`)
      await examine(3)
      await way.fill('Nom de la colonne', 'Montant TTC')
      await way.fill('Description', 'En euros')
      await way.click('button', 'Plus à gauche')
      await way.expectAccessible('what is made of a column')
      await way.page.keyboard.press('Escape')
      await examine(4)
      await way.page.click('dialog fieldset input[type=checkbox]')
      await way.page.keyboard.press('Escape')
      await way.page.waitForSelector('.column-head.left-out')
      await way.click('button', 'Comme dans la table')
      const heads = await way.page.$$eval('.column-head strong', (names) =>
        names.map(({ textContent }) => textContent),
      )
      expect(heads).to.deep.equal(['Montant TTC', 'Client'])
      await way.click('button', 'Charger la table')
      await way.see('ventes est chargée.')
      const client = app.client.as(owner)
      const { body } = await client.get('/sources')
      const [{ uuid }] = body['items'] as [{ uuid: string }]
      const data = await client.get(`/sources/${uuid}/data`)
      expect(data.body['items']).to.deep.equal([
        { 'Montant TTC': 10.5, Client: 'Anne' },
        { 'Montant TTC': 12, Client: 'Bruno' },
      ])
      const shape = await client.get(`/sources/${uuid}/shape`)
      expect(shape.body['left']).to.deep.equal(['Interne'])
      expect(shape.body['columns'][0]).to.deep.include({
        name: 'Montant TTC',
        column: 'montant',
        description: 'En euros',
        aliases: ['Montant'],
      })
      await way.see('Montant TTC')
    })
  })
}

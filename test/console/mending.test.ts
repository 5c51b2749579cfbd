import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { chooseFile, expectRefusals, tabOf, useConsole } from '../support/console.ts'
import { created, createFromFile } from '../support/sources.ts'

/** Three dates that nothing reads, two of them written alike. */
const SALES = [
  'Date;Client;Montant',
  ...Array.from({ length: 20 }, (_, at) => `0${(at % 9) + 1}/03/2026;Client ${at};${at},50`),
  'inconnue;Galerie Martin;1,00',
  '31/02/2026;Café du Port;2,00',
  'inconnue;Mairie de Sète;3,00',
  '',
].join('\n')

const open = await findBrowser()

if (open !== null) {
  describe('mending what does not fit, in a browser', () => {
    const app = useApp()
    const { signIn, user, fileOf } = useConsole(app, open)

    const column = (way: WatchedPage, at: number) =>
      way.page.$$eval(`.grid-body [aria-colindex="${at}"]`, (cells) =>
        cells.map(({ textContent }) => textContent.trim()),
      )

    it('keeps corrections that were not sent through a change of tab and of place', async () => {
      const owner = await user()
      const fields = {
        name: 'Ventes',
        options: { onInvalid: 'skip', columns: [{ name: 'Date', type: 'date' }] },
      }
      const source = await created(createFromFile(app.client.as(owner), SALES, fields))
      expect(source['rejectedCount']).to.equal(3)
      const way = await signIn(owner.email)
      await way.open(`sources/${source.uuid}/rejects`)
      await way.see('1 of 3')
      await way.expectAccessible('the walk through the rejects')
      await way.click('button', 'Next')
      await way.page.waitForSelector('.grid-cell.invalid[data-active]')
      await way.fill('Write instead', '15/03/2026')
      await way.click('button', 'Correct all 2 alike')
      await way.see('1 of 1')
      await way.see('Send 2 corrections')
      await way.click('link', 'Summary')
      await way.see('Distinct')
      await way.click('link', 'Documents')
      await way.see('Drop files here')
      await way.open(`sources/${source.uuid}/rejects`)
      await way.see('Send 2 corrections')
      expect(await column(way, 4)).to.include('15/03/2026')
      await way.click('button', 'Make blank')
      await way.see('Send 3 corrections')
      await way.click('button', 'Send 3 corrections')
      await way.see('3 corrected rows are in the table.')
      await way.see('No rejects: all rows are in the table.')
    })

    it('corrects cells before the table is loaded, one or all that are written alike', async () => {
      const way = await signIn((await user()).email, 'fr')
      await way.open('sources/new')
      await chooseFile(way, await fileOf('ventes.csv', SALES))
      await way.page.waitForSelector('.grid-row')
      await way.settle()
      await way.page.select('.column-head select', 'date')
      await way.see('1 sur 3')
      await way.click('button', 'Suivant')
      await way.fill('Écrire à la place', '15/03/2026')
      await way.click('button', 'Corriger les 2 identiques')
      await way.see('1 sur 1')
      await way.fill('Écrire à la place', '28/02/2026')
      await way.page.keyboard.press('Enter')
      await way.page.waitForSelector('.walk', { hidden: true })
      expect((await column(way, 2)).slice(-3)).to.deep.equal([
        '15/03/2026',
        '28/02/2026',
        '15/03/2026',
      ])
      await way.click('link', 'Documents')
      await way.see('Déposez des fichiers ici')
      await way.open('sources/new')
      await way.see('2 corrections')
      await way.expectAccessible('the corrections before the load')
      await way.click('button', 'Charger la table')
      await way.see('ventes est chargée.')
      await way.see('Résumé')
      await way.open(tabOf(way, 'rejects'))
      await way.see('Aucun rejet')
      await way.open(tabOf(way, 'rows'))
      await way.settle()
      expect(await column(way, 2)).to.include('28/02/2026')
    })

    it('walks through the cells of a refusal, also of rows that are out of sight', async () => {
      const way = await signIn((await user()).email)
      await way.open('sources/new')
      const many = SALES.trimEnd()
      const rows = Array.from({ length: 300 }, (_, at) => `05/03/2026;Client;${at}`)
      await chooseFile(
        way,
        await fileOf('many.csv', `${many}\n${rows.join('\n')}\nplus tard;Fin;1\n`),
      )
      await way.page.waitForSelector('.grid-row')
      await way.settle()
      await way.page.select('.column-head select', 'date')
      await way.see('1 of 3')
      await way.settle()
      await way.click('button', 'Load the table')
      await way.see('1 of 4')
      await way.page.setViewport({ width: 390, height: 800 })
      await way.expectAccessible('the walk on a phone')
      await way.click('button', 'Previous')
      await way.see('plus tard')
      await way.click('button', 'Make blank')
      await way.see('1 correction:')
      expectRefusals(way, 400)
    })
  })
}

import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { chooseDeed, chooseFile, expectRefusals, useConsole } from '../support/console.ts'
import { created, createFromFile } from '../support/sources.ts'

const MARCH = 'Client;Montant;Jour\nAnne;10,50;01/03/2026\nBruno;-3;02/03/2026\n;45;03/03/2026\n'
/** One column is called otherwise, one is new, and one cell is no date. */
const APRIL = 'client;Montant TTC;Jour;Notes\nAnne;12,50;01/04/2026;ok\nClaire;30;31/04/2026;ok\n'

const DATES = { columns: [{ name: 'Jour', type: 'date' }] }

const open = await findBrowser()

if (open !== null) {
  describe('what a source expects, in a browser', () => {
    const app = useApp()
    const { signIn, user, fileOf } = useConsole(app, open)

    async function sales(language: 'en' | 'fr' = 'en') {
      const owner = await user()
      const client = app.client.as(owner)
      const source = await created(
        createFromFile(client, MARCH, { name: 'Ventes', options: DATES }),
      )
      const way = await signIn(owner.email, language)
      return { client, source, way }
    }

    const answer = (way: WatchedPage, header: string, value: string) =>
      way.choose(`select[aria-label="${header}"]`, value)

    it('shows headers beside columns, and checks the file, before it is loaded', async () => {
      const { way, source, client } = await sales('fr')
      await way.open(`sources/${source.uuid}/rows`)
      await way.click('button', 'Recharger')
      await chooseFile(way, await fileOf('avril.csv', APRIL))
      await way.see('à peu près le nom')
      await way.see('à confirmer')
      await way.see('nouvelle colonne')
      await way.expectAccessible('the headers beside the columns')
      await way.page.setViewport({ width: 390, height: 800 })
      await way.expectAccessible('the headers on a phone')
      await way.page.setViewport({ width: 1280, height: 860 })
      await way.see('Sans en-tête : Montant')
      await answer(way, 'Colonne de Montant TTC', 'column:Montant')
      await way.see('choisi')
      expect(await way.page.evaluate('document.body.innerText')).not.to.include('Sans en-tête')
      await answer(way, 'Colonne de Notes', 'left')
      await way.click('button', 'Vérifier d’abord le fichier')
      await way.see('1 cellule est à corriger')
      await way.see('31/04/2026')
      await way.expectAccessible('what the check found')
      await way.page.evaluate(
        `HTMLAnchorElement.prototype.click = function () { globalThis.saved = this.download }`,
      )
      await way.click('button', 'Reprendre le fichier, annoté')
      await way.page.waitForFunction(`globalThis.saved === 'À corriger - avril.xlsx'`)

      await way.page.click('dialog button.plain')
      await chooseFile(way, await fileOf('mai.csv', APRIL.replace('31/04', '30/04')))
      await way.see('à confirmer')
      await answer(way, 'Colonne de Montant TTC', 'column:Montant')
      await answer(way, 'Colonne de Notes', 'left')
      await way.click('button', 'Vérifier d’abord le fichier')
      await way.see('Rien à corriger')
      await way.page.click('dialog button[type=submit]')
      await way.see('Le chargement attend votre décision.')
      await way.click('button', 'Publier')
      await way.page.click('dialog button[type=submit]')
      await way.see('C’est publié.')
      const { body } = await client.get(`/sources/${source.uuid}/shape`)
      const [, amount] = body['columns'] as { name: string; aliases: string[] }[]
      expect(amount).to.deep.include({ name: 'Montant', aliases: ['Montant TTC'] })
      expect(body['left']).to.deep.equal(['Notes'])
    })

    it('asks where a load waits what only people can know', async () => {
      const { way, source, client } = await sales()
      await way.open(`sources/${source.uuid}/rows`)
      await way.click('button', 'Reload')
      const file = APRIL.replace(';Notes', '').replaceAll(';ok', '').replace('31/04', '30/04')
      await chooseFile(way, await fileOf('april.csv', file))
      await way.see('to confirm')
      await answer(way, 'Column of Montant TTC', '')
      await way.page.click('dialog button[type=submit]')
      await way.see('The load waits for your decision.')
      await way.click('button', 'Publish')
      await way.see('Montant TTC')
      await way.page.select('dialog select', 'column:Montant')
      await way.expectAccessible('the questions of a load')
      await way.page.click('dialog button[type=submit]')
      await way.see('Published.')
      const { body } = await client.get(`/sources/${source.uuid}/data`)
      expect((body['items'] as { Montant: number }[])[0]!.Montant).to.equal(12.5)
    })

    it('tells who has looked at an earlier version what has changed, and shows the file anew', async () => {
      const { way, source, client } = await sales()
      await way.open(`sources/${source.uuid}/rows`)
      await way.click('button', 'Reload')
      const file = APRIL.replace('31/04', '30/04')
      await chooseFile(way, await fileOf('april.csv', file))
      await way.see('to confirm')
      const path = `/sources/${source.uuid}/shape`
      const [name, amount, day] = (await client.get(path)).body['columns'] as { name: string }[]
      const renamed = { ...amount, name: 'Total' }
      await client.patch(path, { columns: [name, renamed, day] })
      await way.page.click('dialog button[type=submit]')
      await way.see('“Montant” is called “Total”')
      expectRefusals(way, 412)
      await way.page.waitForSelector('dialog option[value="column:Total"]')
      await answer(way, 'Column of Montant TTC', 'column:Total')
      await answer(way, 'Column of Notes', 'left')
      await way.page.click('dialog button[type=submit]')
      await way.see('The load waits for your decision.')
    })

    it('lets rules be written in words, and counts what they would break before they are kept', async () => {
      const { way, source, client } = await sales()
      await way.open(`sources/${source.uuid}/shape`)
      await way.see('This source expects files that look like its table.')
      await way.expectAccessible('what a source expects')
      await way.click('button', 'Rules Montant')
      await way.choose('dialog select', 'minimum')
      await way.fill('Value', '0')
      await way.see('1 loaded row breaks it')
      await way.see('-3')
      await way.expectAccessible('the rules of a column')
      await way.click('button', 'Add the rule')
      await way.see('is at least 0')
      await way.click('button', 'Save')
      await way.see('Saved.')
      await way.click('button', 'Rules Client')
      await way.see('1 loaded row breaks it')
      await way.choose('dialog select', 'matches')
      await way.fill('Value', '[')
      await way.page.waitForSelector('dialog .field-error')
      expectRefusals(way, 400)
      await way.fill('Value', '^[A-Z]')
      await way.see('nothing loaded breaks it')
      await way.click('button', 'Save')
      await way.page.waitForSelector('dialog', { hidden: true })
      await way.see('matches ^[A-Z]')
      const { body } = await client.get(`/sources/${source.uuid}/shape`)
      const rules = (body['columns'] as { rules: object[] }[]).map((column) => column.rules)
      expect(rules).to.deep.equal([[{ matches: '^[A-Z]' }], [{ minimum: 0 }], []])
    })

    it('changes columns, shares the shape, and lists it with its template', async () => {
      const { way, source, client } = await sales()
      await way.open(`sources/${source.uuid}/shape`)
      await chooseDeed(way, 'Montant', 'Change')
      await way.fill('Name', 'Montant TTC')
      await way.fill('Description', 'Toutes taxes comprises')
      await way.page.type('dialog textarea', 'Total\nMontant')
      await way.expectAccessible('a column that is expected')
      await way.click('button', 'Save')
      await way.see('Toutes taxes comprises')
      await chooseDeed(way, 'Jour', 'Move up')
      await way.page.waitForFunction(
        `document.querySelector('main tbody tr:nth-child(2) th').textContent.trim().startsWith('Jour')`,
      )
      await way.click('button', 'Rules of the rows')
      await way.choose('dialog .form-line .field:nth-of-type(2) select', 'Client')
      await way.choose('dialog .form-line .field:nth-of-type(3) select', '!=')
      await way.choose('dialog .form-line .field:nth-of-type(4) select', 'Client')
      await way.expectAccessible('the rules of the rows')
      await way.choose('dialog .form-line select', 'unique')
      await way.page.click('dialog [role=group] input[type=checkbox]')
      await way.click('button', 'Add the rule')
      await way.see('Client: only once together')
      await way.click('button', 'Save')
      await way.page.waitForSelector('dialog', { hidden: true })
      await way.choose('main select', 'ask')
      await way.see('version 6')
      await way.click('button', 'Share this shape')
      await way.page.click('dialog button[type=submit]')
      await way.see('This source shares the shape')
      const { body } = await client.get(`/sources/${source.uuid}/shape`)
      expect(body).to.deep.include({ name: 'Ventes', unknown: 'ask' })
      expect(body['rules']).to.deep.equal([{ unique: ['Client'] }])
      const columns = body['columns'] as { name: string; column: string; aliases: string[] }[]
      expect(columns.map(({ name, column }) => `${name} ${column}`)).to.deep.equal([
        'Client client',
        'Jour jour',
        'Montant TTC montant',
      ])
      expect(columns[2]!.aliases).to.deep.equal(['Total', 'Montant'])

      await way.open('shapes')
      await way.see('Ventes')
      await way.expectAccessible('the shapes')
      await way.click('link', 'Ventes')
      await way.see('Template as a workbook')
      await way.page.evaluate(
        `HTMLAnchorElement.prototype.click = function () { globalThis.saved = this.download }`,
      )
      await way.page.evaluate('window.showSaveFilePicker = undefined')
      await way.page.waitForSelector('.toasts .notice', { hidden: true })
      await way.click('button', 'Template as a workbook')
      await way.page.waitForFunction(`globalThis.saved === 'Ventes.xlsx'`)
      await way.page.setViewport({ width: 390, height: 800 })
      await way.expectAccessible('a shape on a phone')
      await way.page.setViewport({ width: 1280, height: 860 })
      await way.open('shapes')
      await chooseDeed(way, 'Ventes', 'Delete')
      await way.page.click('dialog button[type=submit]')
      await way.page.waitForSelector('dialog [role=alert]')
      expectRefusals(way, 409)
      await way.page.keyboard.press('Escape')
      await way.open(`sources/${source.uuid}/shape`)
      await way.click('button', 'Stop sharing')
      await way.see('This source expects files that look like its table.')
    })

    it('takes a new file as a shared shape has it, and checks it by its rules first', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const made = await client.post('/shapes', {
        name: 'Ventes',
        columns: [
          { name: 'Client', type: 'text', rules: [{ required: true }] },
          { name: 'Montant', type: 'number', aliases: ['Total'], rules: [{ minimum: 0 }] },
          { name: 'Jour', type: 'date', dateFormat: 'DD/MM/YYYY' },
        ],
      })
      expect(made.status).to.equal(201)
      const way = await signIn(owner.email, 'fr')
      await way.open('sources/new')
      await chooseFile(way, await fileOf('mars.csv', MARCH.replace('Montant', 'Total')))
      await way.page.waitForSelector('form.panel select')
      await way.settle()
      await way.choose('form.panel select', made.body['uuid'] as string)
      await way.see('retenu')
      await way.click('button', 'Vérifier d’abord le fichier')
      await way.see('2 cellules sont à corriger')
      await way.see('est au moins × 1')
      await way.see('est toujours là × 1')
      await way.expectAccessible('a check before the first load')
      await way.see('1 sur 2')
      await way.click('button', 'Suivant')
      await way.see('est en dessous de 0')
      await way.fill('Écrire à la place', '3')
      await way.click('button', 'Corriger')
      await way.see('1 sur 1')
      await way.click('button', 'Charger la table')
      await way.see('mars est chargée.')
      const { body } = await client.get('/sources')
      expect((body['items'] as object[])[0]).to.include({ rowCount: 2, rejectedCount: 1 })
    })
  })
}

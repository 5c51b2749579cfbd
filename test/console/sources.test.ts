import { expect } from 'chai'

import { startFormulaires } from '../../src/simulator/formulaires.ts'
import { useAppWithForms } from '../support/app.ts'
import { findBrowser } from '../support/browser.ts'
import { chooseDeed, chooseFile, expectRefusals, tabOf, useConsole } from '../support/console.ts'
import { created, createFromFile, reloadWith } from '../support/sources.ts'

const SALES = [
  'Ventes du mois de mars;;',
  'Date;Client;Montant',
  '03/03/2026;Galerie Martin;1 240,50',
  '11/03/2026;Hôtel des Îles;3 980,00',
  '31/02/2026;Café du Port;86,00',
  '27/03/2026;Mairie de Sète;12 400,00',
  '28/03/2026;Librairie;45,00',
  '29/03/2026;Librairie;47,00',
  '',
].join('\n')

const open = await findBrowser()

if (open !== null) {
  describe('sources in a browser', () => {
    const { app, forms: simulator } = useAppWithForms(() =>
      startFormulaires({ responsesPerForm: 40 }),
    )
    const { signIn, user, fileOf } = useConsole(app, open)

    it('makes a table of a file, shows what does not fit, and takes its correction', async () => {
      const { email } = await user()
      const way = await signIn(email)
      await way.see('Where to begin')
      await way.expectAccessible('home, where nothing is yet')
      await way.open('sources')
      await way.see('No source yet')
      await way.open('sources/new')
      await way.see('OpenDocument (.ods), Parquet')
      await chooseFile(way, await fileOf('ventes.csv', SALES))
      await way.see('1 cell does not fit')
      await way.see('Ventes du mois de mars')
      const kinds = await way.page.$$eval('.grid-row', (rows) =>
        rows.map(({ className }) => className),
      )
      expect(kinds.slice(0, 3)).to.deep.equal(['grid-row title', 'grid-row header', 'grid-row '])
      expect(
        await way.page.$eval('.grid-cell.invalid', ({ textContent }) => textContent.trim()),
      ).to.equal('31/02/2026')
      await way.expectAccessible('the new source')

      await way.click('button', 'Load the table')
      const refusal = await way.page.waitForSelector('[role=alert]')
      expect(await refusal!.evaluate(({ textContent }) => textContent)).to.include('31/02/2026')
      await way.expectAccessible('the refusal and what would help')
      await way.click('button', 'Leave 1 row out, to be corrected and sent again.')
      await way.see('ventes is loaded.')
      await way.see('Mairie de Sète')
      await way.click('button', 'Filter the rows')
      await way.choose('form.form-line select', 'Client')
      await way.fill('Value', 'sete')
      await way.expectAccessible('the rows')
      await way.click('button', 'Add the condition')
      await way.see('1 row meets the conditions.')
      await way.click('button', 'Remove Client contains sete')
      await way.see('Galerie Martin')

      await way.open(tabOf(way, 'rejects'))
      await way.see('Download as a workbook')
      await way.see('31/02/2026')
      await way.page.click('.grid-cell.invalid', { count: 2 })
      await way.page.waitForSelector('.grid-cell input:focus')
      await way.page.keyboard.type('28/02/2026')
      await way.page.keyboard.press('Enter')
      await way.expectAccessible('the rejects')
      await way.click('button', 'Send 1 correction')
      await way.see('1 corrected row is in the table.')
      await way.see('No rejects: all rows are in the table.')
      expectRefusals(way, 400)
    })

    it('says of a correction that it was rejected again', async () => {
      const owner = await user()
      const fields = { name: 'Ventes', options: { onInvalid: 'skip' } }
      const source = await created(createFromFile(app.client.as(owner), SALES, fields))
      const way = await signIn(owner.email)
      await way.open(`sources/${source.uuid}/rejects`)
      await way.see('31/02/2026')
      await way.page.click('.grid-cell.invalid', { count: 2 })
      await way.page.waitForSelector('.grid-cell input:focus')
      await way.page.keyboard.type('30/02/2026')
      await way.page.keyboard.press('Enter')
      await way.click('button', 'Send 1 correction')
      await way.see('1 row was rejected again')
      await way.see('30/02/2026')
      expect(await way.page.evaluate('document.body.innerText')).not.to.include('in the table')

      const mended = 'Date,Client,Montant\n28/02/2026,Café du Port,"86,00"\n'
      await way.settle()
      await way.page.click('summary')
      await chooseFile(way, await fileOf('rejects.csv', mended))
      await way.see('1 corrected row is in the table.')
    })

    it('says in words how a file was taken, and counts what does not fit', async () => {
      const owner = await user()
      const way = await signIn(owner.email, 'fr')
      await way.open('sources/new')
      const rows = Array.from({ length: 60 }, (_, at) => (at % 20 === 7 ? 'env. 3' : String(at)))
      await chooseFile(way, await fileOf('mesures.csv', `Mesure;Lieu\n${rows.join(';a\n')};a\n`))
      await way.see('3 exceptions')
      await way.click('button', '3 exceptions')
      await way.see('entiers, ou à point')
      const evidence = await way.page.$eval('dialog', ({ textContent }) => textContent)
      expect(evidence).not.to.match(/\b(?:plain|number)\b/)
      await way.page.keyboard.press('Escape')

      await way.click('button', 'Reprendre avec un autre')
      await chooseFile(way, await fileOf('vide.csv', 'Mesure;Lieu\n'))
      await way.see('vide.csv')
      await way.see('0 ligne')
      expect(await way.page.evaluate('document.body.innerText')).not.to.include('null')
    })

    it('shows every part of a source, and the way back', async () => {
      const { email } = await user()
      const way = await signIn(email)
      await way.open('sources/new')
      await chooseFile(way, await fileOf('clients.csv', 'Nom;Ville\nAnne;Sète\nBruno;Agde\n'))
      await way.see('2 rows in all')
      await way.click('button', 'Load the table')
      await way.see('clients is loaded.')
      await way.open(tabOf(way, 'summary'))
      await way.see('Bruno')
      await way.see('0 0%')
      await way.expectAccessible('the summary')

      await way.click('button', 'Reload')
      await chooseFile(way, await fileOf('clients-2.csv', 'Nom;Ville\nAnne;Sète\nClaire;Lyon\n'))
      await way.see('clients-2.csv')
      await way.expectAccessible('reloading')
      await way.page.click('dialog button[type=submit]')
      await way.see('The load waits for your decision.')
      await way.see('Claire')
      const changes = await way.page.$$eval('.grid-row', (rows) =>
        rows.map(({ className }) => className),
      )
      expect(changes).to.deep.equal(['grid-row removed', 'grid-row added'])
      await way.expectAccessible('the changes')
      await way.open(tabOf(way, 'rows'))
      await way.see('Load 2 waits for your decision.')
      await way.click('link', 'Look at the changes')
      await way.click('button', 'Publish')
      await way.page.click('dialog button[type=submit]')
      await way.see('Published.')
      await chooseDeed(way, 'clients', 'Settings')
      await way.page.locator('dialog input[type=number]').fill('3')
      await way.page.click('dialog button[type=submit]')
      await way.see('Saved.')
      await way.open(tabOf(way, 'loads'))
      await chooseDeed(way, '1', 'Back to this state')
      await way.expectAccessible('the confirmation')
      await way.page.click('dialog button[type=submit]')
      await way.see('The earlier state is shown.')
      await way.open(tabOf(way, 'rows'))
      await way.see('Bruno')
      for (const tab of ['access', 'report']) {
        await way.open(tabOf(way, tab))
        await way.expectAccessible(tab)
      }
    })

    it('folds most of the rows that a load would remove, so that what it adds is in sight', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const rows = Array.from({ length: 360 }, (_, at) => `Client ${at};${at}`)
      const source = await created(
        createFromFile(client, `Nom;Montant\n${rows.join('\n')}\n`, { name: 'Clients' }),
      )
      const sent = 'Nom;Montant\nClient 7;7\nClaire;1\nDenis;2\n'
      await reloadWith(() => client)(source.uuid as string, sent, { publish: 'false' })
      const way = await signIn(owner.email)
      const { page } = way
      await way.open(`sources/${source.uuid}/changes`)
      await way.see('349 more removed rows')
      await way.see('Claire')
      await way.see('Denis')
      const kinds = () =>
        page.$$eval('.grid-row', (found) =>
          found.map(({ className }) => className.replace('grid-row ', '')),
        )
      expect(await kinds()).to.deep.equal([...Array(10).fill('removed'), 'fold', 'added', 'added'])
      const seen = await page.evaluate(`(() => {
        const row = document.querySelector('.grid-row.removed')
        const { textDecorationLine } = getComputedStyle(row.querySelector('[role=gridcell]'))
        return [row.querySelector('.grid-gutter').textContent.trim(), textDecorationLine]
      })()`)
      expect(seen).to.deep.equal(['− removed', 'line-through'])
      for (const value of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
        await way.expectAccessible(`the changes, ${value}`)
      }
      await page.click('.grid-row.fold .grid-cell:not(.grid-gutter)')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.grid-row.fold', { hidden: true })
      expect(await page.$eval('.grid-box', (grid) => grid.getAttribute('aria-rowcount'))).to.equal(
        '362',
      )
    })

    it('takes a form as it takes a file, and launches it as a workflow', async () => {
      const owner = await user()
      await app.build.connection({
        enterprise: owner.enterprise!,
        name: 'Formulaires',
        baseUrl: simulator().url,
        apiKey: simulator().apiKey,
      })
      const { title } = simulator().forms[0]!
      const way = await signIn(owner.email)
      await way.open('connections')
      await way.click('button', 'Try Formulaires')
      await way.see('Formulaires answers')
      await way.expectAccessible('the connections')

      await way.open('sources/new')
      await way.click('button', 'Form')
      await way.click('button', `Choose ${title}`)
      await way.see('first 20 rows shown')
      await way.expectAccessible('the form')
      await way.choose('form.panel select', 'null')
      await way.click('button', 'Load the table')
      await way.see(`${title} is loaded.`)
      await way.see(`Form · ${title}`)
      await way.open(tabOf(way, 'schedule'))
      await way.choose('form.panel select', 'week')
      await way.see('The next three times, by your clock:')
      await way.choose('form.panel select', 'cron')
      await way.fill('When', '30 5 * * 2')
      await way.click('button', 'Save')
      await way.see('The source is reloaded by itself.')
      await way.see('each Tuesday at 05:30')
      await way.expectAccessible('the schedule')
      // What is not there yet is asked for, and the browser writes it down.
      expectRefusals(way, 404)

      await way.open('workflows')
      await way.click('button', 'New workflow')
      await way.fill('Name', 'Relances')
      await way.page.click('dialog button[type=submit]')
      await way.see('Choose a source to see its first rows')
      await way.click('button', 'Choose the source')
      await way.click('button', `Choose ${title}`)
      await way.see('First rows')
      await way.expectAccessible('the workflow')
      await way.open('jobs')
      await way.see('Creating a source')
      await way.expectAccessible('the jobs')
    })

    it('leaves whoever has gone on where they are when a load ends', async () => {
      const { email } = await user()
      const way = await signIn(email)
      await way.open('sources/new')
      await chooseFile(way, await fileOf('lente.csv', 'Nom;Ville\nAnne;Sète\nBruno;Agde\n'))
      await way.see('2 rows in all')
      let goOn = () => {}
      await way.page.setRequestInterception(true)
      way.page.on('request', (request) => {
        const isLoad = request.method() === 'POST' && request.url() === `${app.address}/sources`
        if (isLoad) goOn = () => void request.continue()
        else void request.continue()
      })
      const held = way.page.waitForRequest(`${app.address}/sources`)
      await way.click('button', 'Load the table')
      await held
      await way.page.evaluate(`location.hash = '#/account'`)
      await way.see('Change the password')
      goOn()
      await way.see('lente is loaded.')
      expect(new URL(way.page.url()).hash).to.equal('#/account')
    })
  })
}

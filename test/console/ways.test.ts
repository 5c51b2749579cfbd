import { truncate } from 'node:fs/promises'

import { expect } from 'chai'

import { startFormulaires } from '../../src/simulator/formulaires.ts'
import { useAppWithForms } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import {
  chooseDeed,
  chooseFile,
  expectFaults,
  expectRefusals,
  PASSWORD,
  openDialog,
  openMenu,
  tabBackTo,
  tabOf,
  pressOn,
  tabTo,
  useConsole,
} from '../support/console.ts'
import { eventually } from '../support/patience.ts'
import { created, createFromFile } from '../support/sources.ts'

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
  describe('the console in a browser', () => {
    const { app, forms: simulator } = useAppWithForms(() =>
      startFormulaires({ responsesPerForm: 40 }),
    )
    const { visit, signIn, user, fileOf } = useConsole(app, open)

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
      await way.page.click('summary')
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

    it('says of an upload in parts that it is lost only while it is', async () => {
      const { email } = await user()
      const way = await signIn(email)
      const told = await way.page.evaluate(`(async () => {
        const main = document.querySelector('script[type=module][src]').src
        const { uploadInParts } = await import(new URL('core/uploads.js', main))
        const told = []
        const onProgress = (...all) => told.push(all)
        await uploadInParts(new File(['a'.repeat(9_000_000)], 'large.csv'), { onProgress })
        return told
      })()`)
      const all = told as [bytes: number, total: number, stall: string | null][]
      expect(all.at(-1)).to.deep.equal([9_000_000, 9_000_000, null])
      expect(all.filter(([, , stall]) => stall !== null)).to.deep.equal([])
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

      await way.click('button', 'Un autre fichier')
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

    it('lets a client keep documents in folders, and nothing else', async () => {
      const enterprise = await app.build.enterprise()
      await app.build.folder({ enterprise, name: 'Contrats' })
      const { email } = await user({ role: 'client', enterprise, name: 'Chloé' })
      const way = await signIn(email, 'fr')
      await way.see('Déposez des fichiers ici')
      const parts = way.page.$$eval('nav a', (links) =>
        links.map((link) => link.textContent.trim()),
      )
      expect(await parts).to.deep.equal(['Documents', 'Dossiers'])
      await way.click('button', 'Chloé')
      await way.click('link', 'Mon compte')
      await way.see('Changer de mot de passe')
      await way.page.goBack()
      await chooseFile(way, await fileOf('été 2026.txt', 'bonjour'))
      await way.see('été 2026.txt est envoyé.')
      await way.expectAccessible('the documents')
      await app.database.pool.query(`delete from documents where original_name like 'été%'`)
      await way.click('button', 'Télécharger été 2026.txt')
      await way.see('Numéro de la requête')
      expectRefusals(way, 404)
      await sendInParts(way)
      await way.open('folders')
      await way.see('Contrats')
      await way.expectAccessible('the folders')
    })

    /** The connection is lost after the first part; the page is loaded again, and goes on. */
    async function sendInParts(way: WatchedPage) {
      const { page } = way
      const path = await fileOf('archives.bin', '')
      await truncate(path, 65 * 1024 * 1024)
      const devTools = await page.createCDPSession()
      await devTools.send('Network.enable')
      await devTools.send('Network.setBlockedURLs', { urls: ['*/storage/uploads/*/2?*'] })
      await chooseFile(way, path)
      await way.see('La connexion est coupée')
      await page.waitForFunction(`sessionStorage.getItem('console.uploads').includes('"done":[1]')`)
      await page.reload()
      await way.see('1 sur 2 parties')
      await devTools.send('Network.setBlockedURLs', { urls: [] })
      await chooseFile(way, path)
      await way.see('archives.bin est envoyé.')
      expectFaults(way, 'ERR_BLOCKED_BY_CLIENT')
    }

    it('lets a super-admin make a root folder and delete it for good', async () => {
      const enterprise = await app.build.enterprise({ name: 'Atelier Bleu' })
      const { email } = await user({ role: 'super-admin' })
      const way = await signIn(email)
      await way.open('enterprises')
      await way.see(enterprise.name)
      await way.expectAccessible('the enterprises')
      await way.click('button', 'New enterprise')
      await way.fill('Name', 'Atelier Rouge')
      await way.page.click('dialog button[type=submit]')
      await way.see('Atelier Rouge')
      await way.click('link', 'Users of Atelier Rouge')
      await way.click('button', 'New user')
      await way.fill('Name', 'Noé Garnier')
      await way.fill('Email address', 'noe@rouge.test')
      await way.page.click('dialog button[type=submit]')
      await way.see('Give Noé Garnier this password')
      await way.expectAccessible('the password that was made up')
      await way.click('button', 'Close')
      await chooseDeed(way, 'Noé Garnier', 'Disable')
      await way.page.click('dialog button[type=submit]')
      await way.see('Disabled')
      await way.page.setViewport({ width: 390, height: 800 })
      await way.expectAccessible('the users on a phone')
      await way.page.setViewport({ width: 1280, height: 860 })

      await way.open('enterprises')
      await way.click('button', `Create the root folder ${enterprise.name}`)
      await way.page.click('dialog button[type=submit]')
      await way.see('No folder here.')
      await chooseDeed(way, enterprise.name, 'Delete for good')
      await way.fill(`To confirm, write ${enterprise.name}`, enterprise.name)
      await way.expectAccessible('the deletion')
      await way.page.click('dialog button[type=submit]')
      await way.see('The folder is erased')
      await way.page.keyboard.press('Escape')

      await way.open('account')
      await way.fill('Name', 'Import')
      await way.click('button', 'Create a token')
      await way.see('Copy this token')
      await way.page.type('input[autocomplete=current-password]', PASSWORD)
      await way.page.type('input[autocomplete=new-password]', `${PASSWORD} of today`)
      await way.click('button', 'Save')
      await way.see('The password is changed')
      await way.expectAccessible('the account')
    })

    it('can be used with the keyboard alone', async () => {
      const { email } = await user()
      const way = await signIn(email)
      const { keyboard } = way.page
      await way.open('sources/new')
      await chooseFile(
        way,
        await fileOf('clavier.csv', `Nom;Ville\nAnne;Sète\n${'Bruno;Agde\n'.repeat(100_000)}`),
      )
      await way.see('Seen in the beginning of the file')
      expect(await way.page.$eval('.facts', ({ textContent }) => textContent)).to.not.include(
        'gzip',
      )
      await way.page.focus('form.panel input')
      await keyboard.press('Enter')
      await way.see('clavier is loaded.')
      await way.page.waitForSelector('.grid-cell[data-active]')
      await tabTo(way, '.grid-cell[data-active]')
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowRight')
      await eventually(async () => {
        const focused = await way.page.evaluate('document.activeElement.textContent.trim()')
        expect(focused).to.equal('Agde')
      })
      await tabTo(way, 'a.skip')
      await pressOn(way, 'main summary')
      await tabTo(way, 'main details button[type=submit]')
      await tabBackTo(way, 'main details input')
      await keyboard.type('anne')
      await keyboard.press('Enter')
      await way.see('1 row meets the conditions.')
      await pressOn(way, 'main .chip')
      await way.page.waitForSelector('main .chip', { hidden: true })
    })

    it('lets a super-admin make an enterprise and a user with the keyboard alone', async () => {
      const { email } = await user({ role: 'super-admin' })
      const way = await signIn(email)
      const { keyboard } = way.page
      await way.open('enterprises')
      await openDialog(way, 'main button.primary')
      await keyboard.type('Atelier du clavier')
      await keyboard.press('Enter')
      await way.see('Saved.')
      await tabTo(way, 'main input[type=search]')
      await keyboard.type('clavier')
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 1`)
      await pressOn(way, 'main td a')
      await way.see('Users of Atelier du clavier')
      await openDialog(way, 'main button.primary')
      await keyboard.type('Anne Clavier')
      await tabTo(way, 'dialog input[type=email]')
      await keyboard.type('anne@clavier.test')
      await keyboard.press('Enter')
      await way.see('Give Anne Clavier this password')
      await keyboard.press('Escape')
      await way.page.waitForSelector('dialog', { hidden: true })
      await openMenu(way, 'main td button.more')
      await keyboard.press('End')
      await keyboard.press('Enter')
      await way.page.waitForSelector('dialog:modal :focus')
      await pressOn(way, 'dialog button[type=submit]')
      await way.see('Disabled')
    })

    it('fits a phone, in both languages, in the light and in the dark', async () => {
      const owner = await user()
      await app.build.connection({ enterprise: owner.enterprise!, name: 'Formulaires de Sète' })
      await app.build.enterprise({ name: `Communauté d’agglomération ${'de la Baie '.repeat(8)}` })
      const fields = { name: 'Ventes', options: { onInvalid: 'skip' } }
      const source = await created(createFromFile(app.client.as(owner), SALES, fields))
      const parts = [
        'home',
        'sources',
        'sources/new',
        `sources/${source.uuid}/rows`,
        `sources/${source.uuid}/rejects`,
        'workflows',
        'connections',
        'jobs',
        'audit',
        'documents',
        'folders',
        'enterprises',
        'users',
        'account',
      ]
      for (const language of ['fr', 'en'] as const) {
        const { email } = await user({ role: 'super-admin' })
        const way = await signIn(email, language)
        await way.page.setViewport({ width: 390, height: 800 })
        for (const part of parts) {
          await way.open(part)
          // What is folded away is looked at, too.
          await way.page.evaluate(
            `for (const details of document.querySelectorAll('main details')) details.open = true`,
          )
          for (const value of ['light', 'dark']) {
            await way.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
            await way.expectAccessible(`${part} ${language} ${value}`)
          }
          const overflow = await way.page.evaluate(
            'document.documentElement.scrollWidth - innerWidth',
          )
          expect(overflow, `${part} ${language}`).to.be.at.most(0)
        }
        expectRefusals(way, 404)
      }
    })

    it('says that there is no page at an address that it does not know', async () => {
      const { email } = await user()
      const way = await signIn(email)
      for (const address of ['nowhere', 'users', 'connections/nowhere']) {
        await way.open('account')
        await way.see('Change the password')
        await way.open(address)
        await way.see('There is no such page')
        await way.expectAccessible(address)
      }
    })

    it('says what is wrong with a field until it is another, and again if that is no better', async () => {
      const { email } = await user()
      const way = await signIn(email)
      await way.open('connections')
      await way.click('button', 'New connection')
      await way.fill('Name', 'Forms')
      await way.fill('Address', 'ftp://forms.example')
      await way.page.type('dialog input[type=password]', 'a-key-that-is-long-enough')
      for (const next of ['ftp://forms.example/2', 'https://forms.example']) {
        await way.page.click('dialog button[type=submit]')
        await way.page.waitForSelector('dialog .field-error')
        await way.fill('Address', next)
        await way.page.waitForSelector('dialog .field-error', { hidden: true })
      }
      expectRefusals(way, 400)
    })

    it('copies a token that is shown once', async () => {
      const { email } = await user()
      const way = await signIn(email)
      const context = way.page.browserContext()
      await context.overridePermissions(app.address, [
        'clipboard-read',
        'clipboard-write',
        'clipboard-sanitized-write',
      ])
      await way.open('account')
      await way.fill('Name', 'the script')
      await way.click('button', 'Create a token')
      await way.see('Copy this token')
      await way.click('button', 'Copy Access tokens')
      await way.see('Copied.')
      const shown = await way.page.$eval('.notice pre', ({ textContent }) => textContent)
      expect(await way.page.evaluate('navigator.clipboard.readText()')).to.equal(shown)
    })

    it('keeps what can be done with a row in sight on a phone', async () => {
      const owner = await user({ role: 'super-admin' })
      await app.build.connection({ name: 'Formulaires de la Communauté d’agglomération' })
      const way = await signIn(owner.email, 'fr')
      await way.page.setViewport({ width: 390, height: 800 })
      for (const part of ['connections', 'users']) {
        await way.open(part)
        await way.page.waitForSelector('main td button')
        const outside = await way.page.$$eval('main td button', (buttons) =>
          buttons
            .filter((button) => {
              const { left, right } = button.getBoundingClientRect()
              return left < 0 || right > 390
            })
            .map(({ textContent }) => textContent.trim()),
        )
        expect(outside, part).to.deep.equal([])
      }
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

    it('says why somebody may not sign in', async () => {
      const way = await visit('en')
      await way.fill('Email address', 'nobody@example.com')
      await way.page.type('input[name=password]', 'wrong')
      await way.click('button', 'Sign in')
      await way.page.waitForSelector('[role=alert]')
      await way.expectAccessible('the way in')
      expectRefusals(way, 401)
    })
  })
}

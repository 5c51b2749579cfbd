import { truncate } from 'node:fs/promises'

import { expect } from 'chai'

import { startFormulaires } from '../../src/simulator/formulaires.ts'
import { useAppWithForms } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { chooseDeed, chooseFile, expectRefusals, seeRows, useConsole } from '../support/console.ts'
import { eventually } from '../support/patience.ts'
import { created, createFromFile, freshTableName, reloadWith } from '../support/sources.ts'

const SALES = `Date;Montant\n31/02/2026;30\n${'03/03/2026;40\n'.repeat(9)}`
const LARGE_BYTES = 20 * 1024 * 1024

const open = await findBrowser()

if (open !== null) {
  describe('the shell of the console in a browser', () => {
    const { app, forms: simulator } = useAppWithForms(() =>
      startFormulaires({ responsesPerForm: 3 }),
    )
    afterEach(() => simulator().faults.clear())
    const { signIn, user, fileOf } = useConsole(app, open)

    const textOf = ({ page }: WatchedPage, selector: string) =>
      page.$eval(selector, ({ textContent }) => textContent)

    it('does from the head of a column what can be done with it', async () => {
      const owner = await user()
      const shops = 'Shop;Amount\nRiver;10\nHarbour;30\nRiver;20\n;40\n'
      const source = await created(createFromFile(app.client.as(owner), shops, { name: 'Shops' }))
      const way = await signIn(owner.email)
      const { page } = way
      const cells = (column: number) =>
        page.$$eval(`.grid-body [aria-colindex="${column}"]`, (found) =>
          found.map(({ textContent }) => textContent.trim()),
        )
      const seeCells = (column: number, wanted: readonly string[]) =>
        eventually(async () => {
          expect(await cells(column)).to.deep.equal(wanted)
        })
      const openMenu = (name: string) => way.click('button', `What can be done with ${name}`)
      const choose = async (words: string) => {
        const item = `::-p-xpath(//*[@role="menuitem"][contains(., "${words}")])`
        await (await page.waitForSelector(item))!.click()
      }
      await way.open(`sources/${source.uuid}/rows`)
      await seeCells(3, ['10', '30', '20', '40'])
      await openMenu('Shop')
      await page.waitForFunction(`document.querySelector('.menu')?.textContent.includes('50%')`)
      await way.expectAccessible('the menu of a column')
      await choose('Only “River”')
      await seeCells(3, ['10', '20'])
      await page.click('button.chip')
      await seeCells(3, ['10', '30', '20', '40'])
      await openMenu('Shop')
      await choose('Only blank cells')
      await seeCells(3, ['40'])
      await page.click('button.chip')
      await openMenu('Amount')
      await choose('Sort downwards')
      await seeCells(3, ['40', '30', '20', '10'])
      await openMenu('Amount')
      await choose('In the order of the source')
      await seeCells(3, ['10', '30', '20', '40'])
      await openMenu('Shop')
      await choose('Hide this column')
      await seeCells(2, ['10', '30', '20', '40'])
      await page.reload()
      await seeCells(2, ['10', '30', '20', '40'])
      await openMenu('Amount')
      await page.waitForSelector('.menu')
      // The last one that is shown cannot be hidden.
      expect(await textOf(way, '.menu')).not.to.include('Hide')
      await choose('Filter by this column')
      await page.waitForFunction(
        `document.querySelector('form.form-line select')?.value === 'Amount'`,
      )
      await way.click('button', '1 hidden column, show it again')
      await seeCells(3, ['10', '30', '20', '40'])
      await way.open(`sources/${source.uuid}/rows?hide=["Gone","Shop","Amount"]`)
      await seeCells(3, ['10', '30', '20', '40'])
    })

    it('brings the spellings of a value together', async () => {
      const owner = await user()
      const shops = 'Shop;Amount\nCafé du Port;1\nRiver;2\nCAFE DU PORT;3\n'.concat(
        'Café du Port;4\nCAFE DU PORT;5\n',
      )
      const source = await created(createFromFile(app.client.as(owner), shops))
      const way = await signIn(owner.email)
      await way.open(`sources/${source.uuid}/rows`)
      await way.click('button', 'What can be done with Shop')
      const item = `::-p-xpath(//*[@role="menuitem"][contains(., "2 spellings")])`
      const found = await way.page.waitForSelector(item)
      expect(await found!.evaluate(({ textContent }) => textContent)).to.include('80%')
      await found!.click()
      await way.see('4 rows meet the conditions.')
    })

    it('gives a grid the width that there is, and no more', async () => {
      const owner = await user()
      const fields = { name: 'Ventes', options: { onInvalid: 'skip' } }
      const source = await created(createFromFile(app.client.as(owner), SALES, fields))
      const way = await signIn(owner.email)
      const widths = () =>
        way.page.$eval('.grid-box', (box) => [
          box.clientWidth - box.scrollWidth,
          box.clientWidth - box.querySelector('.grid-head')!.clientWidth,
        ])
      for (const width of [1280, 1900]) {
        await way.page.setViewport({ width, height: 860 })
        await way.open(`sources/${source.uuid}/rows`)
        await way.page.waitForSelector('.grid-row')
        await eventually(async () => {
          const [over, left] = await widths()
          expect(over).to.equal(0)
          expect(left).to.be.within(0, 2)
        })
      }
      await way.open('sources/new')
      await chooseFile(way, await fileOf('ventes.csv', SALES))
      await way.page.waitForSelector('.grid-row')
      await eventually(async () => {
        expect((await widths())[1]).to.be.within(0, 2)
      })
    })

    it('signs a second tab of the same browser in, and signs both out', async () => {
      const { email, name } = await user()
      const way = await signIn(email)
      const second = await way.page.browserContext().newPage()
      await second.setViewport({ width: 1280, height: 860 })
      await second.goto(`${app.address}/console/#/documents`)
      await second.waitForSelector('nav a[aria-current=page]')
      expect(await second.evaluate('document.body.innerText')).to.include(name)
      const kept = await second.evaluate('Object.keys(localStorage).join()')
      expect(kept).not.to.include('session')
      await way.click('button', name)
      await way.expectAccessible('the menu of the person')
      await way.click('button', 'Sign out')
      await second.waitForSelector('input[name=password]')
      await way.page.waitForSelector('input[name=password]')
    })

    it('lists what another tab of the same browser has changed', async () => {
      const owner = await user()
      await created(createFromFile(app.client.as(owner), 'A;B\n1;2\n', { name: 'Ventes' }))
      const way = await signIn(owner.email)
      await way.open('sources')
      await way.see('Ventes')
      const second = await way.page.browserContext().newPage()
      await second.goto(`${app.address}/console/#/sources`)
      await second.locator('::-p-aria(Ventes[role="link"])').click()
      await second.locator('::-p-aria(What can be done with Ventes[role="button"])').click()
      await second.locator('::-p-aria(Settings[role="menuitem"])').click()
      await second.locator('::-p-aria(Name[role="textbox"])').fill('Ventes de mars')
      await second.locator('dialog button[type=submit]').click()
      await second.waitForSelector('dialog', { hidden: true })
      await way.see('Ventes de mars')
    })

    it('shows what needs somebody and what happened lately, first of all', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const fields = { name: 'Ventes', options: { onInvalid: 'skip' } }
      const { uuid } = await created(createFromFile(client, SALES, fields))
      const changed = `Date;Montant\n${'30/02/2026;1\n'.repeat(2)}${'01/04/2026;5\n'.repeat(8)}`
      await reloadWith(() => client)(uuid, changed, { publish: 'false' })
      await app.build.connection({
        enterprise: owner.enterprise!,
        name: 'Formulaires',
        status: 'ERROR',
      })
      const way = await signIn(owner.email)
      await way.see('1 load waits for a decision')
      await way.see('1 source has rejects')
      await way.see('1 connection does not answer')
      await way.see('reload no. 2')
      await way.expectAccessible('home')
      await way.click('link', 'Ventes')
      await way.click('button', 'Publish')
      await way.page.click('dialog button[type=submit]')
      await way.see('Published.')
      await way.click('button', 'Undo')
      await way.see('The earlier state is shown.')
      await way.open(`sources/${uuid}/loads`)
      await way.see('Rows of the last 2 loads: 9 in the first, 8 in the last, 9 at most')
      await way.expectAccessible('the loads')
      await way.open(`sources/${uuid}/nowhere`)
      await way.see('There is no such page')
    })

    it('names in the jobs what each is about, leads there, and finds them', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const { uuid } = await created(
        createFromFile(client, 'Date;Montant\n03/03/2026;4\n', { name: 'Ventes' }),
      )
      await createFromFile(client, 'a;b\n1;2\n', { name: 'Autre', tableName: freshTableName() })
      const way = await signIn(owner.email)
      await way.open('jobs')
      await seeRows(way, 2)
      await way.choose('main .list select:nth-of-type(2)', 'source.reload')
      await way.see('Nothing matches')
      await way.page.goBack()
      await way.click('link', 'Ventes')
      await way.see('Date')
      expect(way.page.url()).to.include(uuid)
    })

    it('shows on every page what runs, and the way to stop it', async () => {
      const owner = await user()
      await app.database.pool.query(
        `insert into jobs (kind, owner_id, queued, status, about_name, bytes_read, bytes_total,
                           rows, process_id)
         values ('source.reload', $1, false, 'RUNNING', 'Ventes de mars', 40, 100, 1200,
                 (select max(id) from processes))`,
        [owner.id],
      )
      const way = await signIn(owner.email)
      for (const part of ['connections', 'documents']) {
        await way.open(part)
        await way.see('Ventes de mars')
        await way.see('1,200 rows')
      }
      const shown = await way.page.$eval('.running progress', ({ value }) => value)
      expect(shown).to.equal(0.4)
      await way.expectAccessible('what runs')
      await way.click('button', 'Cancel Ventes de mars')
      await eventually(async () => {
        const { rows: asked } = await app.database.pool.query<{ cancel_requested: boolean }>(
          'select cancel_requested from jobs where owner_id = $1',
          [owner.id],
        )
        expect(asked[0]!.cancel_requested).to.equal(true)
      })
    })

    it('goes on with an upload that is left, shows it in its folder, and keeps a large file once', async () => {
      const owner = await user()
      const folder = await app.build.folder({ enterprise: owner.enterprise!, name: 'Contrats' })
      const way = await signIn(owner.email)
      const path = await fileOf('grande.csv', '')
      await truncate(path, LARGE_BYTES)
      await way.open(`folders/${folder.uuid}`)
      const goOn = await holdParts(way)
      await chooseFile(way, path)
      await way.see('grande.csv')
      await way.page.evaluate(`location.hash = '#/documents'`)
      await way.see('No document')
      expect(await textOf(way, '.running')).to.include('grande.csv')
      expect(await textOf(way, 'body')).not.to.include('Interrupted')
      goOn()
      await way.see('grande.csv is uploaded.')
      await way.page.evaluate(`location.hash = '#/folders/${folder.uuid}'`)
      await way.see('Uploaded by')
      await seeRows(way, 1)
      await way.expectAccessible('a folder with a document')
      await chooseFile(way, path)
      await way.settle()
      const { rows: kept } = await app.database.pool.query('select from documents d')
      expect(kept).to.have.length(1)
    })

    it('goes on with the upload of a preview that is left, and is joined on the way back', async () => {
      const owner = await user()
      const way = await signIn(owner.email)
      const rowsOfIt = Array.from({ length: 60_000 }, (_, at) => ({ Client: `Client ${at}` }))
      const path = await fileOf('clients.json', JSON.stringify(rowsOfIt))
      await way.open('sources/new')
      const asked: string[] = []
      way.page.on('request', (request) => {
        if (request.url().includes('/documents/uploads')) asked.push(request.method())
      })
      const goOn = await holdParts(way)
      await chooseFile(way, path)
      await way.page.waitForSelector('.main progress')
      await way.page.evaluate(`location.hash = '#/documents'`)
      await way.see('No document')
      expect(await textOf(way, '.running')).to.include('clients.json')
      await way.page.evaluate(`location.hash = '#/sources/new'`)
      await way.page.waitForSelector('.main progress')
      await way.page.evaluate(`location.hash = '#/documents'`)
      await way.see('No document')
      goOn()
      await way.page.waitForSelector('.running', { hidden: true })
      await way.page.evaluate(`location.hash = '#/sources/new'`)
      await way.see('Client 1')
      expect(asked.filter((method) => method !== 'PUT')).to.deep.equal(['POST', 'POST'])
    })

    it('ends the upload of a draft that is discarded', async () => {
      const way = await signIn((await user()).email)
      const items = Array.from({ length: 60_000 }, (_, at) => ({ Client: `Client ${at}` }))
      await way.open('sources/new')
      const goOn = await holdParts(way)
      await chooseFile(way, await fileOf('quittés.json', JSON.stringify(items)))
      await way.page.waitForSelector('.main progress')
      await way.click('button', 'Discard')
      await eventually(async () => {
        const { rows: begun } = await app.database.pool.query('select from document_uploads')
        expect(begun).to.deep.equal([])
      })
      // The page hears of it a moment after the database.
      await way.page.waitForSelector('.running', { hidden: true })
      goOn()
    })

    /** Parts of uploads wait until the returned function is called. */
    async function holdParts({ page }: WatchedPage): Promise<() => void> {
      const held = Promise.withResolvers<void>()
      await page.setRequestInterception(true)
      page.on('request', (request) => {
        const isPart = request.method() === 'PUT'
        void (isPart ? held.promise : Promise.resolve()).then(() => request.continue())
      })
      return held.resolve
    }

    it('moves a folder, deletes it, and brings it back', async () => {
      const boss = await user({ role: 'super-admin' })
      const enterprise = await app.build.enterprise({ name: 'Atelier Vert' })
      const root = await app.build.folder({ enterprise, name: 'Atelier Vert' })
      const folder = await app.build.folder({ parent: root, name: 'Ventes 2026' })
      await app.build.folder({ parent: root, name: 'Archives' })
      const way = await signIn(boss.email)
      await way.open(`folders/${folder.uuid}`)
      await chooseDeed(way, 'Ventes 2026', 'Move')
      await way.click('button', 'Archives')
      await way.expectAccessible('moving a folder')
      await way.click('button', 'Put into Archives')
      await way.see('Ventes 2026 is moved.')
      await way.see('Archives')
      await chooseDeed(way, 'Ventes 2026', 'Delete')
      await way.page.click('dialog button[type=submit]')
      await way.see('Deleted.')
      await way.expectAccessible('a message that can be undone')
      await way.click('button', 'Undo')
      await way.see('Ventes 2026 is back.')
      expect(new URL(way.page.url()).hash).to.equal(`#/folders/${folder.uuid}`)
    })

    it('says to super-admins whose things are, and that a connection does not answer', async () => {
      const owner = await user()
      const { name } = owner.enterprise!
      await app.build.connection({
        enterprise: owner.enterprise!,
        name: 'Muette',
        baseUrl: simulator().url,
        apiKey: simulator().apiKey,
      })
      simulator().faults.add({ kind: 'status', status: 503 })
      await created(createFromFile(app.client.as(owner), 'a;b\n1;2\n', { name: 'Source' }))
      const way = await signIn((await user({ role: 'super-admin' })).email)
      await way.open('sources')
      await way.see(name)
      await way.open('connections')
      await way.see(name)
      await way.click('button', 'Try Muette')
      await way.see('Does not answer')
      await way.expectAccessible('a connection that does not answer')
      expectRefusals(way, 502)
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
  })
}

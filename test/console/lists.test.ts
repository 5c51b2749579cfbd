import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { openMenu, PASSWORD, seeRows, useConsole } from '../support/console.ts'
import { eventually } from '../support/patience.ts'
import { created, createFromFile, reloadWith } from '../support/sources.ts'

const SALES = `Date;Montant\n31/02/2026;30\n${'03/03/2026;40\n'.repeat(9)}`

const open = await findBrowser()

if (open !== null) {
  describe('the lists of the console in a browser', () => {
    const app = useApp()
    const { signIn, user } = useConsole(app, open)

    const textOf = ({ page }: WatchedPage, selector: string) =>
      page.$eval(selector, ({ textContent }) => textContent)

    it('keeps search, filter and page of a list through a reload and the way back', async () => {
      const owner = await user()
      const enterprise = owner.enterprise!
      for (let at = 0; at < 23; at++) {
        const status = at === 22 ? ('ERROR' as const) : ('ACTIVE' as const)
        await app.build.connection({ enterprise, name: `Formulaires ${at}`, status })
      }
      const way = await signIn(owner.email)
      await way.open('connections')
      await way.click('button', 'Next')
      await seeRows(way, 3)
      await way.see('Page 2 of 2')
      await way.page.reload()
      await way.see('Page 2 of 2')
      await seeRows(way, 3)
      await way.choose('main .list select', 'ERROR')
      await seeRows(way, 1)
      expect(way.page.url()).to.include('status=ERROR').and.not.include('page=')
      await way.page.reload()
      await seeRows(way, 1)
      await way.page.goBack()
      await way.see('Page 2 of 2')

      await way.page.type('main input[type=search]', 'formulaires 2')
      await eventually(async () => {
        expect(way.page.url()).to.include('search=')
      })
      await seeRows(way, 4)
      await way.page.reload()
      await seeRows(way, 4)
      expect(await way.page.$eval('main input[type=search]', (input) => input.value)).to.equal(
        'formulaires 2',
      )
      await way.expectAccessible('a list that was searched')
    })

    it('puts a list into the order of its names, which stands in the address', async () => {
      const owner = await user()
      const enterprise = owner.enterprise!
      for (const name of ['Été', 'automne', 'Zone'])
        await app.build.connection({ enterprise, name })
      const way = await signIn(owner.email)
      const { page } = way
      const seeNames = (wanted: readonly string[]) =>
        eventually(async () => {
          const names = await page.$$eval('tbody th', (cells) =>
            cells.map((cell) => cell.textContent),
          )
          expect(names.map((name) => name.trim())).to.deep.equal(wanted)
        })
      await way.open('connections')
      await seeNames(['Zone', 'automne', 'Été'])
      await way.click('button', 'Name')
      await page.waitForSelector('th[aria-sort=ascending]')
      await seeNames(['automne', 'Été', 'Zone'])
      await page.reload()
      await seeNames(['automne', 'Été', 'Zone'])
      await way.expectAccessible('a list in the order of its names')
      await page.setViewport({ width: 390, height: 860 })
      await way.expectAccessible('the same on a phone')
      await page.click('th[aria-sort=ascending] button')
      await seeNames(['Zone', 'Été', 'automne'])
      await page.setViewport({ width: 1280, height: 860 })
      expect(page.url()).to.include('sort=name').and.include('order=desc')
      await page.click('th[aria-sort=descending] button')
      await seeNames(['Zone', 'automne', 'Été'])
      expect(page.url()).not.to.include('sort=')
    })

    it('shows the folders that were deleted, and brings them back', async () => {
      const owner = await user({ role: 'super-admin' })
      const root = await app.build.folder({ name: 'Mairie' })
      const as = app.client.as(owner)
      const { uuid } = (await as.post('/folders', { name: 'Archives', parentUuid: root.uuid })).body
      await as.delete(`/folders/${uuid}`)
      const way = await signIn(owner.email)
      await way.open('folders?parent=deleted')
      await seeRows(way, 1)
      await way.see('Archives')
      await way.expectAccessible('the folders that were deleted')
      await way.click('button', 'Bring back Archives')
      await way.see('Archives is back.')
      expect(way.page.url()).to.include(`#/folders/${uuid}`)
      await way.open('folders?parent=deleted')
      await way.see('Nothing matches this search.')
    })

    it('keeps the order and the conditions of rows through a reload and the way back', async () => {
      const owner = await user()
      const shops = 'Shop;Amount\nRiver;10\nHarbour;30\nRiver;20\n'
      const source = await created(createFromFile(app.client.as(owner), shops, { name: 'Shops' }))
      const way = await signIn(owner.email)
      const { page } = way
      const amounts = () =>
        page.$$eval('.grid-body [aria-colindex="3"]', (cells) =>
          cells.map(({ textContent }) => textContent.trim()),
        )
      const seeAmounts = (wanted: readonly string[]) =>
        eventually(async () => {
          expect(await amounts()).to.deep.equal(wanted)
        })
      await way.open(`sources/${source.uuid}/rows`)
      await seeAmounts(['10', '30', '20'])
      await way.click('button', 'Filter the rows')
      await way.choose('form.form-line select', 'Shop')
      await way.fill('Value', 'river')
      await way.click('button', 'Add the condition')
      await seeAmounts(['10', '20'])
      await page.click('[role=columnheader][aria-colindex="3"] button')
      await page.waitForSelector('[aria-sort=ascending]')
      await page.click('[role=columnheader][aria-colindex="3"] button')
      await seeAmounts(['20', '10'])
      await page.reload()
      await seeAmounts(['20', '10'])
      expect(await textOf(way, 'button.chip')).to.include('Shop contains river')
      await page.goBack()
      await seeAmounts(['10', '20'])
      await page.goBack()
      await page.goBack()
      await seeAmounts(['10', '30', '20'])
      await way.open(`sources/${source.uuid}/rows?sort=Gone&where=[["Gone","eq","1"],7]`)
      await seeAmounts(['10', '30', '20'])
    })

    it('exports the rows as they are shown, or the whole table, and says how', async () => {
      const owner = await user()
      const shops = 'Shop;Amount\nRiver;10\nHarbour;30\nRiver;20\n'
      const source = await created(createFromFile(app.client.as(owner), shops))
      const way = await signIn(owner.email)
      await way.page.evaluate(`
        delete globalThis.showSaveFilePicker
        URL.createObjectURL = (blob) => { globalThis.saved = blob.text(); return 'blob:' }
        HTMLAnchorElement.prototype.click = () => undefined`)
      const exported = async () => {
        await way.click('button', 'Download')
        await way.page.waitForSelector('dialog', { hidden: true })
        return way.page.evaluate('saved')
      }
      const where = encodeURIComponent(JSON.stringify([['Shop', 'eq', 'River']]))
      await way.open(`sources/${source.uuid}/rows?where=${where}`)
      await way.click('button', 'Export')
      await way.see('2 rows go out, in the order of the source.')
      await way.expectAccessible('the export of some rows')
      expect(await exported()).to.equal('Shop,Amount\nRiver,10\nRiver,20\n')
      await way.open(
        `sources/${source.uuid}/rows?where=${where}&sort=Amount&order=desc&hide=["Shop"]`,
      )
      await way.click('button', 'Export')
      await way.see('2 rows go out, in the order of “Amount”, without the hidden column.')
      expect(await exported()).to.equal('Amount\n20\n10\n')
      await way.click('button', 'Export')
      await way.choose('dialog select', 'all')
      await way.see('3 rows go out, in the order of the source.')
      expect(await exported()).to.equal('Shop,Amount\nRiver,10\nHarbour,30\nRiver,20\n')
    })

    it('keeps views of rows under a name, for whoever kept them, and forgets them', async () => {
      const owner = await user()
      const shops = 'Shop;Amount\nRiver;10\nHarbour;30\nRiver;20\n'
      const source = await created(createFromFile(app.client.as(owner), shops, { name: 'Shops' }))
      const way = await signIn(owner.email)
      const { page } = way
      const seeAmounts = (wanted: readonly string[]) =>
        eventually(async () => {
          const cells = await page.$$eval('.grid-body [aria-colindex="2"]', (found) =>
            found.map(({ textContent }) => textContent.trim()),
          )
          expect(cells).to.deep.equal(wanted)
        })
      const rows = `sources/${source.uuid}/rows`
      const where = encodeURIComponent(JSON.stringify([['Shop', 'eq', 'River']]))
      await way.open(`${rows}?where=${where}&sort=Amount&order=desc&hide=["Shop"]`)
      await seeAmounts(['20', '10'])
      await way.click('button', 'Views')
      await way.expectAccessible('the views of rows')
      await way.click('menuitem', 'Keep this view…')
      await way.fill('Name', 'Along the river')
      await way.click('button', 'Save')
      await way.see('The view “Along the river” is kept in this browser.')
      await way.click('button', 'Along the river')
      await way.click('menuitem', 'The whole table')
      await seeAmounts(['River', 'Harbour', 'River'])
      await page.reload()
      await way.click('button', 'Views')
      await way.click('menuitem', 'Along the river')
      await seeAmounts(['20', '10'])
      await way.click('button', 'Along the river')
      await way.click('menuitem', 'Forget this view')
      await way.see('The view “Along the river” is forgotten.')
      await way.click('button', 'Undo')
      await way.click('button', 'Along the river')
      await page.keyboard.press('Escape')

      await way.click('button', owner.name)
      await way.click('button', 'Sign out')
      const other = await user({ enterprise: owner.enterprise! })
      await way.fill('Email address', other.email)
      await page.type('input[name=password]', PASSWORD)
      await way.click('button', 'Sign in')
      await page.waitForSelector('nav a[aria-current=page]')
      await way.open(rows)
      await way.click('button', 'Views')
      await page.waitForSelector('[role=menu] :focus')
      expect(await page.$$('[role=menuitem]')).to.have.length(1)
    })

    it('asks for the pages of a comparison one after the other', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const lines = (from: number) =>
        `N;M\n${Array.from({ length: 500 }, (_, at) => `${from + at};1`).join('\n')}\n`
      const { uuid } = await created(createFromFile(client, lines(0)))
      await reloadWith(() => client)(uuid, lines(500), { publish: 'false' })
      const way = await signIn(owner.email)
      await way.page.setViewport({ width: 1280, height: 8000 })
      // Counted in the page: the browser tells of the end of one request after the start of the next.
      await way.page.evaluate(`{
        const { fetch } = window
        let atOnce = 0
        window.mostAtOnce = 0
        window.fetch = (resource, options) => {
          if (!String(resource).includes('/changes?')) return fetch(resource, options)
          window.mostAtOnce = Math.max(window.mostAtOnce, ++atOnce)
          return fetch(resource, options).finally(() => atOnce--)
        }
      }`)
      await way.open(`sources/${uuid}/changes`)
      // A question that is given up holds its place a little longer, and the next one would be refused.
      await way.settle()
      await way.click('button', 'Added 500')
      await way.page.waitForFunction(
        `document.querySelectorAll('.grid-row.added').length > 150 && ![...document.querySelectorAll('.grid-row.added .grid-cell')].some(({ textContent }) => textContent === '…')`,
      )
      expect(await way.page.evaluate('window.mostAtOnce')).to.equal(1)
    })

    it('shows in the list that a load waits, and in its changes which rows it sets aside', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const { uuid } = await created(
        createFromFile(client, SALES, { options: { onInvalid: 'skip' } }),
      )
      const changed = `Date;Montant\n${'30/02/2026;1\n'.repeat(2)}${'01/04/2026;5\n'.repeat(8)}`
      await reloadWith(() => client)(uuid, changed, { publish: 'false' })
      const way = await signIn(owner.email)
      await way.open('sources')
      await way.see('1 waits')
      await way.expectAccessible('the sources')
      await way.click('link', '1 waits')
      await way.see('2 rows of this load are set aside')
      await way.page.click('main details.notice summary')
      await way.see('30/02/2026')
      await way.expectAccessible('the rejects of a load that waits')
    })

    it('says where nothing is yet what to do first, and leads back where nothing is found', async () => {
      const owner = await user()
      const way = await signIn(owner.email)
      await way.open('connections')
      await way.see('No connection.')
      const { page } = way
      await page.waitForSelector('main .empty svg')
      expect(await page.$$('main input[type=search]')).to.have.length(0)
      await way.expectAccessible('a list without anything')
      await page.click('main .empty button')
      await page.waitForSelector('dialog:modal')
      await page.keyboard.press('Escape')

      await app.build.connection({ enterprise: owner.enterprise!, name: 'Formulaires' })
      await page.reload()
      await seeRows(way, 1)
      await way.see('1 item')
      await page.type('main input[type=search]', 'nowhere')
      await way.see('Nothing matches')
      await way.expectAccessible('a list in which nothing was found')
      await way.click('button', 'Show everything')
      await seeRows(way, 1)
      expect(page.url()).not.to.include('search')
      // Whoever takes back letter by letter what was found nowhere goes on typing.
      await page.type('main input[type=search]', 'x')
      await way.see('Nothing matches')
      await page.keyboard.press('Backspace')
      await seeRows(way, 1)
      expect(await page.evaluate('document.activeElement.type')).to.equal('search')
    })

    it('has one deed of a row in sight and the others in a menu, which the keyboard opens and leaves', async () => {
      const owner = await user()
      await app.build.connection({ enterprise: owner.enterprise!, name: 'Formulaires' })
      const way = await signIn(owner.email)
      await way.open('connections')
      await seeRows(way, 1)
      const { page } = way
      const inSight = await page.$$eval('main td button', (found) =>
        found.map((button) => button.textContent.trim()),
      )
      expect(inSight).to.deep.equal(['Try', ''])
      await openMenu(way, 'main td button.more')
      await way.expectAccessible('what can be done with a row')
      const words = await page.$$eval('[role=menuitem]', (found) =>
        found.map(({ textContent }) => textContent.trim()),
      )
      expect(words).to.deep.equal(['Change', 'Delete'])
      await page.keyboard.press('Escape')
      await page.waitForSelector('[role=menu]', { hidden: true })
      expect(await page.evaluate('document.activeElement.className')).to.equal('more')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=menu] :focus')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await way.see('Delete the connection')
      await page.keyboard.press('Escape')
      await page.waitForSelector('dialog', { hidden: true })
      // A second press closes it.
      await page.click('main td button.more')
      await page.waitForSelector('[role=menu]')
      await page.click('main td button.more')
      await page.waitForSelector('[role=menu]', { hidden: true })
    })
  })
}

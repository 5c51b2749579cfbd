import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import { expectRefusals, seeRows, tabTo, useConsole } from '../support/console.ts'
import { created, createFromFile } from '../support/sources.ts'

const CLIENTS = 'Client;Ville\nAnne;Sète\nBruno;Agde\n'

const open = await findBrowser()

if (open !== null) {
  describe('several things of a list, in a browser', () => {
    const app = useApp()
    const { signIn, user } = useConsole(app, open)

    const tick = ({ page }: WatchedPage, name: string) =>
      page.locator(`tbody input[aria-label="Choose ${name}"]`).click()

    it('are deleted one after the other; what is refused is named, and stays chosen', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const sources = []
      for (const name of ['Agences', 'Boutiques', 'Clients'])
        sources.push(await created(createFromFile(client, CLIENTS, { name })))
      const [agencies, , clients] = sources
      const path = `/sources/${agencies!.uuid}/shape`
      const [first, second] = (await client.get(path)).body['columns'] as object[]
      const rules = [{ in: { sourceUuid: clients!.uuid, column: 'Client' } }]
      await client.patch(path, { columns: [{ ...first, rules }, second] })
      const way = await signIn(owner.email)
      await way.open('sources')
      await seeRows(way, 3)
      await tick(way, 'Clients')
      await way.page.keyboard.down('Shift')
      await tick(way, 'Agences')
      await way.page.keyboard.up('Shift')
      await way.see('3 chosen')
      await way.expectAccessible('a list of which all is chosen')
      await way.click('button', 'Delete')
      await way.see('Clients, Boutiques, Agences.')
      await way.expectAccessible('what is asked before')
      await way.fill('To confirm, write 3', '3')
      await way.page.click('dialog button[type=submit]')
      await way.see('“Delete”: done for 2.')
      await way.see('“Delete”: refused for 1.')
      await way.page.waitForSelector('.toasts .notice li')
      expect(
        await way.page.$eval('.toasts .notice li', ({ textContent }) => textContent),
      ).to.include('Clients')
      await seeRows(way, 1)
      await way.see('1 chosen')
      await way.expectAccessible('what was refused')
      expectRefusals(way, 409)
    })

    it('are chosen with the keyboard alone, and are chosen no more on another page', async () => {
      const owner = await user()
      const enterprise = owner.enterprise!
      for (let at = 0; at < 23; at++)
        await app.build.connection({ enterprise, name: `Formulaires ${at}` })
      const way = await signIn(owner.email)
      const { page } = way
      const chosen = () => page.$$eval('tbody .tick :checked', (ticks) => ticks.length)
      await way.open('connections')
      await seeRows(way, 20)
      await tabTo(way, 'tbody .tick input')
      await page.keyboard.press('Space')
      await way.see('1 chosen')
      await page.keyboard.down('Shift')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.up('Shift')
      await way.see('3 chosen')
      await page.keyboard.press('ArrowDown')
      expect(await chosen()).to.equal(3)
      for (const width of [800, 390]) {
        await page.setViewport({ width, height: 860 })
        await way.expectAccessible(`three of a list, ${width}`)
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(over, String(width)).to.be.at.most(0)
      }
      // Above a list that is no table, the box would stand alone.
      await way.see('Choose everything here')
      await page.setViewport({ width: 1280, height: 860 })
      await way.click('button', 'Choose nothing')
      await page.waitForSelector('main input[type=search]')
      await page.click('thead .tick input')
      await way.see('20 chosen')
      await way.click('button', 'Next')
      await seeRows(way, 3)
      await page.waitForSelector('main input[type=search]')
      expect(await chosen()).to.equal(0)
    })

    it('go on while something else is shown, and can be stopped there', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      for (const name of ['Agences', 'Boutiques', 'Clients'])
        await created(createFromFile(client, CLIENTS, { name }))
      const way = await signIn(owner.email)
      const { page } = way
      await way.open('sources')
      await seeRows(way, 3)
      let goOn = () => {}
      await page.setRequestInterception(true)
      page.on('request', (request) => {
        if (request.method() === 'DELETE') goOn = () => void request.continue()
        else void request.continue()
      })
      const held = page.waitForRequest((request) => request.method() === 'DELETE')
      await page.click('thead .tick input')
      await way.click('button', 'Delete')
      await way.fill('To confirm, write 3', '3')
      await page.click('dialog button[type=submit]')
      await held
      await way.see('Delete · 0 of 3')
      await page.evaluate(`location.hash = '#/account'`)
      await way.see('Change the password')
      await way.see('0 of 3')
      await way.click('button', 'Cancel Delete')
      goOn()
      await way.see('“Delete”: done for 1.')
      expect((await client.get('/sources')).body['total']).to.equal(2)
    })

    it('are moved and brought back where that can be', async () => {
      const owner = await user({ role: 'super-admin' })
      const root = await app.build.folder({ name: 'Mairie' })
      const client = app.client.as(owner)
      for (const name of ['Archives', 'Budgets', 'Conseils'])
        await client.post('/folders', { name, parentUuid: root.uuid })
      const way = await signIn(owner.email)
      await way.open(`folders/${root.uuid}`)
      await seeRows(way, 3)
      await tick(way, 'Archives')
      await tick(way, 'Budgets')
      await way.click('button', 'Move')
      await way.see('Where should Archives and Budgets lie?')
      await way.click('button', 'Conseils')
      await way.click('button', 'Put into Conseils')
      await way.see('“Move”: done for 2.')
      await seeRows(way, 1)
      await way.click('button', 'Undo')
      await seeRows(way, 3)
      await way.page.click('thead .tick input')
      await way.click('button', 'Delete')
      await way.see('“Delete”: done for 3.')
      await way.see('No folder here.')
      await way.click('button', 'Undo')
      await seeRows(way, 3)
    })
  })
}

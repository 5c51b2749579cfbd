import { readFile } from 'node:fs/promises'

import { expect } from 'chai'

import { ACTIONS, VIAS } from '../../src/resources/audit-entry.ts'
import { useApp } from '../support/app.ts'
import { findBrowser } from '../support/browser.ts'
import { expectRefusals, useConsole } from '../support/console.ts'
import { created, createFromFile } from '../support/sources.ts'

const open = await findBrowser()

if (open !== null) {
  describe('the audit trail, in a browser', () => {
    const app = useApp()
    const { signIn, user } = useConsole(app, open)

    it('tells who did what, of one thing, one person, one kind and some days', async () => {
      const owner = await user()
      const other = app.client.as(await user({ enterprise: owner.enterprise! }))
      const client = app.client.as(owner)
      const sales = await created(createFromFile(client, 'a;b\n1;2\n', { name: 'Ventes' }))
      await created(createFromFile(other, 'a;b\n1;2\n', { name: 'Achats' }))
      await client.patch(`/sources/${sales.uuid}`, { name: 'Ventes 2026' })
      const way = await signIn(owner.email)
      const rows = () =>
        way.page.$$eval('main tbody tr', (lines) =>
          lines.map((line) => (line as { innerText: string }).innerText),
        )
      await way.click('link', 'Audit trail')
      await way.see('Source changed')
      await way.expectAccessible('the audit trail')
      expect(await rows()).to.have.length(4)

      await way.click('button', 'Only this Ventes 2026')
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 2`)
      await way.page.reload()
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 2`)
      await way.click('button', 'Show all, not only Ventes 2026')
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 4`)

      await way.choose('select[aria-label=What]', 'source.create')
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 2`)
      await way.click('button', `Only this ${owner.email}`)
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 1`)
      expect((await rows())[0])
        .to.contain('Source created')
        .and.to.contain('Ventes')

      await way.page.evaluate(`location.hash = '#/audit?until=2020-01-31'`)
      await way.see('Nothing matches this search.')
      await way.page.evaluate(`location.hash = '#/audit?from=2020-01-01'`)
      await way.page.waitForFunction(`document.querySelectorAll('main tbody tr').length === 4`)
      await way.click('link', 'Ventes 2026')
      await way.page.waitForFunction(`location.hash.startsWith('#/sources/${sales.uuid}')`)
    })

    it('names to super-admins whose things they were, and says of what is deleted that it is', async () => {
      const owner = await user()
      const client = app.client.as(owner)
      const sales = await created(createFromFile(client, 'a;b\n1;2\n', { name: 'Ventes' }))
      await client.delete(`/sources/${sales.uuid}`)
      const way = await signIn((await user({ role: 'super-admin' })).email)
      await way.open('audit?action=source.create')
      await way.see(owner.enterprise!.name)
      await way.click('link', 'Ventes')
      await way.see('It is no longer there')
      await way.expectAccessible('what is gone')
      await way.click('link', 'What was done to it')
      await way.see('Source deleted')
      expectRefusals(way, 404)
      await way.open('sources/not-a-source')
      await way.see('There is no such page')
    })

    it('is a file with the same entries', async () => {
      const owner = await user()
      await created(createFromFile(app.client.as(owner), 'a;b\n1;2\n', { name: 'Ventes' }))
      const way = await signIn(owner.email, 'fr')
      await way.page.evaluate(
        `delete globalThis.showSaveFilePicker
         const make = URL.createObjectURL
         URL.createObjectURL = (blob) => {
           blob.text().then((text) => (globalThis.saved = text))
           return make(blob)
         }
         HTMLAnchorElement.prototype.click = function () { globalThis.savedAs = this.download }`,
      )
      await way.page.evaluate(`location.hash = '#/audit?action=source.create'`)
      await way.see('Source créée')
      await way.expectAccessible('the audit trail in French')
      await way.click('button', 'Télécharger en CSV')
      await way.page.waitForFunction(`globalThis.saved && globalThis.savedAs === 'audit.csv'`)
      const text = (await way.page.evaluate('globalThis.saved')) as string
      expect(text.trim().split('\n')).to.have.length(2)
      expect(text).to.contain('source.create').and.not.to.contain('session.begin')
    })

    it('offers every action, each in words', async () => {
      const owner = await user()
      const way = await signIn(owner.email)
      await way.open('audit')
      const offered = await way.page.$$eval('select[aria-label=What] option', (options) =>
        options.map((option) => (option as { value: string }).value).filter(Boolean),
      )
      expect(offered.toSorted()).to.deep.equal(Object.keys(ACTIONS).toSorted())
      await way.page.waitForFunction(`!document.body.textContent.includes('audit.action.')`)
      for (const language of ['en', 'fr']) {
        const words = await readFile(`src/console/words/${language}.js`, 'utf8')
        for (const via of VIAS) expect(words).to.contain(`'audit.via.${via}': `)
      }
    })
  })
}

import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { findBrowser } from '../support/browser.ts'
import {
  chooseFile,
  expectRefusals,
  pressOn,
  tabBackTo,
  tabTo,
  useConsole,
} from '../support/console.ts'
import { eventually } from '../support/patience.ts'
import { created, createFromFile } from '../support/sources.ts'

const SALES = `Date;Montant\n31/02/2026;30\n${'03/03/2026;40\n'.repeat(9)}`

const open = await findBrowser()

if (open !== null) {
  describe('the console for everybody, on whatever they have', () => {
    const app = useApp()
    const { signIn, user, fileOf } = useConsole(app, open)

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
      await pressOn(way, 'main .tabs ~ .row > button:first-child')
      await tabTo(way, 'main .panel button[type=submit]')
      await tabBackTo(way, 'main .panel input')
      await keyboard.type('anne')
      await keyboard.press('Enter')
      await way.see('1 row meets the conditions.')
      await pressOn(way, 'main .chip')
      await way.page.waitForSelector('main .chip', { hidden: true })
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
  })
}

import { truncate } from 'node:fs/promises'

import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import {
  chooseDeed,
  chooseFile,
  expectFaults,
  expectRefusals,
  openDialog,
  openMenu,
  PASSWORD,
  pressOn,
  tabTo,
  useConsole,
} from '../support/console.ts'

const open = await findBrowser()

if (open !== null) {
  describe('people and what is theirs, in a browser', () => {
    const app = useApp()
    const { visit, signIn, user, fileOf } = useConsole(app, open)

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

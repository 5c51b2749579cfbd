import { expect } from 'chai'

import type { Actor } from '../../src/domain/actor.ts'
import { useApp } from '../support/app.ts'
import { findBrowser, type WatchedPage } from '../support/browser.ts'
import type { TestClient } from '../support/client.ts'
import {
  chooseFile,
  expectFaults,
  expectRefusals,
  pressOn,
  tabTo,
  useConsole,
} from '../support/console.ts'
import { eventually } from '../support/patience.ts'
import { created, createFromFile } from '../support/sources.ts'

const open = await findBrowser()

const TABLE = 'Client;Date;Montant\nAnn;03/03/2026;12,50\nBob;04/03/2026;7\n'
const SENDERS = [
  { key: 'BX', name: 'Boutique de Bordeaux', email: 'bx@example.test' },
  { key: 'LY', name: 'Boutique de Lyon', email: 'ly@example.test' },
]

if (open !== null) {
  describe('collections in a browser', () => {
    const app = useApp()
    const { signIn, visit, user, fileOf } = useConsole(app, open)

    async function collect(as: TestClient, body: object = {}) {
      const { uuid } = await created(createFromFile(as, TABLE))
      const given = { name: 'Ventes', sourceUuid: uuid, senders: SENDERS, periods: ['2026-10'] }
      return {
        sourceUuid: uuid,
        ...(await created(as.post('/collections', { ...given, ...body }))),
      }
    }

    async function visitLink(url: string, language: 'en' | 'fr' = 'en'): Promise<WatchedPage> {
      const way = await visit(language)
      await way.page.goto(`${app.address}/deliver/#${url.split('#')[1]}`)
      await way.settle()
      return way
    }

    const fitsIn = async ({ page }: WatchedPage, width: number) => {
      await page.setViewport({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
    }

    const rowsOf = async (as: TestClient, uuid: string) =>
      (await as.get(`/sources/${uuid}/data`)).body.items.map(
        ({ Client }: { Client: string }) => Client,
      )

    it('let a sender mend what is wrong where it stands, send it, and keep the receipt', async () => {
      const as = app.client.as(await app.build.user())
      const { links, sourceUuid, uuid } = await collect(as)
      const way = await visitLink(links[0].url)
      await way.see('Boutique de Bordeaux')
      await way.see('3 columns are asked for')
      await way.expectAccessible('what is asked of a sender')
      const wrong = 'Client;Date;Montant\nCléo;05/10/2026;3\nDan;31/02/2026;4\n'
      await chooseFile(way, await fileOf('octobre.csv', wrong))
      await way.see('31/02/2026')
      await way.expectAccessible('what is wrong with a file')
      await fitsIn(way, 390)
      await way.fill('line 3, Date', '28/02/2026')
      await way.click('button', 'Correct it and check again')
      await way.see('Everything is as it has to be')
      await way.click('button', 'Send')
      await way.see('Your file was taken')
      await way.see('octobre.csv')
      await way.expectAccessible('a receipt')
      expect(await rowsOf(as, sourceUuid)).to.deep.equal(['Ann', 'Bob', 'Cléo', 'Dan'])
      const { body } = await as.get(`/collections/${uuid}/slots?state=accepted`)
      expect(body.items[0].deliveries[0]).to.include({ filename: 'octobre.csv', rows: 2 })
    })

    it('can be answered with the keyboard alone', async () => {
      const as = app.client.as(await app.build.user())
      const { links, sourceUuid } = await collect(as)
      const way = await visitLink(links[0].url)
      await way.see('Drop your file here')
      // Keys overtake what the page is told of choosers, and the answers to what is asked on the way do not.
      const [chooser] = await Promise.all([
        way.page.waitForFileChooser(),
        pressOn(way, '.slot input[type=file]'),
      ])
      await chooser.accept([await fileOf('octobre.csv', 'Client;Date;Montant\nDan;31/02/2026;4\n')])
      await way.see('31/02/2026')
      await tabTo(way, '.faults input')
      await way.page.keyboard.type('28/02/2026')
      await pressOn(way, '.faults + .row button')
      await way.see('Everything is as it has to be')
      await pressOn(way, '.slot button.primary:enabled')
      await way.see('Your file was taken')
      expect(await rowsOf(as, sourceUuid)).to.include('Dan')
    })

    /** Long enough to come in parts, of few rows. */
    const LARGE = `Client;Date;Montant\n${`${'x'.repeat(2000)};05/10/2026;3\n`.repeat(4500)}`

    it('take a large file in parts, which goes on after a cut', async () => {
      const as = app.client.as(await app.build.user())
      const { links, sourceUuid } = await collect(as)
      const way = await visitLink(links[0].url)
      const path = await fileOf('grand.csv', LARGE)
      const asked: string[] = []
      way.page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (/^\/deliveries\/.+/.test(pathname)) {
          asked.push(`${request.method()} ${pathname.replaceAll(/[0-9a-f-]{36}/g, '*')}`)
        }
      })
      const devTools = await way.page.createCDPSession()
      await devTools.send('Network.enable')
      await devTools.send('Network.setBlockedURLs', { urls: ['*/storage/uploads/*'] })
      await chooseFile(way, path)
      await way.see('The connection is lost')
      await way.expectAccessible('a file on its way')
      await fitsIn(way, 390)
      await way.page.reload()
      await way.see('Interrupted uploads')
      await way.expectAccessible('an interrupted file')
      await devTools.send('Network.setBlockedURLs', { urls: [] })
      await chooseFile(way, path)
      await way.see('Everything is as it has to be')
      await way.click('button', 'Send')
      await way.see('Your file was taken')
      expect(asked).to.deep.equal([
        'POST /deliveries/*/uploads',
        'POST /deliveries/*/uploads/*/complete',
        'POST /deliveries/*/check',
        'POST /deliveries/*/uploads/*/complete',
        'PUT /deliveries/*',
      ])
      expect((await as.get(`/sources/${sourceUuid}/data?limit=1`)).body.total).to.equal(4502)
      expectFaults(way, 'ERR_BLOCKED_BY_CLIENT')
    })

    /** As many senders of the same enterprise as may send at once. */
    function takeAllPlaces({ enterprise }: Actor) {
      const { uploads } = app.services.places
      const held = Array.from({ length: app.config.server.maxUploads / 2 }, (_, at) =>
        uploads.hold({ actorId: -1_000_000 - at, enterprise: enterprise!.id }),
      )
      return () => held.forEach((place) => place[Symbol.dispose]())
    }

    const askedOf = ({ page }: WatchedPage): string[] => {
      const asked: string[] = []
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        const path = pathname.replaceAll(/[0-9a-f-]{36}/g, '*')
        if (/^\/(deliveries\/|storage)/.test(path)) {
          asked.push(`${response.request().method()} ${path} ${response.status()}`)
        }
      })
      return asked
    }

    it('wait for a place where many send at once, and go on by themselves', async () => {
      const member = await app.build.user()
      const as = app.client.as(member)
      const { links, sourceUuid } = await collect(as)
      const way = await visitLink(links[0].url)
      const asked = askedOf(way)
      const freeOf = takeAllPlaces(member)
      const bytes = `Client;Date;Montant\n${`${'x'.repeat(2000)};05/10/2026;3\n`.repeat(3800)}`
      await chooseFile(way, await fileOf('octobre.csv', bytes))
      await way.see('so your file waits')
      await way.see('It goes on by itself within a minute')
      await way.expectAccessible('a file that waits')
      await fitsIn(way, 390)
      freeOf()
      await way.see('Everything is as it has to be')
      const freeAgain = takeAllPlaces(member)
      await way.click('button', 'Send')
      await way.see('so your file waits')
      await way.click('button', 'Stop waiting')
      await way.page.waitForSelector('.slot button.primary:enabled')
      expect(await textIn(way, 'main')).to.not.include('so your file waits')
      expect(await rowsOf(as, sourceUuid)).to.deep.equal(['Ann', 'Bob'])
      await way.click('button', 'Send')
      await way.see('so your file waits')
      freeAgain()
      await way.see('Your file was taken')
      expect([...new Set(asked)]).to.deep.equal([
        'POST /deliveries/*/check 429',
        'POST /deliveries/*/check 200',
        'PUT /deliveries/* 429',
        'PUT /deliveries/* 200',
      ])
      expectRefusals(way, 429)
    })

    it('send nothing again of a large file that waits for a place', async () => {
      const member = await app.build.user()
      const as = app.client.as(member)
      const { links, sourceUuid } = await collect(as)
      const way = await visitLink(links[0].url, 'fr')
      const asked = askedOf(way)
      const freeOf = takeAllPlaces(member)
      await chooseFile(way, await fileOf('grand.csv', LARGE))
      await way.see('votre fichier attend')
      freeOf()
      await way.see('Tout est comme il faut')
      const freeAgain = takeAllPlaces(member)
      await way.click('button', 'Envoyer')
      await way.see('votre fichier attend')
      freeAgain()
      await way.see('Votre fichier est pris')
      expect(asked.filter((one) => one.startsWith('PUT /storage'))).to.have.length(1)
      expect(asked.filter((one) => one.startsWith('POST /deliveries/*/uploads '))).to.have.length(1)
      expect((await as.get(`/sources/${sourceUuid}/data?limit=1`)).body.total).to.equal(4502)
      expectRefusals(way, 429)
    })

    it('give up a large file that is cancelled on its way', async () => {
      const as = app.client.as(await app.build.user())
      const { links } = await collect(as)
      const way = await visitLink(links[0].url)
      const devTools = await way.page.createCDPSession()
      await devTools.send('Network.enable')
      await devTools.send('Network.setBlockedURLs', { urls: ['*/storage/uploads/*'] })
      await chooseFile(way, await fileOf('grand.csv', LARGE))
      await way.see('The connection is lost')
      await way.click('button', 'Cancel')
      await way.see('Drop your file here')
      await eventually(async () => expect(await uploadsLeft()).to.equal(0))
      expectFaults(way, 'ERR_BLOCKED_BY_CLIENT')
    })

    const uploadsLeft = async () => {
      const { rowCount } = await app.database.pool.query('select from document_uploads')
      return rowCount
    }

    it('ask a sender about headers that nobody knows', async () => {
      const as = app.client.as(await app.build.user())
      const { links, sourceUuid } = await collect(as)
      const way = await visitLink(links[1].url, 'fr')
      await chooseFile(way, await fileOf('lyon.csv', 'Client;Date;Total TTC\nEve;05/10/2026;3\n'))
      await way.see('Certains en-têtes ne sont pas ceux qui étaient attendus')
      await way.choose('select[aria-label*="Total TTC"]', 'column:Montant')
      await way.click('button', 'Envoyer')
      await way.see('Votre fichier est pris')
      expect(await rowsOf(as, sourceUuid)).to.include('Eve')
    })

    it('tell of a link that works no more, and nothing besides', async () => {
      const as = app.client.as(await app.build.user())
      const { links, uuid } = await collect(as)
      expect((await as.delete(`/collections/${uuid}`)).status).to.equal(200)
      const way = await visitLink(links[0].url)
      await way.see('This link does not work')
      expect(await way.page.evaluate('document.body.innerText')).to.not.include('Ventes')
      expectRefusals(way, 401)
    })

    it('are made, watched and answered by whoever asks', async () => {
      const member = await user()
      const as = app.client.as(member)
      const { links, name } = await collect(as, { approval: true })
      await send(links[0].url, 'octobre.csv', 'Fay')
      const way = await signIn(member.email)
      await way.open('collections')
      await way.expectAccessible('the collections')
      await way.click('link', name)
      await way.see('Boutique de Lyon')
      await way.expectAccessible('senders by periods')
      await way.page.locator('::-p-xpath(//button[contains(., "Bordeaux")])').click()
      await way.see('octobre.csv')
      await way.expectAccessible('a slot')
      await way.click('button', 'Approve')
      await way.see('The file is approved')
      await way.see('1 of 2')
      await fitsIn(way, 390)
    })

    it('are made in a dialog that a tablet shows as a whole', async () => {
      const way = await signIn((await user()).email)
      await way.page.setViewport({ width: 1024, height: 768 })
      await way.open('collections')
      await way.click('button', 'New collection')
      await way.page.waitForSelector('dialog:modal :focus')
      const hidden =
        'document.querySelector("dialog").scrollHeight - document.querySelector("dialog").clientHeight'
      expect(await way.page.evaluate(hidden)).to.equal(0)
      await way.expectAccessible('a new collection')
    })

    it('show what has come meanwhile where something else was decided about', async () => {
      const member = await user()
      const as = app.client.as(member)
      const { links, name } = await collect(as, { approval: true })
      const { url } = links[0]
      await send(url, 'octobre.csv', 'Fay')
      const way = await signIn(member.email)
      await way.open('collections')
      await way.click('link', name)
      await way.page.locator('::-p-xpath(//button[contains(., "Bordeaux")])').click()
      await way.see('octobre.csv')
      await send(url, 'octobre corrigé.csv', 'Guy')
      await way.click('button', 'Return')
      await way.fill('Message', 'C’est le mois de septembre.')
      await way.click('button', 'Return')
      await way.see('octobre corrigé.csv')
      expect(await textIn(way, 'dialog')).to.include('octobre.csv')
      await way.expectAccessible('a slot with something newer')
      // What was written is there still.
      await way.click('button', 'Return')
      await way.page.waitForSelector('dialog textarea')
      expect(await way.page.$eval('dialog textarea', (text) => text.value)).to.include('septembre')
      await way.click('button', 'Cancel')
      await send(url, 'octobre enfin.csv', 'Hal')
      await way.click('button', 'Approve')
      await way.see('octobre enfin.csv')
      await way.click('button', 'Approve')
      await way.see('The file is approved')
      expectRefusals(way, 409)
    })

    it('tell a sender which column is not in the file, before anything is sent', async () => {
      const as = app.client.as(await app.build.user())
      const { links, sourceUuid } = await collect(as)
      const { status } = await as.patch(`/sources/${sourceUuid}/shape`, { unknown: 'leave' })
      expect(status).to.equal(200)
      const way = await visitLink(links[0].url)
      const file = 'Client;Date;Amount net\nCléo;05/10/2026;3\n'
      await chooseFile(way, await fileOf('octobre.csv', file))
      await way.see('Nothing in your file is for Montant: it would stay blank.')
      expect(await textIn(way, 'main')).not.to.include('Everything is as it has to be')
      await way.expectAccessible('a column that is not in the file')
      await way.choose('select[aria-label*="Amount net"]', 'column:Montant')
      await way.click('button', 'Check again')
      await way.see('Everything is as it has to be')
      await way.click('button', 'Send')
      await way.see('Your file was taken')
      const { body } = await as.get(`/sources/${sourceUuid}/data`)
      expect(body.items.at(-1)).to.include({ Client: 'Cléo', Montant: 3 })
    })

    const textIn = ({ page }: WatchedPage, selector: string) =>
      page.$eval(selector, ({ textContent }) => textContent)

    async function send(url: string, filename: string, client: string): Promise<void> {
      const form = new FormData()
      form.append('file', new Blob([`Client;Date;Montant\n${client};05/10/2026;3\n`]), filename)
      const sent = await fetch(`${app.address}/deliveries/${await firstSlot(url)}`, {
        method: 'PUT',
        headers: { 'x-delivery-token': url.split('#')[1]! },
        body: form,
      })
      expect(sent.status).to.equal(200)
    }

    async function firstSlot(url: string): Promise<string> {
      const headers = { 'x-delivery-token': url.split('#')[1]! }
      const asked = await fetch(`${app.address}/deliveries`, { headers })
      const { slots } = (await asked.json()) as { slots: { uuid: string }[] }
      return slots[0]!.uuid
    }
  })
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Browser, CDPSession, Page } from 'puppeteer-core'

const PATIENCE_MS = 120_000
const SLOWER = 4

interface Visitor {
  readonly page: Page
  readonly devTools: CDPSession
  leave(): Promise<void>
}

/** Somebody with nothing in the cache; `session` is that of who has signed in before. */
export async function newVisitor(browser: Browser, session: unknown = null): Promise<Visitor> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 1280, height: 860 })
  page.setDefaultTimeout(PATIENCE_MS)
  await page.evaluateOnNewDocument(`
    localStorage.setItem('console.language', '"en"')
    const session = ${JSON.stringify(JSON.stringify(session))}
    if (session !== 'null') sessionStorage.setItem('console.session', session)`)
  const devTools = await page.createCDPSession()
  return { page, devTools, leave: () => context.close() }
}

/** From the beginning of the navigation until it is painted, in the time of the page itself. */
export async function paintedAfter(
  visitor: Visitor,
  address: string,
  selector: string,
): Promise<number> {
  const { page, devTools } = visitor
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.evaluateOnNewDocument(`
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => { globalThis.paintedMs = performance.now() }))
    }).observe(document, { childList: true, subtree: true })`)
  await page.goto(address)
  const painted = await page.waitForFunction('globalThis.paintedMs')
  return Number(await painted.jsonValue())
}

interface SentScripts {
  bytes(): number
}

/** Bytes of the scripts as they came over the line, their heads included. */
export async function countScripts({ devTools }: Visitor): Promise<SentScripts> {
  const scripts = new Set<string>()
  let bytes = 0
  devTools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await devTools.send('Network.enable')
  return { bytes: () => bytes }
}

/** Bytes that the page sends with its requests. */
export async function countSent({ devTools }: Visitor): Promise<SentScripts> {
  let bytes = 0
  devTools.on('Network.requestWillBeSentExtraInfo', ({ headers }) => {
    const length = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length')
    bytes += Number(length?.[1] ?? 0)
  })
  await devTools.send('Network.enable')
  return { bytes: () => bytes }
}

interface Scrolled {
  readonly longestFrameMs: number
  readonly mostRowsInPage: number
}

/** Turns the wheel over the grid, and then drags its bar from end to end. */
export async function scrollThrough({ page }: Visitor): Promise<Scrolled> {
  await page.evaluate(`
    globalThis.frames = { longest: 0, rows: 0, last: 0 }
    const note = (now) => {
      const { frames } = globalThis
      if (frames.last) frames.longest = Math.max(frames.longest, now - frames.last)
      frames.last = now
      frames.rows = Math.max(frames.rows, document.querySelectorAll('.grid-row').length)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)`)
  const grid = (await page.$('.grid-box'))!
  await grid.hover()
  for (let turn = 0; turn < 60; turn++) await page.mouse.wheel({ deltaY: 400 })
  await page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector('.grid-box')
    let step = 0
    const next = () => {
      box.scrollTop = (box.scrollHeight / 120) * ++step
      if (step < 120) requestAnimationFrame(next)
      else requestAnimationFrame(() => requestAnimationFrame(resolve))
    }
    next()
  })`)
  const { longest, rows } = (await page.evaluate('globalThis.frames')) as {
    longest: number
    rows: number
  }
  return { longestFrameMs: longest, mostRowsInPage: rows }
}

interface EmptyPage extends AsyncDisposable {
  readonly address: string
}

/** What any page costs this browser. */
export async function serveEmptyPage(): Promise<EmptyPage> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<!doctype html><title>Empty</title><p id="there">Empty</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import chromium from '@sparticuz/chromium'
import { type Browser, launch } from 'puppeteer-core'

/**
 * The browser of the package is made for a place where many protections are off. With these of its
 * arguments nothing would be refused, and a test would prove nothing.
 */
const UNSAFE =
  /^--(?:disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process|headless|disable-features=.*IsolateOrigins)/

/** What imitates a graphics card costs as much as all the rest of the browser, for the same picture. */
const GRAPHICS =
  /^--(?:use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/

/** Beside the package that it comes from, so that a new version is unpacked anew. */
const UNPACKED = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url))

/** `CHROME_PATH`, else the browser that npm brought. */
export async function openBrowser(): Promise<Browser> {
  const given = process.env['CHROME_PATH']
  const kept = chromium.args.filter((each) => !UNSAFE.test(each) && !GRAPHICS.test(each))
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return launch({
    args: [...kept, '--disable-gpu', ...quiet],
    executablePath: given ?? (await unpackedBrowser()),
    headless: 'shell',
    // It takes a second, and many on a machine that does everything at once.
    timeout: 120_000,
  })
}

/**
 * The package unpacks into the folder for temporary files, where it takes whatever has its name: the
 * half of a run that was killed, another account's, anybody's. Here it appears whole or not at all.
 */
async function unpackedBrowser(): Promise<string> {
  const executable = join(UNPACKED, 'chromium')
  if (existsSync(executable)) return executable
  await mkdir(dirname(UNPACKED), { recursive: true })
  const folder = await mkdtemp(`${UNPACKED}-`)
  await unpackInto(folder)
  try {
    await rename(folder, UNPACKED)
  } catch (error) {
    await rm(folder, { recursive: true })
    // Another process was sooner.
    if (!existsSync(executable)) throw error
  }
  return executable
}

/** It asks where temporary files go before anything else can run. */
function unpackInto(folder: string): Promise<string> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

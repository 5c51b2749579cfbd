import chromium from '@sparticuz/chromium'
import { type Browser, launch } from 'puppeteer-core'

/**
 * The browser of the package is made for a place where many protections are off. With these of its
 * arguments nothing would be refused, and a test would prove nothing.
 */
const UNSAFE =
  /^--(?:disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process|headless|disable-features=.*IsolateOrigins)/

/** `CHROME_PATH`, else the browser that npm brought. */
export async function openBrowser(): Promise<Browser> {
  const given = process.env['CHROME_PATH']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return launch({
    args: [...chromium.args.filter((argument) => !UNSAFE.test(argument)), ...quiet],
    executablePath: given ?? (await chromium.executablePath()),
    headless: 'shell',
  })
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { benchmarkDatabase } from '../benchmarks/support/benchmark-database.ts'
import { newVisitor } from '../benchmarks/support/console-page.ts'
import { inFolder } from '../benchmarks/support/in-folder.ts'
import { openBrowser } from '../benchmarks/support/open-browser.ts'
import { benchedService } from '../benchmarks/support/service-client.ts'
import { migrate } from '../src/db/migrate.ts'

/** Writes docs/pictures/console.png: how the console shows a messy sheet before anything is loaded. */
const PICTURE = new URL('../docs/pictures/console.png', import.meta.url)

const SHEET = [
  'Galerie Lumière — ventes du mois de mars 2026;;;;',
  'Export du 02/04/2026, montants en euros;;;;',
  ';;;;',
  'N° client;Date;Client;Montant;Payé',
  '00012;03/03/2026;Galerie Martin;1 240,50 €;oui',
  '00013;11/03/2026;Hôtel des Îles;3 980,00 €;non',
  '00014;31/02/2026;Café du Port;86,00 €;oui',
  '00015;27/03/2026;Mairie de Sète;12 400,00 €;non',
  '00016;28/03/2026;Librairie Le Grain;45,00 €;oui',
  '00017;0;Librairie Le Grain;47,00 €;oui',
  '00018;29/03/2026;Musée d’art;N/A;non',
  '00019;30/03/2026;Théâtre de la Mer;1 850,00 €;oui',
  ';;;;',
  'Source : caisse, arrêtée au 31 mars;;;;',
].join('\n')

await inFolder(async (folder) => {
  const path = join(folder, 'ventes mars.csv')
  await writeFile(path, SHEET)
  await using database = await benchmarkDatabase(null)
  await migrate(database.url)
  await using service = await benchedService(database.url, join(folder, 'data'))
  const browser = await openBrowser()
  try {
    const user: unknown = await (await service.fetch('/auth/me')).json()
    const visitor = await newVisitor(browser, { token: service.token, user })
    const { page } = visitor
    await page.setViewport({ width: 1260, height: 740 })
    await page.goto(`${service.address}/console/#/sources/new`)
    const input = (await page.waitForSelector('input[type=file]'))!
    await input.uploadFile(path)
    await page.waitForSelector('.grid-cell.invalid')
    await page.waitForNetworkIdle()
    await writeFile(PICTURE, await page.screenshot())
  } finally {
    await browser.close()
  }
})

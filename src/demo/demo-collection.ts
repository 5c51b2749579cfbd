import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { DEMO_PASSWORD } from '../../seeds/people.ts'

const ADMIN = 'admin@lumiere.test'
const NAME = 'Ventes des boutiques'
const PERIOD = '2026-10'

const FIRST = 'Client;Date de vente;Montant\nMaison Garnier;05/09/2026;1250,50\n'

/** What each shop has sent; null: nothing yet. */
const SHOPS = [
  {
    key: 'bordeaux',
    name: 'Boutique de Bordeaux',
    file: 'Client;Date de vente;Montant\nAtelier Roy;02/10/2026;320\nCafé Nord;14/10/2026;75,90\n',
    isApproved: true,
  },
  {
    key: 'lyon',
    name: 'Boutique de Lyon',
    file: 'Client;Date de vente;Montant\nÉcole Hugo;07/10/2026;1180\n',
    isApproved: false,
  },
  {
    key: 'nantes',
    name: 'Boutique de Nantes',
    file: 'Client;Date de vente;Montant\nLibrairie Sud;31/10/2026;beaucoup\n',
    isApproved: false,
  },
  { key: 'lille', name: 'Boutique de Lille', file: null, isApproved: false },
]

interface Made {
  readonly uuid: string
  readonly total: number
  readonly token: string
  readonly links: readonly { readonly url: string }[]
  readonly slots: readonly { readonly uuid: string }[]
}

/**
 * A collection with a slot in each state, made once in the life of a DATA_DIR, as people make one:
 * through the service itself. Where somebody has loaded something already, the demo world stays as
 * it is: a DATA_DIR of before, or a start that was cut off in the middle of this.
 */
export async function fillDemoCollection(
  address: string,
  dataDir: string,
  signal: AbortSignal,
): Promise<void> {
  const marker = join(dataDir, 'demo-collection')
  if (existsSync(marker)) return
  const signedIn = await call('POST', '/auth/login', { email: ADMIN, password: DEMO_PASSWORD })
  const admin = { 'x-app-access-token': signedIn.token }
  const { total } = await call('GET', '/sources?limit=1', undefined, admin)
  if (total > 0) return writeFile(marker, '')
  const fields = { source: 'file', name: NAME, tableName: 'ventes_boutiques' }
  const source = await call('POST', '/sources', formOf(FIRST, 'septembre.csv', fields), admin)
  const collection = await call(
    'POST',
    '/collections',
    {
      name: `${NAME}, ${PERIOD}`,
      sourceUuid: source.uuid,
      senders: SHOPS.map(({ key, name }) => ({ key, name, email: `${key}@lumiere.test` })),
      periods: [PERIOD],
      labels: { sender: 'Boutique', period: 'Mois' },
      approval: true,
      message: 'Merci d’envoyer les ventes du mois avant le 5.',
    },
    admin,
  )
  for (const [at, { file, key, isApproved }] of SHOPS.entries()) {
    if (file === null) continue
    const holder = { 'x-delivery-token': collection.links[at]!.url.split('#')[1]! }
    const { slots } = await call('GET', '/deliveries', undefined, holder)
    const { uuid: slot } = slots[0]!
    await call('PUT', `/deliveries/${slot}`, formOf(file, `${key}.csv`), holder)
    if (isApproved) {
      await call('POST', `/collections/${collection.uuid}/slots/${slot}/approve`, undefined, admin)
    }
  }
  await writeFile(marker, '')

  /** Refusals are part of it: one of the files is not as it has to be. */
  async function call(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Made> {
    const isForm = body instanceof FormData
    const answer = await fetch(address + path, {
      method,
      signal,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    return (await answer.json()) as Made
  }
}

function formOf(
  content: string,
  filename: string,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content]), filename)
  return form
}

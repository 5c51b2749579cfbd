import type { TestApp } from './app.ts'
import type { TestClient } from './client.ts'
import { created, createFromFile, rowsOfSource, sourceForm } from './sources.ts'

export const CSV = 'Client;Date;Montant\nAnn;31/12/2025;1\n'
const SENDERS = [
  { key: 'BX', name: 'Bordeaux', email: 'bx@example.test' },
  { key: 'LY', name: 'Lyon', email: 'ly@example.test' },
]
const LABELS = { sender: 'Boutique', period: 'Mois' }

export interface Link {
  readonly sender: { readonly uuid: string; readonly key: string }
  readonly url: string
}

/** What a sender sends: one row. */
export const client = (name: string, amount: number) =>
  `Client;Date;Montant\n${name};01/02/2026;${amount}\n`

/** Sends a file into a slot. */
export const put = (
  holder: TestClient,
  slot: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: object = {},
  filename?: string,
) =>
  holder.request('PUT', `/deliveries/${slot}`, {
    content: sourceForm({ ...fields }, content, filename),
  })

export function useCollections(app: TestApp) {
  /** Whoever has the link. */
  const holderOf = (url: string): TestClient =>
    app.client.withHeaders({ 'x-delivery-token': url.split('#')[1]! })

  return {
    holderOf,

    /** A source that is collected, as its admin and its senders see it. */
    async collect(body: object = {}, fields: Readonly<Record<string, unknown>> = {}) {
      const as = app.client.as(await app.build.user())
      const source = await created(createFromFile(as, CSV, fields))
      const given = { name: 'Ventes', sourceUuid: source.uuid, senders: SENDERS, labels: LABELS }
      const made = await created(
        as.post('/collections', { ...given, periods: ['Mai', 'Juin'], ...body }),
      )
      const holders = (made.links as Link[]).map(({ url }) => holderOf(url))
      const slots = async () =>
        (await as.get(`/collections/${made.uuid}/slots`)).body.items.toReversed()
      const rows = () => rowsOfSource(() => as)(source.uuid)
      return {
        as,
        source,
        path: `/collections/${made.uuid}`,
        links: made.links,
        holders,
        slots,
        rows,
      }
    },
  }
}

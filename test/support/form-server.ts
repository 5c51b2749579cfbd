import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const API_KEY = 'a-key-of-the-served-forms'

interface ServedForm {
  /** Null: a question without a label. */
  readonly labels: readonly (string | null)[]
  /** In the order of the labels. */
  readonly rows: readonly (readonly unknown[])[]
}

/** The forms interface with data of the test's own; the simulator makes up its own. */
export interface FormServer {
  readonly url: string
  readonly apiKey: string
  add(form: ServedForm): string
  close(): Promise<void>
}

export async function startFormServer(): Promise<FormServer> {
  const forms = new Map<string, ServedForm>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://forms')
    const [, uuid = '', part] =
      /^\/api\/v1\/forms\/([0-9a-f-]+)(\/responses)?$/.exec(url.pathname) ?? []
    const form = forms.get(uuid)
    const isKnown = request.headers['x-api-key'] === API_KEY && form !== undefined
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    if (!isKnown) return response.end('{}')
    const body = part === undefined ? describe(uuid, form) : page(form, url.searchParams)
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: API_KEY,
    add(form) {
      const uuid = randomUUID()
      forms.set(uuid, form)
      return uuid
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const keyOf = (column: number) => `q${column}`

function describe(uuid: string, { labels, rows }: ServedForm) {
  return {
    uuid,
    title: 'Un formulaire',
    publicationStatus: 'PUBLISHED',
    responseCount: rows.length,
    updatedAt: '2026-01-31T09:30:00.000Z',
    columns: labels.map((label, column) => ({ key: keyOf(column), label, type: 'text' })),
  }
}

function page({ rows }: ServedForm, query: URLSearchParams) {
  const from = Number(query.get('cursor') ?? 0)
  const to = Math.min(from + Number(query.get('limit') ?? 100), rows.length)
  return {
    items: rows.slice(from, to).map((cells) => ({
      uuid: randomUUID(),
      submittedAt: '2026-01-31T09:30:00.000Z',
      updatedAt: '2026-01-31T09:30:00.000Z',
      values: Object.fromEntries(cells.map((cell, column) => [keyOf(column), cell])),
    })),
    nextCursor: to < rows.length ? String(to) : null,
    total: rows.length,
  }
}

import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { understand } from './api.ts'
import { control, isControl, type SeenRequest, type Switches } from './control.ts'
import { createFaultScript } from './faults.ts'
import { misbehave } from './misbehave.ts'
import { refusal, send } from './reply.ts'
import { createWorld, type SimulatedItem } from './world.ts'

/** A forms application with any number of records, none of which are stored. */
export interface Formulaires extends Switches {
  readonly url: string
  /** A key that is valid at the start. */
  readonly apiKey: string
  readonly forms: readonly SimulatedItem[]
  readonly cards: readonly SimulatedItem[]
  close(): Promise<void>
}

export interface SimulatorOptions {
  readonly host?: string
  /** 0 picks a free one. */
  readonly port?: number
  readonly forms?: number
  readonly cards?: number
  readonly responsesPerForm?: number
  readonly seed?: number
  /** Default: a key derived from the seed, so that it stays valid after a restart. */
  readonly apiKeys?: readonly [string, ...string[]]
  /** Offer the switches under /_control. */
  readonly control?: boolean
}

const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  forms: 8,
  cards: 5,
  responsesPerForm: 250,
  seed: 1,
} as const

const REQUESTS_KEPT = 1000

export async function startFormulaires(options: SimulatorOptions = {}): Promise<Formulaires> {
  const settings = { ...DEFAULTS, ...options }
  const world = createWorld(settings)
  const apiKeys = settings.apiKeys ?? [apiKeyOfSeed(settings.seed)]
  const valid = new Set<string>(apiKeys)
  const faults = createFaultScript()
  const seen: SeenRequest[] = []

  const see = (url: URL) => {
    seen.push({ atMs: performance.now(), path: url.pathname, query: url.search })
    if (seen.length > REQUESTS_KEPT) seen.shift()
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://formulaires')
    if (settings.control && isControl(url)) {
      return send(response, await control(simulator, request, url))
    }
    see(url)
    if (request.method !== 'GET') return send(response, refusal(405, 'Méthode non autorisée'))
    const key = request.headers['x-api-key']
    if (typeof key !== 'string' || !valid.has(key)) {
      return send(response, refusal(401, 'Clé API invalide'))
    }
    const call = understand(world, url)
    if (!call) return send(response, refusal(404, 'Introuvable'))
    const fault = faults.take(call.place)
    const reply = call.answer(fault)
    if (!fault) return send(response, reply)
    const hungUp = new AbortController()
    response.once('close', () => hungUp.abort())
    return misbehave(fault, reply, { request, response, signal: hungUp.signal })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // If the client hung up, nobody is left to answer; many faults provoke just that.
      if (response.destroyed) return
      if (response.headersSent) response.destroy()
      else send(response, refusal(400, error instanceof Error ? error.message : 'fault'))
    })
  })
  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const simulator: Formulaires = {
    url: `http://${settings.host}:${port}`,
    apiKey: apiKeys[0],
    forms: world.forms,
    cards: world.cards,
    faults,
    keys: {
      add: (key) => void valid.add(key),
      revoke: (key) => void valid.delete(key),
    },
    addRecords(itemUuid, count) {
      const item = [...world.forms, ...world.cards].find(({ uuid }) => uuid === itemUuid)
      if (!item) throw new Error(`No form or card ${itemUuid}`)
      item.recordCount += count
    },
    requests: () => [...seen],
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return simulator
}

/** The key of a simulated world, derived from its seed. */
export function apiKeyOfSeed(seed: number = DEFAULTS.seed): string {
  const digest = hash('sha256', `formulaires ${seed}`)
  return `frm_demo_${digest.slice(0, 32)}`
}

import type { ConnectionAccess, ConnectorResource } from '../../../src/connectors/connector.ts'
import { ConnectorError } from '../../../src/connectors/errors.ts'
import {
  createFormulairesConnector,
  type FormulairesOptions,
} from '../../../src/connectors/formulaires/connector.ts'
import { parseOutboundAllow } from '../../../src/security/outbound/allow-list.ts'
import {
  createOutboundHttp,
  type OutboundHttpOptions,
} from '../../../src/security/outbound/http.ts'
import {
  startFormulaires,
  type Formulaires,
  type SimulatorOptions,
} from '../../../src/simulator/formulaires.ts'
import type { RecordSource } from '../../../pipelines/index.ts'
import { plainPages } from '../../support/records.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

export interface Stage {
  readonly simulator: Formulaires
  readonly access: ConnectionAccess
  readonly form: ConnectorResource
  readonly card: ConnectorResource
  /** The first form, which has questions. */
  readonly formUuid: string
  close(): Promise<void>
}

interface StageOptions {
  readonly simulator?: SimulatorOptions
  readonly connector?: Partial<FormulairesOptions>
  readonly http?: Partial<OutboundHttpOptions>
}

/** Hiccups are tried again at once: what counts is how often. */
const IMPATIENT = { baseDelayMs: 1, maxDelayMs: 2 }

/** A simulator and a connector that may reach it. */
export async function createStage(options: StageOptions = {}): Promise<Stage> {
  const simulator = await startFormulaires({ responsesPerForm: 95, ...options.simulator })
  const http = createOutboundHttp({
    allow: parseOutboundAllow([new URL(simulator.url).host]),
    requestTimeoutMs: PATIENCE_MS,
    ...options.http,
  })
  const connector = createFormulairesConnector({
    http,
    pageSize: 10,
    ...options.connector,
    asking: { ...IMPATIENT, ...options.connector?.asking },
    loading: { ...IMPATIENT, ...options.connector?.loading },
  })
  return {
    simulator,
    access: { baseUrl: simulator.url, apiKey: simulator.apiKey },
    form: connector.resources.form!,
    card: connector.resources.card!,
    formUuid: simulator.forms[0]!.uuid,
    async close() {
      await http.close()
      await simulator.close()
    },
  }
}

export const never = (): AbortSignal => new AbortController().signal

type Row = Readonly<Record<string, unknown>>

export async function readAll(source: RecordSource, signal = never()): Promise<Row[]> {
  const rows: Row[] = []
  for await (const { records } of plainPages(source, signal)) rows.push(...records)
  return rows
}

/** Opens the first form and reads it to its end. */
export async function loadForm(stage: Stage, signal = never()): Promise<Row[]> {
  const { source } = await stage.form.open(stage.access, stage.formUuid, signal)
  return readAll(source, signal)
}

/** The connector's error; fails when there is none, or when it shows the key. */
export async function failureOf(stage: Stage, work: Promise<unknown>): Promise<ConnectorError> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`
    if (shown.includes(stage.access.apiKey))
      throw new Error('The error shows the key', { cause: error })
    return error
  }
  throw new Error('It worked')
}

export function recordRequests({ simulator }: Stage): number {
  return simulator.requests().filter(({ path }) => path.endsWith('/responses')).length
}

import type { Clock } from '../../time/clock.ts'
import type { OutboundHttp } from '../../security/outbound/http.ts'
import type { Connector } from '../connector.ts'
import { createCardSubmissionsLoader, createFormResponsesLoader } from './record-loader.ts'
import { createResource } from './resource.ts'
import { createFormulairesClient } from './client.ts'
import { ASKING, LOADING, type RetryPolicy } from './retry.ts'
import type { WalkLimits } from './walk-pages.ts'
import { WireCard, WireForm } from './wire.ts'

const FORMULAIRES = 'FORMULAIRES'

export interface FormulairesOptions {
  readonly http: OutboundHttp
  readonly pageSize?: number
  readonly limits?: Partial<WalkLimits>
  /** For listings and descriptions, which a person waits for. */
  readonly asking?: Partial<RetryPolicy>
  /** For pages of records. */
  readonly loading?: Partial<RetryPolicy>
  readonly random?: () => number
  /** Measures the time between two attempts. */
  readonly clock?: Clock
}

const PAGE_SIZE = 1000

const LIMITS: WalkLimits = {
  maxPages: 200_000,
  maxEmptyPages: 20,
  maxRows: 50_000_000,
  maxBytes: 20 * 1024 ** 3,
  loadTimeoutMs: 60 * 60_000,
}

/** The forms application described in docs/formulaires.openapi.yaml. */
export function createFormulairesConnector(options: FormulairesOptions): Connector {
  const { http, random, clock, pageSize = PAGE_SIZE } = options
  const chances = { ...(random && { random }), ...(clock && { clock }) }
  const client = createFormulairesClient({ http, ...chances })
  const retry = { ...ASKING, ...options.asking }
  const loader = {
    client,
    pageSize,
    limits: { ...LIMITS, ...options.limits },
    retry: { ...LOADING, ...options.loading },
  }
  return {
    type: FORMULAIRES,
    resources: {
      form: createResource({
        resource: 'form',
        path: '/api/v1/forms',
        schema: WireForm,
        recordCount: (form) => form.responseCount,
        client,
        retry,
        load: createFormResponsesLoader(loader),
      }),
      card: createResource({
        resource: 'card',
        path: '/api/v1/cards',
        schema: WireCard,
        recordCount: (card) => card.submissionCount,
        client,
        retry,
        load: createCardSubmissionsLoader(loader),
      }),
    },
  }
}

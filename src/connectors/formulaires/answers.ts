import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'

import type { OutboundError, OutboundProblem } from '../../security/outbound/errors.ts'
import type { ResourceType } from '../connector.ts'
import { ConnectorError, remoteFailure, type FailureReason } from '../errors.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { connectorMessages } from '../connector-messages.ts'

/** What was asked for, since a 404 means something different for each. */
export type Asked = { readonly kind: 'listing' } | { readonly kind: ResourceType }

const BUSY_DEFAULT_SECONDS = 30

/** Translates a status other than 200 into a ConnectorError. */
export function refusalError(
  status: number,
  retryAfter: string | null,
  asked: Asked,
): ConnectorError {
  if (status === 401) {
    return new ConnectorError({ kind: 'unauthorized' }, connectorMessages.keyRefused())
  }
  if (status === 404 && asked.kind !== 'listing') {
    return new ConnectorError(
      { kind: 'not-found', resource: asked.kind },
      asked.kind === 'form' ? connectorMessages.noForm() : connectorMessages.noCard(),
    )
  }
  if (status === 429) {
    const seconds = retryAfterSeconds(retryAfter, Date.now()) ?? BUSY_DEFAULT_SECONDS
    return new ConnectorError(
      { kind: 'busy', retryAfterSeconds: Math.max(1, seconds) },
      connectorMessages.asksToWait({ seconds: Math.max(1, seconds) }),
    )
  }
  const reason: FailureReason = status >= 500 ? 'server-error' : 'refused'
  return remoteFailure(reason, connectorMessages.status({ status }))
}

const FAILURE_BY_OUTBOUND: Readonly<Record<Exclude<OutboundProblem, 'too-slow'>, FailureReason>> = {
  'address-refused': 'address-refused',
  unreachable: 'unreachable',
  'too-large': 'too-large',
  malformed: 'malformed',
  'redirect-refused': 'redirect-refused',
}

export function outboundFailure(error: OutboundError): ConnectorError {
  const { problem, text } = error
  if (problem === 'too-slow') {
    return new ConnectorError({ kind: 'too-slow' }, text, { cause: error })
  }
  return remoteFailure(FAILURE_BY_OUTBOUND[problem], text, { cause: error })
}

/**
 * Checks remote JSON against a schema. The error says where it failed, but never shows the content.
 * The schema is compiled when the first answer arrives, so that it does not delay the start.
 */
export function createAnswerCheck<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  let compiled: ValidateFunction | null = null
  return (value) => {
    const validate = (compiled ??= new Ajv2020({ strict: false }).compile(schema))
    if (validate(value)) return value as Static<S>
    const [problem] = validate.errors ?? []
    throw remoteFailure(
      'malformed',
      connectorMessages.shape({ pointer: problem?.instancePath || '/' }),
    )
  }
}

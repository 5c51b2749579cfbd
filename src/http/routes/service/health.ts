import { Type } from 'typebox'

import { ServiceUnavailableException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { strictObject } from '../../schemas.ts'
import { requestMessages } from '../../request-messages.ts'

export const live = defineRoute(
  {
    method: 'get',
    path: '/health/live',
    access: 'public',
    tag: 'service',
    summary: 'Is the process alive',
    responses: {
      200: {
        description: 'It is',
        schema: strictObject({ status: Type.Literal('ok') }),
        example: { status: 'ok' },
      },
    },
  },
  async () => ({ status: 'ok' }),
)

/** Without them most requests still work, and the others say what is missing. */
const SPARED_PARTS: ReadonlySet<string> = new Set(['cluster'])

export const ready = defineRoute(
  {
    method: 'get',
    path: '/health/ready',
    access: 'public',
    tag: 'service',
    summary: 'Can the process take requests',
    description:
      'Checks the database, the object storage, and the nodes of the cluster where there is one. A node ' +
      'that is away makes `parts.cluster` false and nothing else: tables that are not distributed need none.',
    responses: {
      200: {
        description: 'Everything answers that all requests need',
        schema: strictObject({
          status: Type.Literal('ok'),
          parts: Type.Record(Type.String(), Type.Boolean()),
        }),
        example: { status: 'ok', parts: { database: true, storage: true } },
      },
    },
    problems: [ServiceUnavailableException],
  },
  async (_request, { health }) => {
    const parts = await health.check()
    const silent = Object.keys(parts).filter((name) => !parts[name] && !SPARED_PARTS.has(name))
    if (silent.length > 0) {
      throw new ServiceUnavailableException(
        requestMessages.notAnswering({ parts: silent.join(', ') }),
        {
          members: { parts },
          headers: { 'retry-after': '2' },
        },
      )
    }
    return { status: 'ok', parts }
  },
)

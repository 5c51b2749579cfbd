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

/**
 * Without them most requests still work, and the others say what is missing. Every process finds the
 * same, so none would be left to answer what works.
 */
const SPARED_PARTS: ReadonlySet<string> = new Set(['cluster', 'storage'])

export const ready = defineRoute(
  {
    method: 'get',
    path: '/health/ready',
    access: 'public',
    tag: 'service',
    summary: 'Can the process take requests',
    description:
      'Checks the database, the object storage, and the nodes of the cluster where there is one. Without ' +
      'the database nothing works: 503. The object storage, or a node, that is away makes `parts.storage` or ' +
      '`parts.cluster` false and nothing else: rows are read and changed without the one, tables that are not ' +
      'distributed without the other, and what needs them answers 503 and names them. Also 503, with ' +
      '`parts.schema` false: a later version has migrated the database, and this process ends; and 503 for ' +
      '`SHUTDOWN_DELAY` before a process that is told to stop does.',
    responses: {
      200: {
        description: 'What most requests need answers; `parts` says what is away besides',
        schema: strictObject({
          status: Type.Literal('ok'),
          parts: Type.Record(Type.String(), Type.Boolean()),
        }),
        example: { status: 'ok', parts: { database: true, storage: true } },
      },
    },
    problems: [ServiceUnavailableException],
  },
  async (_request, { health, schema, leaving }) => {
    if (leaving.aborted) {
      throw new ServiceUnavailableException(requestMessages.leaving(), {
        headers: { 'retry-after': '2' },
      })
    }
    const parts = { ...(await health.check()), ...(schema.outdated.aborted && { schema: false }) }
    const silent = Object.entries(parts)
      .filter(([name, answers]) => !answers && !SPARED_PARTS.has(name))
      .map(([name]) => name)
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

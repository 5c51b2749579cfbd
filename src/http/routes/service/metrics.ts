import { Type } from 'typebox'

import { defineRoute, Reply } from '../../define-route.ts'

export const metrics = defineRoute(
  {
    method: 'get',
    path: '/metrics',
    access: 'public',
    tag: 'service',
    summary: 'Metrics in the Prometheus text format',
    responses: {
      200: { description: 'Metrics', schema: Type.String(), contentType: 'text/plain' },
    },
  },
  async (_request, { metrics: { registry } }) =>
    new Reply(200, await registry.metrics(), { 'content-type': registry.contentType }),
)

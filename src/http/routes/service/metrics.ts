import { defineRoute, Reply } from '../../define-route.ts'

const EXAMPLE_METRICS =
  '# TYPE http_request_duration_seconds histogram\n' +
  'http_request_duration_seconds_count{method="GET",route="/folders",status="200"} 1284\n'

export const metrics = defineRoute(
  {
    method: 'get',
    path: '/metrics',
    access: 'public',
    tag: 'service',
    summary: 'Metrics in the Prometheus text format',
    responses: {
      200: { description: 'Metrics', files: { 'text/plain': EXAMPLE_METRICS } },
    },
  },
  async (_request, { metrics: { write, contentType } }) =>
    new Reply(200, await write(), { 'content-type': contentType }),
)

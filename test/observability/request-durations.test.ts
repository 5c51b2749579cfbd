import { expect } from 'chai'

import { RequestDurations } from '../../src/observability/metrics.ts'

describe('durations of requests', () => {
  const folders = { method: 'GET', route: '/folders', status: 200 }

  it('are counted in every bucket that they fit into', () => {
    const durations = new RequestDurations()
    for (const seconds of [0.004, 0.005, 0.2, 700]) durations.observe(folders, seconds)
    const labels = 'method="GET",route="/folders",status="200"'
    expect(durations.write().trimEnd().split('\n')).to.deep.equal([
      '# HELP http_request_duration_seconds Time from the first byte of a request to the last byte of its answer',
      '# TYPE http_request_duration_seconds histogram',
      `http_request_duration_seconds_bucket{${labels},le="0.005"} 2`,
      `http_request_duration_seconds_bucket{${labels},le="0.02"} 2`,
      `http_request_duration_seconds_bucket{${labels},le="0.05"} 2`,
      `http_request_duration_seconds_bucket{${labels},le="0.1"} 2`,
      `http_request_duration_seconds_bucket{${labels},le="0.3"} 3`,
      `http_request_duration_seconds_bucket{${labels},le="1"} 3`,
      `http_request_duration_seconds_bucket{${labels},le="3"} 3`,
      `http_request_duration_seconds_bucket{${labels},le="10"} 3`,
      `http_request_duration_seconds_bucket{${labels},le="60"} 3`,
      `http_request_duration_seconds_bucket{${labels},le="600"} 3`,
      `http_request_duration_seconds_bucket{${labels},le="+Inf"} 4`,
      `http_request_duration_seconds_sum{${labels}} 700.209`,
      `http_request_duration_seconds_count{${labels}} 4`,
    ])
  })

  it('are counted apart by method, route and status', () => {
    const durations = new RequestDurations()
    durations.observe(folders, 1)
    durations.observe({ ...folders, method: 'HEAD' }, 1)
    durations.observe({ ...folders, status: 404 }, 1)
    durations.observe({ ...folders, route: '/jobs' }, 1)
    durations.observe(folders, 1)
    const counts = [...durations.write().matchAll(/_count\{(.*)\} (\d+)/g)]
    expect(counts.map(([, labels, count]) => `${labels} ${count}`)).to.deep.equal([
      'method="GET",route="/folders",status="200" 2',
      'method="HEAD",route="/folders",status="200" 1',
      'method="GET",route="/folders",status="404" 1',
      'method="GET",route="/jobs",status="200" 1',
    ])
  })
})

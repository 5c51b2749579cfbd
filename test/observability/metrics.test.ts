import { expect } from 'chai'

import { type AskedGauge, createMetrics } from '../../src/observability/metrics.ts'

describe('metrics that are asked for', () => {
  const gauge = (name: string, read: AskedGauge['read']): AskedGauge => ({ name, help: 'h', read })

  it('are told while they are known, by their labels, and not as 0 when they no longer are', async () => {
    const answers: (() => ReturnType<AskedGauge['read']>)[] = [
      async () => [{ value: 7 }],
      async () => {
        throw new Error('the database is away')
      },
      () => new Promise<never>(() => undefined),
      async () => [{ value: 3 }],
    ]
    const metrics = createMetrics(
      [
        gauge('queued', () => answers.shift()!()),
        {
          ...gauge('parts', async () => [
            { labels: { part: 'database' }, value: 0 },
            { labels: { part: 'storage' }, value: 1 },
          ]),
          labelNames: ['part'],
        },
      ],
      { limitMs: 20 },
    )
    const told: (string | undefined)[] = []
    for (let look = 0; look < 4; look++) {
      const text = await metrics.write()
      told.push(/^queued (.*)$/m.exec(text)?.[1])
      expect(text).to.match(/^parts\{part="database"\} 0$/m)
      expect(text).to.match(/^parts\{part="storage"\} 1$/m)
      expect(text).to.match(/^process_resident_memory_bytes /m)
    }
    expect(told).to.deep.equal(['7', undefined, undefined, '3'])
  })
})

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { expect } from 'chai'
import { parse } from 'yaml'

import { useApp } from '../support/app.ts'

const FOLDER = resolve(import.meta.dirname, '../../deploy/monitoring')
const JOB = 'administration'

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[]
}

interface Dashboard {
  readonly panels: readonly { title: string; targets: readonly { expr: string }[] }[]
}

describe('metrics for operators', () => {
  const app = useApp()
  let told: string
  before(async () => {
    await app.client.as(await app.build.user()).get('/sources')
    told = (await app.client.get('/metrics')).text
  })

  const rules = parse(readFileSync(`${FOLDER}/alerts.yaml`, 'utf8')) as Rules
  const alerts = rules.groups.flatMap((group) => group.rules)
  const dashboard = JSON.parse(readFileSync(`${FOLDER}/dashboard.json`, 'utf8')) as Dashboard
  const expressions = [
    ...alerts.map(({ alert, expr }) => [alert, expr] as const),
    ...dashboard.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => [title, expr] as const),
    ),
  ]

  for (const [name, expression] of expressions) {
    it(`are reported by /metrics: ${name}`, () => {
      // A name of a series stands before its labels.
      const series = [...expression.matchAll(/([a-z_\d]+)\{job="([a-z]+)"/g)]
      expect(series).not.to.deep.equal([])
      for (const [, metric, job] of series) {
        expect(job).to.equal(JOB)
        // Prometheus itself tells whether it reaches a process.
        if (metric !== 'up') expect(told).to.match(new RegExp(`^${metric}[ {]`, 'm'))
      }
    })
  }

  it('tell of each part whether it answers', () => {
    for (const part of ['database', 'storage'])
      expect(told).to.include(`part_answers{part="${part}"} 1`)
  })

  it('count what waits in the queue', () => {
    expect(told).to.match(/^jobs_queued \d+$/m)
    expect(told).to.match(/^jobs_oldest_queued_seconds [\d.]+$/m)
  })
})

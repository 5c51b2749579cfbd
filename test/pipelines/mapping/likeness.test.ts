import { expect } from 'chai'

import type { TargetColumn } from '../../../pipelines/index.ts'
import { propose } from '../../../pipelines/mapping/propose.ts'
import { LABELLED } from '../../../benchmarks/mappings/labelled-headers.ts'

const column = (name: string, type: TargetColumn['type'] = 'text'): TargetColumn => ({
  name,
  column: name,
  aliases: [],
  isExpected: true,
  type,
  holds: 'nothing',
})

const bestOf = (header: string, columns: readonly string[]) => {
  const missing = columns.map((name, at) => ({ column: column(name), at: at + 7 }))
  const unknown = [{ header, at: 0, type: 'text', isBlank: false }] as const
  return propose(unknown, missing).get(header)![0]
}

describe('Likeness of names', () => {
  const proposed = LABELLED.map(([header, columns, is]) => ({ is, best: bestOf(header, columns) }))
  const shareRight = (list: typeof proposed) =>
    list.filter(({ is, best }) => best!.column === is).length / list.length

  it('is right in 95 of 100 where it says 0.9 or more', () => {
    const sure = proposed.filter(({ best }) => best!.confidence >= 0.9)
    expect(sure.length).to.be.at.least(40)
    const wrong = LABELLED.filter(
      (_pair, at) =>
        proposed[at]!.best!.confidence >= 0.9 && proposed[at]!.best!.column !== proposed[at]!.is,
    )
    expect(shareRight(sure), JSON.stringify(wrong)).to.be.at.least(0.95)
  })

  it('is right more often the surer it is', () => {
    const between = (from: number, to: number) =>
      shareRight(proposed.filter(({ best }) => best!.confidence >= from && best!.confidence < to))
    expect(between(0.9, 2)).to.be.above(between(0.5, 0.9))
    expect(between(0.5, 0.9)).to.be.above(between(0, 0.5))
  })

  it('is certain of none where two are as good', () => {
    const best = bestOf('Votes total', ['Total des votes', 'Total (votes)'])!
    expect(best.confidence).to.be.at.most(0.5)
  })

  it('is certain of none of several headers that could be one column', () => {
    const missing = ['Client', 'Montant'].map((name, at) => ({ column: column(name), at }))
    const unknown = ['client', 'CLIENT', 'Montants', 'Montant HT'].map((header, at) => ({
      header,
      at: at + 7,
      type: 'text' as const,
      isBlank: false,
    }))
    const found = propose(unknown, missing)
    const best = unknown.map(({ header }) => found.get(header)![0]!)
    expect(best.map((one) => one.column)).to.deep.equal(['Client', 'Client', 'Montant', 'Montant'])
    expect(best.map(({ confidence }) => confidence)).to.deep.equal([0.5, 0.5, 0.95, 0.5])
    expect(best[1]!.because.code).to.equal('mapping.byFold')
  })

  it('proposes nothing whose type does not fit', () => {
    const missing = [{ column: column('Montant', 'number'), at: 0 }]
    const unknown = [{ header: 'Montants', at: 0, type: 'text', isBlank: false }] as const
    expect(propose(unknown, missing).get('Montants')).to.deep.equal([])
  })

  it('proposes a column without a likeness by its place, and is not sure', () => {
    const missing = [3, 1]
      .map((at) => ({ column: column(`colonne ${at}`, 'date'), at }))
      .toReversed()
    const unknown = [{ header: 'Échéance', at: 3, type: 'date', isBlank: false }] as const
    const [best, other] = propose(unknown, missing).get('Échéance')!
    expect(best).to.include({ column: 'colonne 3', confidence: 0.3 })
    expect(other).to.include({ column: 'colonne 1', confidence: 0.1 })
  })

  it('compares 1,600 headers with 1,600 columns by their words alone', () => {
    const missing = Array.from({ length: 1600 }, (_, at) => ({
      column: column(`valeur ${at} x`),
      at,
    }))
    const unknown = missing.map(({ at }) => ({
      header: `x ${at} valeur`,
      at: 1599 - at,
      type: 'text' as const,
      isBlank: false,
    }))
    const found = propose(unknown, missing)
    expect(found.get('x 700 valeur')![0]).to.include({ column: 'valeur 700 x', confidence: 0.95 })
  })
})

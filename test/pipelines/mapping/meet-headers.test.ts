import { expect } from 'chai'
import * as fc from 'fast-check'

import { EngineError, type Expectation, type TargetColumn } from '../../../pipelines/index.ts'
import { describeMapping } from '../../../pipelines/mapping/describe-mapping.ts'
import { HeaderMeeting } from '../../../pipelines/mapping/meet-headers.ts'

const column = (name: string, ...aliases: string[]): TargetColumn => ({
  name,
  column: `sql_${name}`,
  aliases,
  isExpected: true,
  type: 'text',
  holds: 'nothing',
})

const expecting = (
  columns: readonly TargetColumn[],
  more: Partial<Expectation> = {},
): Expectation => ({ columns, unknown: 'add', missing: 'empty', given: {}, left: [], ...more })

async function meeting(expectation: Expectation, headers: readonly string[]) {
  const met = new HeaderMeeting(expectation)
  await met.meet(headers)
  met.requireGiven()
  return met
}

/** Header → how it met which column. */
async function metBy(expectation: Expectation, headers: readonly string[]) {
  const { headers: met } = await meeting(expectation, headers)
  return Object.fromEntries(met.map(({ header, by, name }) => [header, `${by}: ${name}`]))
}

async function mappingOf(expectation: Expectation, headers: readonly string[]) {
  const met = await meeting(expectation, headers)
  const found = met.headers.map((header) => ({ ...header, type: 'text' as const, isBlank: false }))
  return describeMapping({ expectation, headers: found })
}

const remembered = (...names: readonly string[]) => names.map((name) => ({ name, times: 1 }))

const refusalOf = (action: () => Promise<unknown>) =>
  action().then(
    () => expect.fail('it was not refused'),
    (error: unknown) => {
      expect(error).to.be.instanceOf(EngineError)
      return (error as EngineError).problem
    },
  )

describe('Headers and columns', () => {
  const clients = [column('Client'), column('Montant', 'Montant TTC'), column('Échéance')]

  it('meet by name, by the name folded, and by an alias', async () => {
    expect(await metBy(expecting(clients), ['ECHEANCE ', 'Montant TTC', 'Client'])).to.deep.equal({
      Client: 'name: Client',
      'Montant TTC': 'alias: Montant',
      'ECHEANCE ': 'folded: Échéance',
    })
  })

  it('meet by an alias folded, where it is the only one', async () => {
    expect(await metBy(expecting(clients), ['montant_ttc'])).to.deep.equal({
      montant_ttc: 'alias: Montant',
    })
  })

  it('prefer the name to a fold, and the fold to an alias', async () => {
    const columns = [column('a', 'B'), column('b'), column('A', 'c')]
    expect(await metBy(expecting(columns), ['A', 'B', 'c'])).to.deep.equal({
      A: 'name: A',
      B: 'folded: b',
      c: 'unknown: c',
    })
  })

  it('that fold alike are met by none', async () => {
    expect(await metBy(expecting([column('Client')]), ['client', 'CLIENT'])).to.deep.equal({
      client: 'unknown: client',
      CLIENT: 'unknown: CLIENT',
    })
    expect(await metBy(expecting([column('Client')]), ['Client', 'CLIENT'])).to.deep.equal({
      Client: 'name: Client',
      CLIENT: 'unknown: CLIENT',
    })
    const two = [column('Part %'), column('Part')]
    expect(await metBy(expecting(two), ['PART'])).to.deep.equal({ PART: 'unknown: PART' })
  })

  it('that are left over when two aliases claim one column stay unknown', async () => {
    const columns = [column('Montant', 'TTC', 'Total')]
    expect(await metBy(expecting(columns), ['TTC', 'Total'])).to.deep.equal({
      TTC: 'unknown: TTC',
      Total: 'unknown: Total',
    })
  })

  it('meet by what others remember, where all agree', async () => {
    const asked: (readonly string[])[] = []
    const recall = async (headers: readonly string[]) => {
      asked.push(headers)
      return new Map([
        ['TTC', remembered('Montant', 'MONTANT')],
        ['Nom', remembered('Client', 'Échéance')],
        ['Fin', remembered('Échéance', 'Livraison')],
      ])
    }
    expect(await metBy(expecting(clients, { recall }), ['TTC', 'Nom', 'Fin'])).to.deep.equal({
      TTC: 'others: Montant',
      Nom: 'unknown: Nom',
      Fin: 'unknown: Fin',
    })
    expect(asked).to.deep.equal([['TTC', 'Nom', 'Fin']])
  })

  it('meet the one column that is here, unless half of the others mean what is not here', async () => {
    const recall = async () =>
      new Map([
        ['TTC', [...remembered('Prix'), { name: 'Montant', times: 2 }]],
        ['Nom', [...remembered('Client'), { name: 'Ville', times: 1 }]],
        ['Fin', [...remembered('Client', 'Livraison'), { name: 'Échéance', times: 9 }]],
      ])
    expect(await metBy(expecting(clients, { recall }), ['TTC', 'Nom', 'Fin'])).to.deep.equal({
      TTC: 'others: Montant',
      Nom: 'unknown: Nom',
      Fin: 'unknown: Fin',
    })
  })

  it('are proposed what most of the others remember, as sure as there are many, and never taken so', async () => {
    const recall = async () =>
      new Map([
        ['TTC', [...remembered('Client'), { name: 'MONTANT', times: 38 }]],
        ['Nom', [...remembered('Client', 'Échéance')]],
      ])
    const { headers, questions } = await mappingOf(expecting(clients, { recall }), ['TTC', 'Nom'])
    expect(headers.map(({ by }) => by)).to.deep.equal(['proposed', 'proposed'])
    const [sure, unsure] = questions
    expect(sure!.proposals[0]).to.include({ column: 'Montant', confidence: 0.95 })
    expect(sure!.proposals[0]!.because.code).to.equal('mapping.mostly')
    expect(sure!.proposals[1]).to.include({ column: 'Client' })
    expect(unsure!.proposals[0]!.confidence).to.be.at.most(0.5)
  })

  it('do not ask others while every column has its header', async () => {
    const recall = () => expect.fail('it was asked')
    await metBy(expecting([column('a')], { recall }), ['a', 'b'])
  })

  it('are decided by hand before all else', async () => {
    const given = { Client: 'Montant', Montant: 'sql_Client', Notes: 'Notes', Total: null }
    const headers = ['Client', 'Montant', 'Notes', 'Total', 'échéance']
    expect(await metBy(expecting(clients, { given }), headers)).to.deep.equal({
      Client: 'given: Montant',
      Montant: 'given: Client',
      Notes: 'given: Notes',
      Total: 'left by hand: null',
      échéance: 'folded: Échéance',
    })
  })

  it('that lose their column by hand become new ones with a name of their own', async () => {
    const given = { Total: 'Client' }
    expect(await metBy(expecting(clients, { given }), ['Total', 'Client'])).to.deep.equal({
      Total: 'given: Client',
      Client: 'unknown: Client_2',
    })
  })

  it('that were left out before are left out again', async () => {
    const left = ['Notes', 'Client']
    expect(await metBy(expecting(clients, { left }), ['Notes', 'notes', 'Client'])).to.deep.equal({
      Notes: 'left before: null',
      notes: 'unknown: notes',
      Client: 'name: Client',
    })
  })

  it('called like members of every object are headers as any', async () => {
    const headers = ['__proto__', 'constructor', 'toString']
    const met = await metBy(expecting(headers.map((name) => column(name))), headers)
    expect(Object.values(met)).to.deep.equal(headers.map((name) => `name: ${name}`))
  })

  it('refuse a mapping to a column that is not there', async () => {
    const given = { TTC: 'Montan' }
    expect(await refusalOf(() => metBy(expecting(clients, { given }), ['TTC']))).to.deep.include({
      kind: 'options',
      pointer: '/mapping/TTC',
    })
  })

  it('refuse two headers for one column', async () => {
    const given = { TTC: 'Montant', 'a/b': 'sql_Montant' }
    expect(await refusalOf(() => metBy(expecting(clients, { given }), ['TTC', 'a/b']))).to.include({
      kind: 'options',
      pointer: '/mapping/a~1b',
    })
  })

  it('refuse a mapping of a header that is not there', async () => {
    const given = { TTC: 'Montant' }
    const refusal = await refusalOf(() => metBy(expecting(clients, { given }), ['Montant']))
    expect(refusal).to.include({ pointer: '/mapping/TTC' })
  })

  it('are never swapped: a thousand pairs under unknown headers stay questions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{4,12}$/), { minLength: 4, maxLength: 4 }),
        async ([a, b, x, y]) => {
          const mapping = await mappingOf(expecting([column(a!), column(b!)]), [x!, y!])
          expect(mapping.headers.every(({ by }) => by === 'proposed')).to.equal(true)
          expect(mapping.questions.map(({ kind }) => kind)).to.deep.equal(['renamed', 'renamed'])
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('meet the same columns, in whatever order they come and however they are folded', async () => {
    const names = ['Client', 'Date de début', 'N° facture', 'Montant TTC', 'Œuvre', 'Sans titre 1']
    const columns = names.map((name) => column(name))
    const folding = fc.constantFrom<(name: string) => string>(
      (name) => name,
      (name) => name.toUpperCase(),
      (name) => ` ${name}\t`,
      (name) => name.replaceAll(' ', '_'),
      (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
      (name) => `«${name}»`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(names, { minLength: names.length }),
        fc.array(folding, { minLength: names.length, maxLength: names.length }),
        async (order, foldings) => {
          const headers = order.map((name, at) => foldings[at]!(name))
          const { headers: met } = await meeting(expecting(columns), headers)
          expect(met.map(({ name }) => name)).to.deep.equal(order)
        },
      ),
    )
  })
})

describe('Questions about headers', () => {
  const clients = [column('Client'), column('Montant')]

  it('are asked where an unknown header could be a missing column', async () => {
    const { questions, missing, headers } = await mappingOf(expecting(clients), [
      'Client',
      'Montant TTC',
    ])
    expect(missing).to.deep.equal(['Montant'])
    expect(questions).to.have.length(1)
    expect(questions[0]).to.include({ kind: 'renamed', header: 'Montant TTC', column: 'Montant' })
    expect(questions[0]!.proposals[0]!.column).to.equal('Montant')
    expect(headers[1]).to.include({ by: 'proposed', column: 'Montant' })
  })

  it('are not asked where a header is only new, or a column only missing', async () => {
    expect((await mappingOf(expecting(clients), ['Client', 'Montant', 'Notes'])).questions).to.eql(
      [],
    )
    expect((await mappingOf(expecting(clients), ['Client'])).questions).to.eql([])
  })

  it('are asked of both where the shape says so', async () => {
    const asking = expecting(clients, { unknown: 'ask', missing: 'ask' })
    const { questions } = await mappingOf(asking, ['Client', 'Montant', 'Notes'])
    expect(questions).to.deep.equal([{ kind: 'unknown', header: 'Notes', proposals: [] }])
    const { questions: others } = await mappingOf(asking, ['Client'])
    expect(others).to.deep.equal([{ kind: 'missing', column: 'Montant', proposals: [] }])
  })

  it('are not asked of columns that nobody expects', async () => {
    const columns = [column('Client'), { ...column('Montant'), isExpected: false }]
    expect((await mappingOf(expecting(columns), ['Client', 'TTC'])).questions).to.deep.equal([])
  })

  it('are settled by an answer', async () => {
    const answered = expecting(clients, { given: { TTC: 'Montant' } })
    expect((await mappingOf(answered, ['Client', 'TTC'])).questions).to.deep.equal([])
    const asNew = expecting(clients, { given: { TTC: 'TTC' } })
    const { questions, headers } = await mappingOf(asNew, ['Client', 'TTC'])
    expect(questions).to.deep.equal([])
    expect(headers[1]).to.include({ by: 'given', column: 'TTC' })
  })
})

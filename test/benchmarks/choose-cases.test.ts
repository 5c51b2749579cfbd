import { expect } from 'chai'

import { chooseCases } from '../../benchmarks/cases/choose-cases.ts'
import { CASES } from '../../benchmarks/cases/index.ts'

const chosen = (...given: string[]) => chooseCases(given).map(({ name }) => name)

describe('the cases that a command line names', () => {
  it('are all but the one that needs a cluster where it names none', () => {
    const others = CASES.filter(({ name }) => name !== 'cluster')
    expect(chooseCases([])).to.deep.equal(others)
    expect(chosen('cluster')).to.deep.equal(['cluster'])
  })

  it('come in the order of the results, each once', () => {
    expect(chosen('http', 'csv', 'http')).to.deep.equal(['csv', 'http'])
  })

  it('are both kinds of JSON for `json`', () => {
    expect(chosen('excel', 'json')).to.deep.equal(['excel', 'json-array', 'ndjson'])
    expect(chosen('json', 'ndjson')).to.deep.equal(['json-array', 'ndjson'])
  })

  it('are refused where a name is unknown, by a sentence that names it', () => {
    expect(() => chosen('csv', 'toString')).to.throw('There is no case toString; there are csv,')
    expect(() => chosen('xml')).to.throw('There is no case xml')
  })

  it('are the labelled sheets of the reader’s own for `outline` and folders', () => {
    expect(chosen('outline')).to.deep.equal(['outline'])
    expect(chosen('outline', 'sheets', 'more-sheets')).to.deep.equal(['outline'])
    expect(chosen('outline', 'csv')).to.deep.equal(['csv', 'outline'])
  })

  it('are the published mappings of folders for `shapes`', () => {
    expect(chosen('shapes', 'sources')).to.deep.equal(['shapes'])
    expect(chosen('shapes', 'csv')).to.deep.equal(['csv', 'shapes'])
  })

  it('are one file of the reader’s own', () => {
    expect(chosen('ingest', 'a.csv')).to.deep.equal(['ingest'])
    expect(() => chosen('ingest')).to.throw('Name one file')
    expect(() => chosen('ingest', 'a.csv', 'b.csv')).to.throw('Name one file')
  })
})

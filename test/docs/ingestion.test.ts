import { expect } from 'chai'

import { ingestOptionsSchema, standardFormats } from '../../pipelines/index.ts'
import { useDatabase } from '../support/database.ts'
import { describeLoad } from './describe-load.ts'
import { describeSheet } from './describe-sheet.ts'
import { readExamples } from './ingestion-examples.ts'

describe('the guide to ingestion', () => {
  const database = useDatabase()
  const examples = readExamples('ingestion.md')

  for (const [index, { heading, bytes, options, result }] of examples.entries()) {
    it(`shows the real result of example ${index + 1}, ${heading}`, async () => {
      expect(await describeLoad(database, await bytes(), options)).to.equal(result)
    })
  }

  it('has an example of every option', () => {
    const shown = new Set(examples.flatMap(({ options }) => Object.keys(options)))
    const { properties } = ingestOptionsSchema(standardFormats()) as { properties?: object }
    expect([...shown].toSorted()).to.deep.equal(Object.keys(properties ?? {}).toSorted())
  })
})

describe('the page of sheets', () => {
  for (const { heading, bytes, options, result } of readExamples('sheets.md')) {
    it(`shows what is seen in ${heading}`, async () => {
      expect(await describeSheet(await bytes(), options)).to.equal(result)
    })
  }
})

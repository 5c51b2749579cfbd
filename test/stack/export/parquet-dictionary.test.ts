import { expect } from 'chai'

import {
  DictionaryMemory,
  dictionaryOf,
  ParquetValues,
  viewOf,
} from '../../../src/stack/export/parquet-values.ts'
import { growthTenfold, IN_PROPORTION } from '../../support/processor-time.ts'

function valuesOf(texts: readonly string[]): ParquetValues {
  const values = new ParquetValues()
  for (const text of texts) {
    const bytes = Buffer.from(text)
    values.takeBytes(viewOf(bytes), 0, bytes.length)
    values.endRow(true)
  }
  return values
}

describe('the dictionary of a column', () => {
  const memory = new DictionaryMemory()
  it('has every text once, and for each value which of them it is', () => {
    const dictionary = dictionaryOf(
      valuesOf(['Lyon', 'Paris', 'Lyon', 'Lyon', 'Paris', '']),
      null,
      memory,
    )!
    expect([...dictionary.indexes]).to.deep.equal([0, 1, 0, 0, 1, 2])
    expect(dictionary.words).to.equal(3)
    expect(dictionary.bitWidth).to.equal(2)
  })

  it('does not exist where hardly any text repeats', () => {
    const texts = Array.from({ length: 100 }, (_, row) => `text ${row}`)
    expect(dictionaryOf(valuesOf(texts), null, memory)).to.equal(null)
  })

  it('takes time in proportion to the values, also where they are alike but at their beginnings', async () => {
    const tail = 'x'.repeat(60)
    const growth = await growthTenfold((length) => {
      const texts = Array.from({ length }, (_, row) => `${1_000_000 + Math.floor(row / 3)}${tail}`)
      return dictionaryOf(valuesOf(texts), null, memory)
    })
    expect(growth).to.be.below(IN_PROPORTION)
  })
})

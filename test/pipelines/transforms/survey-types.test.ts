import { expect } from 'chai'

import type { ColumnOverride } from '../../../pipelines/core/options.ts'
import { TypeDetector } from '../../../pipelines/transforms/detect-types.ts'
import { TypeSurvey, type Surveyed } from '../../../pipelines/transforms/survey-types.ts'
import { createValueContext } from '../../../pipelines/transforms/value-context.ts'
import { cell, columnOf, type Cell } from '../cells.ts'

/** Decides on the sample alone, then surveys the sample and the rest. */
function survey(
  sample: (string | Cell)[],
  rest: (string | Cell)[],
  given: ColumnOverride['type'] | null = null,
): Surveyed {
  const context = createValueContext({}, null)
  const override = given === null ? null : { name: 'c', type: given }
  const detector = new TypeDetector(context, override)
  detector.observe(columnOf(sample), 0)
  const surveyed = new TypeSurvey(detector.decide().decision, context)
  surveyed.observe(columnOf(sample), 0)
  surveyed.observe(columnOf(rest, sample.length + 1), 0)
  return surveyed.result()
}

describe('A column whose type a later value breaks', () => {
  const widenings: [sample: (string | Cell)[], rest: (string | Cell)[], sqlType: string][] = [
    [['1'], ['2', 'N/A', ''], 'bigint'],
    [['1'], ['2.5'], 'numeric'],
    [['1'], ['2,5'], 'numeric'],
    [['1'], ['1,234'], 'bigint'],
    [['1'], ['2.5', '2,5'], 'text'],
    [['1'], ['abc'], 'text'],
    [['1'], ['007'], 'text'],
    [['1'], ['2.5', 'abc'], 'text'],
    [['1.5'], ['1,5'], 'text'],
    [['1,234'], ['1,5'], 'numeric'],
    [['oui'], ['peut-être'], 'text'],
    [['oui'], ['1'], 'text'],
    [['31/01/2024'], ['31/01/2024 10:00'], 'timestamptz'],
    [['31/01/2024'], ['hier'], 'date'],
    [[cell('json', '[]')], ['texte'], 'text'],
    [['texte'], ['1'], 'text'],
    [[cell('shownDigits', '75001')], [cell('shownDigits', '01000')], 'text'],
    [[cell('shownDigits', '75001')], [cell('number', '1.5')], 'numeric'],
    [[cell('shownDigits', '75001'), cell('number', '1')], [cell('shownDigits', '01000')], 'bigint'],
  ]
  for (const [sample, rest, sqlType] of widenings) {
    const shown = [...sample, ...rest].map((value) =>
      typeof value === 'object' ? value.text : value,
    )
    it(`and holds ${JSON.stringify(shown)} becomes ${sqlType}`, () => {
      expect(survey(sample, rest).decision.sqlType).to.equal(sqlType)
    })
  }

  it('names the first value that did not fit', () => {
    expect(survey(['1', '2'], ['3', '4,5', 'x']).cause).to.deep.equal({ row: 4, value: '4,5' })
    expect(survey(['1'], ['2']).cause).to.equal(null)
  })

  it('finds the notation that the whole input allows', () => {
    expect(survey(['1,234'], ['1,5']).decision).to.include({
      notation: 'comma-decimal',
      settled: true,
    })
    expect(survey(['1'], ['1,234'])).to.deep.include({ ambiguous: true })
  })
})

describe('A given type that a later value breaks', () => {
  it('is kept, and only makes room', () => {
    expect(survey(['1'], ['2.5', 'abc'], 'number').decision).to.include({
      type: 'number',
      sqlType: 'numeric',
      given: true,
    })
    expect(survey(['oui'], ['abc'], 'boolean').decision.sqlType).to.equal('boolean')
    expect(survey(['01/02/2024'], ['01/02/2024 10:00', 'x'], 'date').decision).to.include({
      sqlType: 'timestamptz',
      given: true,
    })
  })

  it('keeps a notation that was settled, whatever most of the rest says', () => {
    expect(survey(['1.5'], ['2,5', '3,5', '4,5'], 'number').decision).to.include({
      notation: 'point-decimal',
    })
    expect(survey(['1'], ['2,5', '3,5', 'x'], 'number').decision).to.include({
      notation: 'comma-decimal',
      sqlType: 'numeric',
    })
  })
})

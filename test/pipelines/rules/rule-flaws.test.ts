import { expect } from 'chai'

import type { ColumnType } from '../../../pipelines/core/options.ts'
import type { ColumnRule, RowRule } from '../../../pipelines/core/rule.ts'
import { columnRuleFlaws, rowRuleFlaws } from '../../../pipelines/rules/rule-flaws.ts'

const pointers = (rule: ColumnRule, type: ColumnType) =>
  columnRuleFlaws(rule, type).map(({ pointer }) => pointer)

describe('a rule that cannot be', () => {
  it('is of no kind, or of several', () => {
    expect(pointers({ severity: 'warning' }, 'text')).to.deep.equal([''])
    expect(pointers({ required: true, unique: true }, 'text')).to.deep.equal([''])
  })

  it('is of a type that knows no such thing', () => {
    expect(pointers({ minimum: 1 }, 'text')).to.deep.equal(['/minimum'])
    expect(pointers({ maxLength: 1 }, 'number')).to.deep.equal(['/maxLength'])
    expect(pointers({ matches: 'a' }, 'date')).to.deep.equal(['/matches'])
    expect(pointers({ format: 'siren' }, 'number')).to.deep.equal(['/format'])
    expect(pointers({ written: { type: 'integer' } }, 'text')).to.deep.equal(['/written/type'])
    expect(pointers({ oneOf: ['a'] }, 'json')).to.deep.equal(['/oneOf'])
  })

  it('has values that are none of the type', () => {
    expect(pointers({ oneOf: [1, '2', 'x'] }, 'number')).to.deep.equal(['/oneOf/2'])
    expect(pointers({ oneOf: ['2024-02-30', '2024-02-29'] }, 'date')).to.deep.equal(['/oneOf/0'])
    expect(pointers({ oneOf: [true, 'true'] }, 'boolean')).to.deep.equal(['/oneOf/1'])
    expect(pointers({ oneOf: [1] }, 'text')).to.deep.equal(['/oneOf/0'])
    expect(pointers({ minimum: 'hier' }, 'date')).to.deep.equal(['/minimum'])
    expect(pointers({ minimum: 'zéro' }, 'number')).to.deep.equal(['/minimum'])
  })

  it('has a pattern that RE2 does not know', () => {
    for (const pattern of ['(', '(?=a)', '(a)\\1', '[z-a]']) {
      expect(pointers({ matches: pattern }, 'text'), pattern).to.deep.equal(['/matches'])
    }
    expect(pointers({ matches: '^\\p{L}+$' }, 'text')).to.deep.equal([])
    const arrayItem = { constraints: { pattern: '(' } }
    expect(pointers({ written: { type: 'array', arrayItem } }, 'json')).to.deep.equal([
      '/written/arrayItem/constraints/pattern',
    ])
  })

  const columns = new Map(
    (['HT', 'TVA', 'TTC'] as const)
      .map((name) => ({ name, type: 'number' as ColumnType }))
      .concat([{ name: 'Nom' as 'HT', type: 'text' }])
      .map((column) => [column.name as string, column]),
  )
  const ofRow = (rule: RowRule) => rowRuleFlaws(rule, columns).map(({ pointer }) => pointer)

  it('names columns that are none, or do not go together', () => {
    expect(ofRow({ compare: ['HT', '<=', 'Rien'] })).to.deep.equal(['/compare/2'])
    expect(ofRow({ compare: ['HT', '<=', 'Nom'] })).to.deep.equal(['/compare'])
    expect(ofRow({ compare: ['HT', '!=', 'HT'] })).to.deep.equal(['/compare/2'])
    expect(ofRow({ sum: ['HT', 'TVA'] })).to.deep.equal([''])
    expect(ofRow({ sum: ['HT', 'HT'], equals: 'Nom' })).to.deep.equal(['/sum/1', '/equals'])
    expect(ofRow({ unique: ['HT', 'Rien'] })).to.deep.equal(['/unique/1'])
    expect(ofRow({ compare: ['HT', '<', 'TTC'] })).to.deep.equal([])
    expect(ofRow({ sum: ['HT', 'TVA'], equals: 'TTC', within: 0.01 })).to.deep.equal([])
  })
})

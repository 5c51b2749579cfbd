import { expect } from 'chai'

import type { NumberNotation } from '../../../pipelines/core/plan.ts'
import type { ColumnDecision } from '../../../pipelines/encoders/column-decision.ts'
import { cell, storedAs, type Cell } from '../cells.ts'

type Stored = [value: string | Cell | null, stored: string]

function number(
  sqlType: 'bigint' | 'numeric',
  notation: NumberNotation,
  given = false,
  settled = true,
): ColumnDecision {
  return { type: 'number', sqlType, notation, given, settled, unit: '' }
}

function suite(title: string, decision: ColumnDecision, cases: Stored[]): void {
  describe(title, () => {
    for (const [value, stored] of cases) {
      const shown = typeof value === 'object' && value !== null ? `${value.text} (typed)` : value
      it(`makes ${stored} of ${JSON.stringify(shown)}`, () => {
        expect(storedAs(decision, value)).to.equal(stored)
      })
    }
  })
}

suite('A text column', { type: 'text', sqlType: 'text', given: false }, [
  [' kept as it is ', '" kept as it is "'],
  ['null', '"null"'],
  ['N/A', '"N/A"'],
  ['é'.repeat(100), `"${'é'.repeat(100)}"`],
  ['\u00a0\u00a0', 'blank'],
  ['', 'blank'],
  [null, 'blank'],
  ['\u200b', '"\u200b"'],
  ['a\0b', 'unstorable'],
  [`${'a'.repeat(100)}\0`, 'unstorable'],
  [cell('json', '{"a":1,"b":[2]}'), String.raw`"{\"a\":1,\"b\":[2]}"`],
  [cell('date', '2024-01-31'), '"2024-01-31"'],
  [cell('number', '1e5'), '"1e5"'],
])

suite('A detected bigint column', number('bigint', 'plain', false, false), [
  ['0', '0'],
  ['-0', '0'],
  ['-12', '-12'],
  [' 12\u00a0', '12'],
  ['1 234 567', '1234567'],
  ['999999999999999', '999999999999999'],
  ['-999999999999999', '-999999999999999'],
  ['123456789012345678', '123456789012345678'],
  ['-123456789012345678', '-123456789012345678'],
  ['null', 'nullText'],
  ['N/A', 'wellKnown'],
  ['-', 'wellKnown'],
  ['\\N', 'wellKnown'],
  ['1,5', 'misfit'],
  ['1.5', 'misfit'],
  ['1e5', 'misfit'],
  ['007', 'misfit'],
  ['abc', 'misfit'],
  [cell('number', '9223372036854775807'), '9223372036854775807'],
  [cell('number', '-9223372036854775808'), '-9223372036854775808'],
  [cell('number', '9223372036854775808'), 'misfit'],
  [cell('number', '-9223372036854775809'), 'misfit'],
  [cell('number', '12345678901234567890'), 'misfit'],
  ['1234567890123456789', 'misfit'],
  [cell('boolean', 'true'), 'misfit'],
])

suite('A given number column', number('bigint', 'plain', true, true), [
  ['007', '7'],
  ['+33612345678', '33612345678'],
  ['000000000000000000000', 'misfit'],
  ['1e5', 'misfit'],
  ['abc', 'invalid'],
  ['inf', 'invalid'],
  ['NA', 'wellKnown'],
  [cell('boolean', 'true'), 'invalid'],
  [cell('json', '[1]'), 'invalid'],
])

suite('A numeric column with decimal commas', number('numeric', 'comma-decimal'), [
  ['0', '0'],
  ['0,0', '0.0'],
  ['-0,00', '0.00'],
  ['1,5', '1.5'],
  ['-1,50', '-1.50'],
  ['1,234', '1.234'],
  ['1.234', '1234'],
  ['1.234,56', '1234.56'],
  ['1 234,56', '1234.56'],
  [',5', '0.5'],
  ['0,00001', '0.00001'],
  ['12345678901234567890,12345678901234567890', '12345678901234567890.12345678901234567890'],
  ['100000000', '100000000'],
  ['10000,0001', '10000.0001'],
  ['1,5e3', '1500'],
  ['1,5e-3', '0.0015'],
  ['1e20', '100000000000000000000'],
  ['1.5', 'misfit'],
  [cell('number', '1.5'), '1.5'],
  [cell('number', '1.234'), '1.234'],
  [cell('number', '-1E-7'), '-0.0000001'],
])

suite('A numeric column that nothing has settled', number('numeric', 'plain', true, false), [
  ['0012', '12'],
  ['1,5', 'misfit'],
  ['abc', 'invalid'],
])

suite('A detected boolean column', { type: 'boolean', sqlType: 'boolean', given: false }, [
  ['oui', 'true'],
  ['NON', 'false'],
  ['Vrai', 'true'],
  ['faux', 'false'],
  [' TRUE ', 'true'],
  ['False', 'false'],
  ['yes', 'true'],
  ['no', 'false'],
  [cell('boolean', 'false'), 'false'],
  ['undefined', 'nullText'],
  ['#N/A', 'wellKnown'],
  ['1', 'misfit'],
  ['o', 'misfit'],
  ['ouiouioui', 'misfit'],
])

suite('A given boolean column', { type: 'boolean', sqlType: 'boolean', given: true }, [
  ['1', 'true'],
  [cell('number', '0'), 'false'],
  ['2', 'invalid'],
  ['peut-être', 'invalid'],
])

suite('A detected JSON column', { type: 'json', sqlType: 'jsonb', given: false }, [
  [cell('json', '{"a":[1,2]}'), '{"a":[1,2]}'],
  [cell('json', '{"a":"\\u0000"}'), 'unstorable'],
  ['{"a":1}', 'misfit'],
  ['', 'blank'],
])

suite('A given JSON column', { type: 'json', sqlType: 'jsonb', given: true }, [
  [' {"a": 1} ', '{"a": 1}'],
  ['12', '12'],
  [cell('number', '12'), '12'],
  ['null', 'nullText'],
  ['{a: 1}', 'invalid'],
  ['bonjour', 'invalid'],
])

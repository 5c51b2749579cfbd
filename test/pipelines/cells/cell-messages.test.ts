import { expect } from 'chai'

import { invalidCellMessage, shownValue } from '../../../pipelines/cells/cell-messages.ts'
import { columnOf } from '../cells.ts'

describe('What is said of an invalid cell', () => {
  it('begins with what is wrong, by type, and names the value', () => {
    expect(invalidCellMessage('date', '31/02/2024', 'DD/MM/YYYY').in('en')).to.equal(
      'Invalid date format: “31/02/2024” (expected format: DD/MM/YYYY)',
    )
    expect(invalidCellMessage('number', 'abc').in('en')).to.equal('Invalid number: “abc”')
    expect(invalidCellMessage('boolean', 'x').in('en')).to.equal('Invalid boolean: “x”')
    expect(invalidCellMessage('json', '{').in('en')).to.equal('Invalid JSON: “{”')
  })

  it('shows a long value cut between characters', () => {
    const batch = columnOf([`a${'😀'.repeat(100)}`, '😀'.repeat(100), null])
    expect(shownValue(batch, 0)).to.equal(`a${'😀'.repeat(99)}…`)
    expect(shownValue(batch, 1)).to.equal('😀'.repeat(100))
    expect(shownValue(batch, 2)).to.equal('')
  })

  it('shows a NUL by its picture, so that a report of it can be stored', () => {
    expect(shownValue(columnOf(['a\0b']), 0)).to.equal('a\u2400b')
  })
})

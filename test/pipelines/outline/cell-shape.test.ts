import { expect } from 'chai'

import { CellKind } from '../../../pipelines/core/batch.ts'
import { Shape, shapeOf } from '../../../pipelines/outline/cell-shape.ts'

const EXAMPLES: Readonly<Record<Exclude<keyof typeof Shape, 'blank'>, readonly string[]>> = {
  missing: ['-', '–', '...', 'n.d.', 'n/a', 'NA', '(NA)', '(X)', '\\N', '#N/A', '-----', 'null'],
  number: [
    '12',
    '-3,5',
    '1 234,56',
    '1\u202f234',
    "1'553'423",
    '1,234.50',
    '12 %',
    '€ 1,250',
    '1 200,00 EUR',
    '(1,000)',
    '45-',
    '1e-3',
    '< 0,10',
    '12.4 (p)',
    '00125',
    '.5',
  ],
  year: ['1999', '2021', '2005.0'],
  date: ['12/03/2024', '2024-03-12', '2024-03-12T08:30:00Z', '3 mars 2021', 'May 5, 2020', '14:05'],
  period: [
    'T1 2022',
    'Q3',
    'mars',
    'janv.',
    'March 2013',
    '2019-20',
    '2019/2020',
    '1990 \\2',
    '2022 (p)',
  ],
  label: ['Commune', 'MG-8769', '12 rue du Port', 'n', 'Nombre', '34+120', 'Marseille', '9h-12h'],
  prose: ['Les totaux peuvent différer de la somme des arrondis, comme toujours.'],
}

describe('the shape of a cell', () => {
  for (const [name, texts] of Object.entries(EXAMPLES)) {
    it(`is that of a ${name} in ${texts.slice(0, 3).join(', ')} and the like`, () => {
      const shapes = texts.map((text) => [text, shapeOf(text)])
      const wanted = texts.map((text) => [text, Shape[name as keyof typeof Shape]])
      expect(shapes).to.deep.equal(wanted)
    })
  }

  it('is blank where there is no text', () => {
    expect(shapeOf('')).to.equal(Shape.blank)
  })

  it('follows what a workbook knows of the cell', () => {
    expect(shapeOf('2021', CellKind.number)).to.equal(Shape.year)
    expect(shapeOf('1.5E+300', CellKind.number)).to.equal(Shape.number)
    expect(shapeOf('2021-03-01', CellKind.date)).to.equal(Shape.date)
    expect(shapeOf('true', CellKind.boolean)).to.equal(Shape.label)
  })
})

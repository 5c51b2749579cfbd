import { expect } from 'chai'

import { headerNames } from '../../../pipelines/outline/names.ts'
import { seenOf } from './rows.ts'

describe('the names that come of a header', () => {
  it('of one row are its cells as they are written', () => {
    const [row] = seenOf('x')
    expect(headerNames([{ ...row!, cells: [' Nom ', '', 'Ville'] }], 4)).to.deep.equal([
      ' Nom ',
      '',
      'Ville',
      '',
    ])
  })

  it('of several rows are joined from top to bottom', () => {
    const rows = seenOf(`
Date | T min | Pluie
     | °C    | mm`)
    expect(headerNames(rows, 3)).to.deep.equal(['Date', 'T min °C', 'Pluie mm'])
  })

  it('say once what is written twice, one below the other', () => {
    const rows = seenOf(`
Région | Sexe | 2015  | 2015 | 2020
Région | Sexe | Total | 2015 | Total`)
    expect(headerNames(rows, 5)).to.deep.equal([
      'Région',
      'Sexe',
      '2015 Total',
      '2015',
      '2020 Total',
    ])
  })

  it('take the name of their group, up to the next one', () => {
    const rows = seenOf(`
Pôle | 2021   |        | 2022   |
     | Femmes | Hommes | Femmes | Hommes`)
    expect(headerNames(rows, 5)).to.deep.equal([
      'Pôle',
      '2021 Femmes',
      '2021 Hommes',
      '2022 Femmes',
      '2022 Hommes',
    ])
  })

  it('go no further than the header is filled', () => {
    const rows = seenOf(`
Station | Température | Vent
        | °C          | km/h`)
    expect(headerNames(rows, 4)).to.deep.equal(['Station', 'Température °C', 'Vent km/h', ''])
  })

  it('go through three rows of groups', () => {
    const rows = seenOf(`
         | Public |       |       |      | Privé
         | 2021   |       | 2022  |      | 2021
Académie | F      | G     | F     | G    | F`)
    expect(headerNames(rows, 6)).to.deep.equal([
      'Académie',
      'Public 2021 F',
      'Public 2021 G',
      'Public 2022 F',
      'Public 2022 G',
      'Privé 2021 F',
    ])
  })

  it('end a group of a lower row where another group begins above it', () => {
    const rows = seenOf(`
Service | Payroll staff |     | Grand total |     | Comments
        | Employees     |     |             |     |
        | Headcount     | FTE | Headcount   | FTE |`)
    expect(headerNames(rows, 6)).to.deep.equal([
      'Service',
      'Payroll staff Employees Headcount',
      'Payroll staff Employees FTE',
      'Grand total Headcount',
      'Grand total FTE',
      'Comments',
    ])
  })

  it('reach exactly as far as cells were merged', () => {
    const rows = seenOf(`
École | Maternelle |    |    | Total
      | PS         | MS | GS |`)
    const merged = [{ firstLine: 1, lastLine: 1, firstColumn: 1, lastColumn: 2 }]
    expect(headerNames(rows, 5, merged)).to.deep.equal([
      'École',
      'Maternelle PS',
      'Maternelle MS',
      'GS',
      'Total',
    ])
  })

  it('do not hold rulers', () => {
    const rows = seenOf(`
Age  | Total
---- | -----
     | (1,000)`)
    expect(headerNames(rows, 2)).to.deep.equal(['Age', 'Total (1,000)'])
  })
})

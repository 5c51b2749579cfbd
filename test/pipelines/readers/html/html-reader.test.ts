import { expect } from 'chai'
import * as fc from 'fast-check'

import { htmlFormat } from '../../../../pipelines/readers/html/index.ts'
import { describeReader, failure, inChunks, readTable } from '../../../contracts/reader.ts'
import { textFixtures } from '../../../support/fixtures.ts'
import { turnsDuring } from '../../../support/turns.ts'

const inputs = textFixtures('html')

const tableOf = (html: string | Buffer, chunk = 64 * 1024) =>
  readTable(htmlFormat, () => inChunks(Buffer.from(html), chunk))

function large(): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, row) => `<tr><td>${row}<td>n° ${Math.sin(row)}`)
  return Buffer.from(`<table><tr><th>id<th>note${rows.join('\n')}</table>`)
}

describeReader('The reader of HTML tables', { format: htmlFormat, inputs, large })

describe('Tables of HTML', () => {
  it('are read as browsers show them', async () => {
    const { headers, rows } = await tableOf(
      inputs.find(({ name }) => name === 'portail.xls')!.bytes,
    )
    expect(headers.slice(0, 3)).to.deep.equal(['Nom', 'Ville & région', 'Montants'])
    expect(rows).to.deep.equal([
      ['Amélie', 'Besançon\nDoubs', '1\u{a0}234,50', '2 < 3'],
      ['Zoé B.', 'Brest', '7', 'gras'],
      [null, 'Lyon', '8', null],
    ])
  })

  it('take no longer for rows below cells that reach over many columns and rows', async () => {
    const wide = '<td colspan=1000 rowspan=65000>'.repeat(400)
    const { headers, rows } = await tableOf(
      `<table><tr><th>a<th>b<tr><td>1<td>2${wide}${'<tr></tr>'.repeat(20_000)}<tr><td>3<td>4</table>`,
    )
    expect(headers).to.deep.equal(['a', 'b'])
    expect(rows).to.have.length(20_002)
    expect([rows[0], rows.at(-1)]).to.deep.equal([
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('have cells beside those that reach down from rows above', async () => {
    const { rows } = await tableOf(
      `<table><tr><th>a<th>b<th>c<th>d<tr><td rowspan=2>1<td>2<td rowspan=3 colspan=2>3
       <tr><td>4<tr><td>5<td>6<tr><td>7<td>8<td>9<td>10</table>`,
    )
    expect(rows).to.deep.equal([
      ['1', '2', '3', null],
      [null, '4', null, null],
      ['5', '6', null, null],
      ['7', '8', '9', '10'],
    ])
  })

  it('inside of a layout are tables of their own', async () => {
    const page = inputs.find(({ name }) => name === 'mise-en-page.html')!.bytes
    const { headers, rows } = await tableOf(page)
    expect(headers).to.deep.equal(['id', 'nom', 'prix'])
    expect(rows).to.have.length(2)
  })

  it('have in a cell what it shows', async () => {
    const cells = [
      ['<span style="display:none">20240105</span>05/01/2024', '05/01/2024'],
      ["<b style='color:red; DISPLAY : none'>x<i>y<b>z</b></b>a", 'a'],
      ['<i hidden>x</i><i data-x="a hidden b" title=\'display:none\'>a</i>', 'a'],
      ['<img hidden><br style="display:none"/>a', 'a'],
      ['<div style=display:none>x<table><tr><td>y</td></tr></table>z</div>a', 'a'],
      ['<p hidden>x<script>"</p>"</script></p>a', 'a'],
      ['<span style="display:none-such; no-display:block">a</span>', 'a'],
      ['a<span hidden>x', 'a'],
      ['<span style="display:inline">a</span>', 'a'],
    ] as const
    for (const chunk of [3, 64 * 1024]) {
      const rows = cells.map(([html], at) => `<tr><td>${at}</td><td>${html}</td></tr>`)
      const page = `<table><tr><th>id<th>texte<b hidden>x</b></tr>${rows.join('')}</table>`
      const table = await tableOf(page, chunk)
      expect(table.headers).to.deep.equal(['id', 'texte'])
      expect(table.rows.map(([, value]) => value)).to.deep.equal(cells.map(([, value]) => value))
    }
  })

  it('give back any text that was escaped', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((value) =>
        value
          .normalize('NFC')
          .replaceAll(/[\s\p{C}]+/gu, ' ')
          .trim(),
      )
      .filter((value) => value !== '')
    const escaped = (value: string) =>
      value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#62;')
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (values) => {
        const cells = values.map(
          (value, row) => `<tr><td>${row}</td><td>${escaped(value)}</td></tr>`,
        )
        const page = `<table><tr><th>id</th><th>texte</th></tr>${cells.join('')}</table>`
        const { rows } = await tableOf(page, 7)
        expect(rows.map(([, value]) => value)).to.deep.equal(values)
      }),
      { numRuns: 40 },
    )
  })

  it('have the characters that references stand for, and signs that begin no tag', async () => {
    const cells = {
      'a &lt; b &amp;&amp; c &gt; d': 'a < b && c > d',
      'a < b & c > d &': 'a < b & c > d &',
      '&Eacute;t&eacute; &ccedil;&agrave; &Zcaron; &hearts; &copy 2024': 'Été çà Ž ♥ © 2024',
      '&#233;&#xE9;&#x1F600; &#128;': 'éé😀 €',
      '&unheardof; AT&T': '&unheardof; AT&T',
      'a&nbsp;b': 'a\u{a0}b',
      '<!-- <td> --><b>a</b><!>b<?php x ?>': 'ab',
    }
    for (const chunk of [1, 64 * 1024]) {
      const rows = Object.keys(cells).map((html, at) => `<tr><td>${at}</td><td>${html}</td></tr>`)
      const page = `<table><tr><th>id<th>texte</tr>${rows.join('')}</table>`
      const table = await tableOf(page, chunk)
      expect(table.rows.map(([, value]) => value)).to.deep.equal(Object.values(cells))
    }
  })

  it('give others their turn however many signs begin no tag', async () => {
    const page = `<table><tr><th>a<th>b<tr><td>1<td>${'<'.repeat(4_000_000)}`
    let rows: readonly (readonly (string | null)[])[] = []
    const turns = await turnsDuring(async () => ({ rows } = await tableOf(page, 64 * 1024)))
    expect(rows[0]![1]).to.have.length(4_000_000)
    expect(turns).to.be.at.least(20)
  })

  it('give others their turn however many tags there are', async () => {
    const page = `<table><tr><th>a<th>b<tr><td>1<td>2${'<tr><td>'.repeat(500_000)}`
    const turns = await turnsDuring(() => tableOf(page, page.length))
    expect(turns).to.be.at.least(page.length / (128 * 1024))
  })

  it('without an end are refused, or read to their end', async () => {
    for (const page of ['<table>'.repeat(100_000), `<table><tr><td>${'<br>'.repeat(300_000)}a`]) {
      await failure(tableOf(page).then(() => Promise.reject(new Error('read'))))
    }
    const { message } = await failure(tableOf(`<table><tr><td a="${'x'.repeat(600_000)}`))
    expect(message).to.match(/too long/)
  })
})

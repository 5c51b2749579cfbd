import ExcelJS from 'exceljs'
import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, footprint, sourceForm } from '../../support/sources.ts'
import { rawEntries } from '../../support/workbooks/raw-workbook.ts'
import { unzip } from '../../support/workbooks/unzip.ts'
import { zip, type ZipEntry } from '../../support/workbooks/zip-writer.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const STRICT_MAIN = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
const STRICT_OFFICE = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

const COLUMNS = [
  { name: 'Réf', type: 'text', rules: [{ required: true }] },
  { name: 'HT', type: 'number', rules: [{ minimum: 0 }] },
  { name: 'État', type: 'text', rules: [{ oneOf: ['ouvert', 'fermé'] }] },
]

/** A title over merged cells, a formula, a note, a picture, macros, another sheet, a name of a sheet. */
const SHEET = `<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>Devis de mars</t></is></c></row>
<row r="3"><c r="A3" t="inlineStr"><is><t>Réf</t></is></c><c r="B3" t="inlineStr"><is><t>HT</t></is></c><c r="C3" t="inlineStr"><is><t>État</t></is></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><t>A-1</t></is></c><c r="B4" s="1"><f>1+1</f><v>2</v></c><c r="C4" t="inlineStr"><is><t>ouvert</t></is></c></row>
<row r="5"><c r="B5" s="1"><v>-3</v></c><c r="C5" t="inlineStr"><is><t>ouvert</t></is></c></row>
<row r="6"><c r="A6" t="inlineStr"><is><t>A-3</t></is></c><c r="B6"><v>5</v></c><c r="C6" t="inlineStr"><is><t>perdu</t></is></c></row>
</sheetData><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells><drawing r:id="d"/><legacyDrawing r:id="v"/><tableParts count="0"/></worksheet>`

const OWN: Readonly<Record<string, string>> = {
  'xl/worksheets/_rels/sheet2.xml.rels':
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="v" Type="${OFFICE}/vmlDrawing" Target="../drawings/notes.vml"/>` +
    `<Relationship Id="n" Type="${OFFICE}/comments" Target="../comments7.xml"/><Relationship Id="d" Type="${OFFICE}/drawing" Target="../drawings/drawing1.xml"/></Relationships>`,
  'xl/comments7.xml': `<comments xmlns="${MAIN}"><authors><author>Anne</author></authors><commentList><comment ref="C6" authorId="0"><text><t>À revoir</t></text></comment><comment ref="A4" authorId="0"><text><r><t>Bien</t></r></text></comment></commentList></comments>`,
  'xl/drawings/notes.vml':
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202"/>' +
    '<v:shape id="_x0000_s1025" type="#_x0000_t202"><div>not<br>well-formed</div><x:ClientData ObjectType="Note"><x:Row>5</x:Row><x:Column>2</x:Column></x:ClientData></v:shape></xml>',
  'xl/drawings/drawing1.xml': '<drawing/>',
  'xl/media/image1.png': '\x89PNG of theirs',
  'xl/vbaProject.bin': 'macros of theirs',
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>`,
}

const BROKEN = [
  ['Réf', 'required'],
  ['HT', 'minimum'],
  ['État', 'oneOf'],
]

const workbook = (): Buffer => zip(workbookEntries())

function workbookEntries(): ZipEntry[] {
  const entries = rawEntries({
    sheets: [
      { name: 'Notes', rows: '' },
      { name: "Devis d'été", xml: SHEET },
    ],
    formats: ['General', '0.00'],
    more: Object.entries(OWN).map(([name, content]) => ({ name, content })),
  })
  return entries.map((entry) =>
    entry.name === 'xl/workbook.xml' ? { ...entry, content: named(String(entry.content)) } : entry,
  )
}

/** The workbook with each of its parts of XML written otherwise. */
const rewritten = (rewrite: (xml: string) => string): Buffer =>
  zip(
    workbookEntries().map((entry) =>
      isXml(entry.name) ? { ...entry, content: rewrite(String(entry.content)) } : entry,
    ),
  )

const isXml = (part: string): boolean =>
  /\.(?:xml|rels)$/.test(part) && !part.includes('/drawings/')

const prefixed = (xml: string): string =>
  xml.replaceAll(/<(\/?)(?=[A-Za-z])/g, '<$1x:').replace('xmlns="', 'xmlns:x="')

const named = (xml: string) =>
  xml
    .replace('<sheets>', '<bookViews><workbookView activeTab="1"/></bookViews><sheets>')
    .replace(
      '</sheets>',
      '</sheets><definedNames><definedName name="_xlnm.Print_Area" localSheetId="1">A1</definedName></definedNames>',
    )

describe('the file back', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())
  const shapeOf = async (as: TestClient) =>
    (await created(as.post('/shapes', { name: 'Devis', columns: COLUMNS }))).uuid as string

  async function back(
    as: TestClient,
    path: string,
    fields: object,
    content: Buffer | string,
    filename: string,
  ) {
    const answer = await fetch(app.address + path, {
      method: 'POST',
      headers: { 'x-app-access-token': await as.token(), accept: XLSX, 'accept-language': 'fr' },
      body: sourceForm(
        { ...fields },
        typeof content === 'string' ? content : new Uint8Array(content),
        filename,
      ),
    })
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }

  /** What is wrong with a workbook that is sent once more. */
  async function brokenIn(as: TestClient, shapeUuid: string, sent: Buffer) {
    const { status, body } = await as.request('POST', '/sources/check', {
      content: sourceForm({ shapeUuid }, new Uint8Array(sent), 'devis.xlsx'),
    })
    expect(status).to.equal(200)
    return body.errors.map((error: { column: string; rule: string }) => [error.column, error.rule])
  }

  async function opened(bytes: Buffer) {
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    )
    return book
  }

  const listOf = (book: ExcelJS.Workbook) => {
    const rows: unknown[][] = []
    book.worksheets[0]!.eachRow((row, number) => {
      if (number > 4)
        rows.push([row.getCell(1).text, ...[2, 3, 4, 6].map((at) => row.getCell(at).value)])
    })
    return rows
  }

  it('is the workbook that was sent, with the cells at fault marked and nothing else changed', async () => {
    const user = await app.build.user()
    const as = app.client.as(user)
    const shapeUuid = await shapeOf(as)
    const sent = workbook()
    const before = await footprint(app, user.enterprise!.id)
    const { status, headers, bytes } = await back(
      as,
      '/sources/check',
      { shapeUuid },
      sent,
      'devis.xlsm',
    )
    expect(status, bytes.toString()).to.equal(200)
    expect(headers.get('content-type')).to.include('macroEnabled')
    expect(headers.get('content-disposition')).to.include('devis.xlsm')
    const [was, is] = [await unzip(sent), await unzip(bytes)]
    const changed = [...was.keys()].filter((name) => !is.get(name)?.equals(was.get(name)!))
    expect(changed).to.have.members([
      '[Content_Types].xml',
      'xl/_rels/workbook.xml.rels',
      'xl/comments7.xml',
      'xl/drawings/notes.vml',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet2.xml',
    ])
    // The sheet is as it was but for the styles of three cells, of which one was not there.
    const sheet = is.get('xl/worksheets/sheet2.xml')!.toString()
    const [marked, added, other] = ['B5', 'A5', 'C6'].map((cell) => styleIn(sheet, cell))
    const unmarked = sheet
      .replace(`<c r="A5" s="${added}"/>`, '')
      .replace(`<c r="B5" s="${marked}">`, '<c r="B5" s="1">')
      .replace(`<c s="${other}" r="C6"`, '<c r="C6"')
    expect(unmarked).to.equal(SHEET)
    // What counts sheets by their place counts on.
    const book = is.get('xl/workbook.xml')!.toString()
    expect(book).to.include('activeTab="2"').and.to.include('localSheetId="2"')
    // The drawing, which is no XML, has the notes that were there and two more.
    const drawing = is.get('xl/drawings/notes.vml')!.toString()
    expect(drawing).to.include('not<br>well-formed').and.to.include('_x0000_s1027')
    expect(drawing.match(/<v:shape /g)).to.have.length(3)
    expect(await footprint(app, user.enterprise!.id)).to.deep.equal(before)
  })

  it('says at each cell what is wrong, below what others have said, and lists all with links', async () => {
    const as = await admin()
    const shapeUuid = await shapeOf(as)
    const { bytes } = await back(as, '/sources/check', { shapeUuid }, workbook(), 'devis.xlsx')
    const parts = await unzip(bytes)
    const notes = parts.get('xl/comments7.xml')!.toString()
    expect(notes).to.match(/<t>À revoir<\/t><r><t xml:space="preserve">\n«.perdu.» ne fait/)
    expect(notes).to.include(
      '<comment ref="A4" authorId="0"><text><r><t>Bien</t></r></text></comment>',
    )
    expect(notes).to.match(/<comment ref="A5" authorId="1">.*Une valeur est obligatoire/)
    const list = parts.get('xl/worksheets/sheet3.xml')!.toString()
    expect(list).to.include(`<hyperlink ref="A5" location="'Devis d''été'!A5" display="A5"/>`)
    expect(list).to.match(/>3.erreurs à corriger</)
  })

  it('of a strict workbook is strict in every part', async () => {
    const as = await admin()
    const shapeUuid = await shapeOf(as)
    const sent = rewritten((xml) =>
      xml.replaceAll(MAIN, STRICT_MAIN).replaceAll(OFFICE, STRICT_OFFICE),
    )
    const { status, bytes } = await back(as, '/sources/check', { shapeUuid }, sent, 'devis.xlsx')
    expect(status, bytes.toString()).to.equal(200)
    const parts = await unzip(bytes)
    for (const [name, content] of parts) {
      const part = content.toString()
      expect(part, name).to.not.include(MAIN)
      expect(part, name).to.not.include(OFFICE)
    }
    const list = parts.get('xl/worksheets/sheet3.xml')!.toString()
    expect(list).to.include(`<worksheet xmlns="${STRICT_MAIN}">`)
    const book = parts.get('xl/workbook.xml')!.toString()
    expect(book).to.include(`<sheet xmlns:r="${STRICT_OFFICE}" name="À corriger"`)
    expect(await brokenIn(as, shapeUuid, bytes)).to.deep.equal(BROKEN)
  })

  it('of a workbook whose elements have a prefix gives it to all that is added', async () => {
    const as = await admin()
    const shapeUuid = await shapeOf(as)
    const sent = rewritten(prefixed)
    const { status, bytes } = await back(as, '/sources/check', { shapeUuid }, sent, 'devis.xlsx')
    expect(status, bytes.toString()).to.equal(200)
    const [was, is] = [await unzip(sent), await unzip(bytes)]
    for (const name of was.keys()) {
      if (!isXml(name)) continue
      expect(is.get(name)!.toString(), name).to.not.match(/<\/?[A-Za-z][A-Za-z0-9]*[\s/>]/)
    }
    const sheet = is.get('xl/worksheets/sheet2.xml')!.toString()
    expect(sheet).to.match(/<x:c r="A5" s="\d+"\/>/)
    const notes = is.get('xl/comments7.xml')!.toString()
    expect(notes).to.match(/<x:t>À revoir<\/x:t><x:r><x:t xml:space="preserve">\n«.perdu/)
    expect(notes).to.include('<x:comment ref="A5" authorId="1">')
    expect(await brokenIn(as, shapeUuid, bytes)).to.deep.equal(BROKEN)
  })

  it('loads once it is corrected, and shows what was corrected as it was', async () => {
    const as = await admin()
    const shapeUuid = await shapeOf(as)
    const book = new ExcelJS.Workbook()
    const sheet = book.addWorksheet('Devis')
    sheet.addRows([
      ['Réf', 'HT', 'État'],
      ['A-1', 1, 'ouvert'],
      ['A-2', -2, 'perdu'],
    ])
    sheet.getCell('B3').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF00FF00' } }
    sheet.getCell('C3').note = 'Une note'
    const sent = Buffer.from(await book.xlsx.writeBuffer())
    const first = await back(as, '/sources/check', { shapeUuid }, sent, 'devis.xlsx')
    const half = await opened(first.bytes)
    expect(half.worksheets.map(({ name }) => name)).to.deep.equal(['À corriger', 'Devis'])
    expect(listOf(half)).to.deep.equal([
      ['B3', 3, 'HT', '-2', 'minimum'],
      ['C3', 3, 'État', 'perdu', 'oneOf'],
    ])
    expect(half.worksheets[1]!.getCell('B3').fill).to.have.nested.property(
      'fgColor.argb',
      'FFFFC7CD',
    )
    half.worksheets[1]!.getCell('B3').value = 2
    const again = Buffer.from(await half.xlsx.writeBuffer())
    const second = await back(as, '/sources/check', { shapeUuid }, again, 'devis.xlsx')
    const whole = await opened(second.bytes)
    expect(whole.worksheets).to.have.length(2)
    expect(listOf(whole)).to.deep.equal([['C3', 3, 'État', 'perdu', 'oneOf']])
    expect(whole.worksheets[1]!.getCell('B3').fill).to.have.nested.property(
      'fgColor.argb',
      'FF00FF00',
    )
    whole.worksheets[1]!.getCell('C3').value = 'fermé'
    const right = new Uint8Array(await whole.xlsx.writeBuffer())
    const source = await created(createFromFile(as, right, { shapeUuid }, 'devis.xlsx'))
    expect(source).to.include({ rowCount: 2, rejectedCount: 0 })
    expect(source.columns).to.have.length(3)
  })

  it('of a file that is no workbook has its rows as they were written, none of them a formula', async () => {
    const as = await admin()
    const source = await created(
      createFromFile(as, 'Réf;HT;État\nA-0;1;ouvert\n', { shapeUuid: await shapeOf(as) }),
    )
    const text = 'Réf;HT;État\n=1+1;01,50;ouvert\n\nA-2;x;ouvert;trop\nA-3;4;perdu\n'
    const { status, bytes } = await back(as, `/sources/${source.uuid}/check`, {}, text, 'devis.csv')
    expect(status, bytes.toString()).to.equal(200)
    const book = await opened(bytes)
    const [, sheet] = book.worksheets
    expect(sheet!.name).to.equal('Données')
    expect(sheet!.getCell('A2').value).to.equal('=1+1')
    expect(sheet!.getCell('B2').value).to.equal('01,50')
    expect(sheet!.getCell('D4').value).to.equal('trop')
    expect(listOf(book)).to.deep.equal([
      ['A4', 4, null, null, 'structure'],
      ['C5', 5, 'État', 'perdu', 'oneOf'],
    ])
    sheet!.getCell('D4').value = null
    sheet!.getCell('B4').value = 3
    sheet!.getCell('C5').value = 'fermé'
    const right = new Uint8Array(await book.xlsx.writeBuffer())
    const loaded = await as.request('POST', `/sources/${source.uuid}/reload`, {
      content: sourceForm({}, right, 'devis.xlsx'),
    })
    expect(loaded.status, loaded.text).to.equal(200)
    const { body } = await as.get(`/sources/${source.uuid}/data`)
    expect(body.items[0]).to.deep.equal({ Réf: '=1+1', HT: 1.5, État: 'ouvert' })
  })

  it('of a file that is right has nothing on its list', async () => {
    const as = await admin()
    const { status, bytes } = await back(as, '/sources/check', {}, 'Nom;N\nAnn;1\n', 'noms.csv')
    expect(status).to.equal(200)
    const book = await opened(bytes)
    expect(book.worksheets[0]!.getCell('A1').value).to.equal('Rien à corriger')
    expect(listOf(book)).to.deep.equal([])
  })

  it('is not made of more cells than people correct, unless it was a workbook', async () => {
    const as = await admin()
    const row = `${'a;'.repeat(999)}a\n`
    const header = `${Array.from({ length: 1000 }, (_, at) => `c${at}`).join(';')}\n`
    const { status, bytes } = await back(
      as,
      '/sources/check',
      {},
      header + row.repeat(2001),
      'x.csv',
    )
    expect(status).to.equal(413)
    expect(JSON.parse(bytes.toString())).to.include({ code: 'FileBackTooLargeException' })
  })

  it('is made anew for a key that comes again', async () => {
    const as = await admin()
    const keyed = async () =>
      fetch(`${app.address}/sources/check`, {
        method: 'POST',
        headers: {
          'x-app-access-token': await as.token(),
          accept: XLSX,
          'idempotency-key': 'again',
        },
        body: sourceForm({}, 'Nom;N\nAnn;1\n', 'noms.csv'),
      })
    for (const answer of [await keyed(), await keyed()]) {
      expect(answer.headers.get('content-type')).to.equal(XLSX)
      await opened(Buffer.from(await answer.arrayBuffer()))
    }
  })
})

const styleIn = (sheet: string, cell: string): string | undefined =>
  new RegExp(`<c (?:s="(\\d+)" r="${cell}"|r="${cell}" s="(\\d+)")`)
    .exec(sheet)
    ?.slice(1)
    .find(Boolean)

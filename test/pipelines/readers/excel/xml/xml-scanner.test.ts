import { expect } from 'chai'
import * as fc from 'fast-check'
import { SaxesParser } from 'saxes'

import { xmlName } from '../../../../../pipelines/readers/excel/xml/xml-name.ts'
import {
  type XmlHandler,
  XmlScanner,
} from '../../../../../pipelines/readers/excel/xml/xml-scanner.ts'

const NAMES = ['row', 'c', 'v', 'x:t', 'sheetData']

/** What a document says, as one line per thing said; texts in a row are one. */
function scan(document: string, chunkBytes: number): string[] {
  const said: string[] = []
  const names = new Map(NAMES.map((name) => [xmlName(name.replace(/^.*:/, '')), name]))
  let text = Buffer.alloc(0)
  const endText = () => {
    if (text.length > 0) said.push(`text ${JSON.stringify(text.toString())}`)
    text = Buffer.alloc(0)
  }
  const handler: XmlHandler = {
    open(name, attributes) {
      endText()
      const r = attributes.text(xmlName('r'))
      said.push(`open ${names.get(name)} ${JSON.stringify(r)}`)
      scanner.pause()
    },
    close(name) {
      endText()
      said.push(`close ${names.get(name)}`)
    },
    text(bytes, start, end) {
      text = Buffer.concat([text, bytes.subarray(start, end)])
    },
  }
  const scanner = new XmlScanner(handler, 'a part')
  const bytes = Buffer.from(document)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    scanner.feed(bytes.subarray(at, at + chunkBytes))
    while (scanner.run());
  }
  scanner.finish()
  return said
}

function reference(document: string): string[] {
  const said: string[] = []
  let text = ''
  let depth = 0
  const endText = () => {
    if (text !== '') said.push(`text ${JSON.stringify(text)}`)
    text = ''
  }
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    endText()
    depth += 1
    said.push(`open ${name} ${JSON.stringify(attributes['r'] ?? null)}`)
  })
  parser.on('closetag', ({ name }) => {
    endText()
    depth -= 1
    said.push(`close ${name}`)
  })
  const onText = (piece: string) => {
    if (depth > 0) text += piece
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(document).close()
  return said
}

/** What a text is made of; `]]>` may stand in it only as the end of a section. */
const PIECES = [
  ...'aé😀 \n\r]"',
  '\r\n',
  '&amp;',
  '&#233;',
  '&#x1F600;',
  '<![CDATA[<&]] >]]>',
  '<!-- - -> -->',
  '<?p ?>',
]

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''))

const attribute = fc.constantFrom(
  '',
  ' r="A1"',
  " r = 'b>c'",
  '\n r="&lt;&#65;"',
  ' x="1" r="2"',
  ' note="/>"',
)

const element = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    text,
    fc
      .tuple(fc.constantFrom(...NAMES), attribute, fc.array(tie('node'), { maxLength: 4 }))
      .map(([name, attributes, content]) => `<${name}${attributes}>${content.join('')}</${name} >`),
    fc.tuple(fc.constantFrom(...NAMES), attribute).map(([name, given]) => `<${name}${given}/>`),
  ),
})).node

describe('the XML scanner', () => {
  it('says the same as saxes, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(element, fc.integer({ min: 1, max: 40 }), (content, chunkBytes) => {
        const document = `<?xml version="1.0"?>\n<row>${content}</row>\n<!-- end -->`
        expect(scan(document, chunkBytes)).to.deep.equal(reference(document))
      }),
      { numRuns: 1500 },
    )
  })

  it('never takes a document that was cut short for a whole one', () => {
    const document = '<row r="1"><c><v>1</v><!-- x --><x:t><![CDATA[y]]></x:t></c></row>'
    for (let length = 0; length < document.length; length += 1) {
      expect(() => scan(document.slice(0, length), 7), document.slice(0, length)).to.throw()
    }
  })
})

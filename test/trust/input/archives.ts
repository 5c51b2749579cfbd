import { rawEntries, rawWorkbook, sheetXml, textRow } from '../../support/workbooks/raw-workbook.ts'
import { zip, type ZipEntry } from '../../support/workbooks/zip-writer.ts'
import { badFile, type BadFile, EMPTY, UNSUPPORTED } from './bad-file.ts'
import { cutAt } from './gzip.ts'
import { noise } from './noise.ts'

const CENTRAL = 0x02014b50
const END_BYTES = 22
const SHEET = 'xl/worksheets/sheet1.xml'

const says = /truncated or damaged/

/** Workbooks, and archives around a file, that are broken in every place they have. */
export function brokenArchives(): BadFile[] {
  const rows = Array.from({ length: 800 }, (_, row) =>
    textRow(String(row), (row * 7919).toString(36)),
  )
  const entries = rawEntries({ sheets: [{ rows: textRow('id', 'text') + rows.join('') }] })
  const workbook = zip(entries)
  const packedCsv = zip([{ name: 'table.csv', content: `id,text\n${'1,one\n'.repeat(5_000)}` }])
  const broken = { ...cuts(workbook), ...liesOf(entries), ...wrongNumbers(workbook) }
  return [
    ...Object.entries(broken).map(([name, bytes]) => badFile(name, bytes, { says })),
    ...[0.2, 0.5, 0.8].map((share) =>
      badFile(`a zip cut at ${share * 100} %`, cutAt(packedCsv, share), { says }),
    ),
    ...brokenXml(entries),
    badFile('without its sheet', zip(entries.filter(({ name }) => name !== SHEET)), {
      says: /damaged/,
    }),
    badFile('another method', zip(entries.map((entry) => ({ ...entry, methodNumber: 99 }))), {
      code: UNSUPPORTED,
      says: /in an unusual way \(method 99\), which is not supported\. Send/,
    }),
    badFile('an archive of nothing', zip([]), { code: EMPTY, says: /holds no file/ }),
    badFile('with a password', altered(entries, { flags: 1 }), {
      code: UNSUPPORTED,
      says: /password/,
    }),
  ]
}

function cuts(workbook: Buffer): Record<string, Buffer> {
  const lengths = [
    4,
    20,
    30,
    40,
    ...Array.from({ length: 19 }, (_, nth) => Math.floor((workbook.length * (nth + 1)) / 20)),
    ...[46, 23, 22, 21, 4, 1].map((left) => workbook.length - left),
  ]
  return Object.fromEntries(
    lengths.map((bytes) => [`a workbook cut after ${bytes} bytes`, workbook.subarray(0, bytes)]),
  )
}

/** The workbook with its sheet written otherwise. */
const altered = (entries: readonly ZipEntry[], change: Partial<ZipEntry>): Buffer =>
  zip(entries.map((entry) => (entry.name === SHEET ? { ...entry, ...change } : entry)))

function liesOf(entries: readonly ZipEntry[]): Record<string, Buffer> {
  return {
    'a size that is too small': altered(entries, { size: 100 }),
    'a size that is too large': altered(entries, { size: 1_000_000 }),
    'a size of none': altered(entries, { size: 0 }),
    'a size of 4 GB': altered(entries, { size: 0xfffffffe }),
    'a wrong checksum': altered(entries, { crc: 1 }),
    'noise for deflated data': altered(entries, { deflated: noise(5_000) }),
    'no deflated data': altered(entries, { deflated: Buffer.alloc(0) }),
    'a name that leaves the folder': zip([{ name: '../../table.csv', content: 'a,b\n1,2\n' }]),
    'a name from the root': zip([{ name: '/etc/table.csv', content: 'a,b\n1,2\n' }]),
  }
}

/** Other numbers in the directory: of its last entry, or of its end. */
function wrongNumbers(workbook: Buffer): Record<string, Buffer> {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(CENTRAL)
  const entry = workbook.lastIndexOf(mark)
  const end = workbook.length - END_BYTES
  const patched = (at: number, value: number, bytes: 2 | 4) => {
    const changed = Buffer.from(workbook)
    changed.writeUIntLE(value, at, bytes)
    return changed
  }
  return {
    'an entry behind the end': patched(entry + 42, 0x7fffffff, 4),
    'an entry in the middle of another': patched(entry + 42, 100, 4),
    'packed bytes behind the end': patched(entry + 20, 0x7fffffff, 4),
    'a directory behind the end': patched(end + 16, 0x7fffffff, 4),
    'a directory in the middle of an entry': patched(end + 16, 100, 4),
    'more entries than there are': patched(end + 10, 9_000, 2),
    'a comment that is longer than the file': patched(end + 20, 60_000, 2),
  }
}

function brokenXml(entries: readonly ZipEntry[]): BadFile[] {
  const content = String(entries.find(({ name }) => name === SHEET)!.content)
  const ends = Array.from({ length: 8 }, (_, nth) => {
    const cut = content.slice(0, Math.floor((content.length * (nth + 0.5)) / 8))
    return badFile(`a sheet whose XML ends early (${nth})`, altered(entries, { content: cut }), {
      says: /ends too early/,
    })
  })
  const others = Object.entries(XML).map(([what, [xml, words]]) =>
    badFile(what, rawWorkbook({ sheets: [{ xml }] }), { says: words }),
  )
  return [...ends, ...others]
}

const XML: Readonly<Record<string, readonly [xml: string, says: RegExp]>> = {
  'two roots': [`${sheetXml('')}<a/>`, /two roots/],
  'tags that do not match': [sheetXml('<row><c></row></c>'), /closes nothing/],
  'an entity of its own': [
    `<!DOCTYPE a [<!ENTITY b "c">]>${sheetXml(textRow('&b;'))}`,
    /document type declaration/,
  ],
  'entities that multiply': [
    `<!DOCTYPE a [${'abcdefghij'.replace(/./g, (name) => `<!ENTITY ${name} "${'&k;'.repeat(10)}">`)}]>${sheetXml('')}`,
    /document type declaration/,
  ],
  'a file from outside': [
    `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${sheetXml(textRow('&b;'))}`,
    /document type declaration/,
  ],
  'an entity that nobody declared': [sheetXml(textRow('&eacute;')), /means nothing: “&eacute;”/],
  'half a character': [sheetXml(textRow('&#xD83D;')), /means nothing/],
}

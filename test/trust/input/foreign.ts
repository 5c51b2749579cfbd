import { gzipSync } from 'node:zlib'

import { ole2 } from '../../../benchmarks/generators/ole2.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'
import { badFile, type BadFile, EMPTY, MALFORMED, UNSUPPORTED } from './bad-file.ts'
import { noise } from './noise.ts'

const csv = 'a,b\n1,2\n'
const hex = (text: string) => Buffer.concat([Buffer.from(text, 'hex'), noise(600)])
const stored = (name: string, content = '<x/>') => zip([{ name, content, method: 'store' }])

const kinds = (): Readonly<Record<string, readonly [content: string | Buffer, says: RegExp]>> => ({
  'an empty .xls': [ole2('Workbook'), /\.xls.*truncated or damaged/],
  'an empty .xls in gzip': [gzipSync(ole2('Workbook')), /\.xls/],
  'an encrypted workbook': [ole2('EncryptedPackage'), /remove the password/],
  'half an .xls': [ole2('Workbook').subarray(0, 700), /\.xls/],
  '.xlsb': [stored('xl/workbook.bin'), /\.xlsb/],
  'an .ods without a sheet': [
    zip([
      {
        name: 'mimetype',
        content: 'application/vnd.oasis.opendocument.spreadsheet',
        method: 'store',
      },
      { name: 'content.xml', content: '<x/>' },
    ]),
    /no sheet/,
  ],
  Numbers: [stored('Index/Document.iwa'), /Numbers/],
  '.docx': [stored('word/document.xml'), /Word/],
  '.pptx': [stored('ppt/presentation.xml'), /presentation/],
  'a zip of several files': [
    zip([
      { name: 'a.csv', content: csv },
      { name: 'b.csv', content: csv },
    ]),
    /a\.csv, b\.csv/,
  ],
  'a zip in a zip': [zip([{ name: 'a.zip', content: stored('a.csv', csv) }]), /once more/],
  'gzip in a zip': [zip([{ name: 'a.csv.gz', content: gzipSync(csv) }]), /once more/],
  'a zip with a password': [zip([{ name: 'a.csv', content: csv, flags: 1 }]), /password/],
  PDF: ['%PDF-1.7\n%âãÏÓ\n', /PDF/],
  PNG: [hex('89504e470d0a1a0a'), /image/],
  JPEG: [hex('ffd8ffe0'), /image/],
  Parquet: [hex('50415231'), /Parquet/],
  SQLite: ['SQLite format 3\0'.padEnd(600, '\x01'), /SQLite/],
  '7z': [hex('377abcaf271c'), /other than gzip/],
  RAR: [hex('526172211a0700'), /other than gzip/],
  xz: [hex('fd377a585a00'), /other than gzip/],
  zstd: [hex('28b52ffd'), /other than gzip/],
  bzip2: [hex('425a68'), /other than gzip/],
  'a program': [hex('7f454c46'), /program/],
  'a web page': ['\n<!DOCTYPE html>\n<html><body>Sign in</body></html>', /HTML/],
  RTF: ['{\\rtf1\\ansi a table}', /RTF/],
  'a web page in UTF-16': [Buffer.from('\ufeff<html><body>x</body></html>', 'utf16le'), /HTML/],
  tar: [Buffer.concat([Buffer.from('a.csv'.padEnd(257, '\0')), Buffer.from('ustar')]), /tar/],
  'XML with a DTD': ['<?xml version="1.0"?><!DOCTYPE a><rows><row>1</row></rows>', /DTD/],
  noise: [Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 7)), /binary data/],
})

/** Of kinds that are read, but for these. */
const EXCEPT: Readonly<Record<string, BadFile['code']>> = {
  'an empty .xls': MALFORMED,
  'an empty .xls in gzip': MALFORMED,
  'half an .xls': MALFORMED,
  'an .ods without a sheet': EMPTY,
  Parquet: MALFORMED,
  'XML with a DTD': MALFORMED,
}

/** Known kinds of files that hold no table, or one that is not read: each with what to do. */
export const foreignFiles = (): BadFile[] =>
  Object.entries(kinds()).map(([name, [content, says]]) =>
    badFile(name, content, { code: EXCEPT[name] ?? UNSUPPORTED, says }),
  )

import { gzipSync } from 'node:zlib'

import { createCsvFormat, csvFormat } from '../../../../pipelines/readers/csv/index.ts'
import { describeReader, type ReaderInput } from '../../../contracts/reader.ts'

const inputs: ReaderInput[] = [
  { name: 'line feeds', bytes: Buffer.from('a;b\n1;2\n3;4\n') },
  { name: 'carriage returns and line feeds', bytes: Buffer.from('a;b\r\n1;2\r\n3;4') },
  { name: 'carriage returns alone', bytes: Buffer.from('a;b\r1;2\r3;4\r') },
  { name: 'all three mixed', bytes: Buffer.from('a;b\r\n1;2\r3;4\n\r\n\r5;6\n\n') },
  {
    name: 'quotes in every place',
    bytes: Buffer.from(
      'a,"b ""c""",d\r\n"1","","x\r\ny\rz\n"\n"""","a""",""""""\n5" pipe,"q"tail","x"\r\n"last","",""',
    ),
  },
  {
    name: 'multi-byte characters',
    bytes: Buffer.from('prénom;ville;€\nÉlodie;"Saint-Étienne ""là""";💶\n𝒳;"日本\n語";\u00a0\n'),
  },
  { name: 'a byte order mark', bytes: Buffer.from('\ufeffé;b\n1;ü\n') },
  {
    name: 'UTF-16, little-endian, with a mark',
    bytes: Buffer.from('\ufeffé;b\r\n1;"💶;ü"\r\n', 'utf16le'),
  },
  {
    name: 'UTF-16, big-endian, without',
    bytes: Buffer.from('nom;b\r\n1;ü\r\n', 'utf16le').swap16(),
  },
  { name: 'windows-1252', bytes: Buffer.from('pr\xe9nom;prix\n\xc9lodie;5 \x80\n', 'latin1') },
  { name: 'gzip', bytes: gzipSync('é;b\n1;"x\ny"\n') },
  {
    name: 'two members of gzip',
    bytes: Buffer.concat([gzipSync('é;b\n1;"x'), gzipSync('y"\n2;3\n')]),
  },
  { name: 'a preamble', bytes: Buffer.from('Export du 3 mai\n\nnom;ville;âge\nA;B;1\nC;D;2\n') },
  {
    name: 'broken rows to be skipped',
    bytes: Buffer.from('a,b\n1\n1,2,3\n4,"open\n5,6\r\n"7",8'),
    options: { onInvalid: 'skip' },
  },
  {
    name: 'ragged rows to be fitted',
    bytes: Buffer.from('a,b\n1\n1,2,3\n4,5,\n"6","7","8"\n'),
    options: { ragged: 'fit' },
  },
  {
    name: 'a header row that is named',
    bytes: Buffer.from('x\n"y\ny"\na,b\n1,2\n'),
    options: { headerRow: 3 },
  },
]

const unusual: ReaderInput[] = [
  {
    name: 'a delimiter of two characters',
    bytes: Buffer.from('a||"b""c"||d\r\n1||"x||y"tail||5" pipe\n"z\r\nz"||||é'),
    options: { delimiter: '||' },
  },
  {
    name: 'quotes escaped by a backslash',
    bytes: Buffer.from('a,b\n1,"x\\"y"\n2,"z\\\\"\n"q\nq","\\"\\""\n'),
  },
  {
    name: 'delimiter and quote beyond ASCII',
    bytes: Buffer.from('é€b\r\n1€»x€y»\r\n2€z»»z\r\n'),
    options: { delimiter: '€', quote: '»' },
  },
  {
    name: 'broken rows to be skipped',
    bytes: Buffer.from('a||b\n1\n1||2||3\n4||"open\n5||6\r\n"7"||8'),
    options: { delimiter: '||', onInvalid: 'skip' },
  },
]

const large = () =>
  Buffer.from(
    `nom;date;montant\n${Array.from({ length: 30_000 }, (_, row) => `"Élodie ""${row}""";0${(row % 9) + 1}/05/2024;${row},5\n`).join('')}`,
  )

describeReader('the CSV reader', {
  format: csvFormat,
  inputs: [...inputs, ...unusual],
  large,
})
describeReader('the general CSV reader', {
  format: createCsvFormat(() => 'general'),
  inputs,
  large,
})

import iconv from 'iconv-lite'

/** Code pages of Windows and the Mac by number, where the web uses another name. */
const NAMES: Readonly<Record<number, string>> = {
  367: 'windows-1252',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  32768: 'macintosh',
  32769: 'windows-1252',
}

export type DecodeBytes = (bytes: Buffer) => string

/** Texts of BIFF5 are bytes in a code page, which the workbook names. */
export function byteText(codePage: number): DecodeBytes {
  const isWindows = codePage >= 1250 && codePage <= 1258
  const name = isWindows ? `windows-${codePage}` : NAMES[codePage]
  if (name !== undefined) {
    const decoder = new TextDecoder(name)
    return (bytes) => decoder.decode(bytes)
  }
  // Code pages of DOS by name, those of the Mac by number.
  const other = [`cp${codePage}`, String(codePage)].find((one) => iconv.encodingExists(one))
  if (other !== undefined) return (bytes) => iconv.decode(bytes, other)
  return byteText(1252)
}

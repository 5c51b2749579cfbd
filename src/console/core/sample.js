/** Enough to find a dialect and types; the rest of a large file stays where it is. */
export const SAMPLE_BYTES = 1024 * 1024

/** Enough for the rows that are shown, where most of them are short or there are many. */
const BEGINNING_BYTES = 64 * 1024
const BEGINNING_LINES = 150

const NEW_LINE = 0x0a
const QUOTE = 0x22

/**
 * The part of a file that a preview is made of. `whole` says that the sample is the file itself;
 * null means that the format cannot be told from its beginning, so that all of it has to be sent.
 * `beginning` holds no more than the rows that are shown; null where the sample is as short.
 */
export async function sampleOf(file) {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  const whole = file.size <= SAMPLE_BYTES
  const end = isCuttable(bytes) ? cutAfter(bytes) : 0
  if (!whole && end === 0) return null
  const sent = async (to) => ({
    blob: await gzipped(new Blob([bytes.subarray(0, to)])),
    name: `${file.name}.gz`,
  })
  const beginningEnd = end === 0 ? 0 : cutAfter(bytes.subarray(0, beginningSize(bytes)))
  const isShorter = beginningEnd > 0 && beginningEnd < end
  return {
    ...(whole ? { blob: file, name: file.name } : await sent(end)),
    whole,
    beginning: isShorter ? await sent(beginningEnd) : null,
  }
}

/** It is sent with every question, over lines that may be slow. */
const gzipped = (blob) =>
  new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob()

/** Rows may be long: so many bytes at least that most of what is shown is among them. */
function beginningSize(bytes) {
  let lines = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === NEW_LINE) lines++
    if (lines >= BEGINNING_LINES && at + 1 >= BEGINNING_BYTES) return at + 1
  }
  return bytes.length
}

/** Text in lines, one row after the other: not a workbook, an archive or one JSON document. */
function isCuttable(bytes) {
  if (isUtf16(bytes)) return true
  const head = bytes.subarray(0, 4096)
  if (head.some((byte) => byte < 9)) return false
  const start = [...head].findIndex((byte) => byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte))
  const first = String.fromCharCode(head[start])
  if (first === '<' || first === '[') return false
  if (first !== '{') return true
  const firstLine = new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(NEW_LINE, start)))
  try {
    JSON.parse(firstLine)
    return true
  } catch {
    // One document over many lines.
    return false
  }
}

const isUtf16 = ([a, b]) => (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)

/** Behind the last line that ends outside of quotes; where quotes do not pair up, the last line. */
function cutAfter(bytes) {
  if (isUtf16(bytes)) {
    for (let at = (bytes.length & ~1) - 2; at >= 2; at -= 2) {
      if (bytes[at] + bytes[at + 1] === NEW_LINE && (bytes[at] === 0 || bytes[at + 1] === 0))
        return at + 2
    }
    return 0
  }
  let quotes = 0
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) quotes++
    else if (bytes[at] === NEW_LINE && quotes % 2 === 0) end = at + 1
  }
  const last = bytes.lastIndexOf(NEW_LINE) + 1
  // A stray quote somewhere would leave all lines behind it out.
  return end > last / 2 ? end : last
}

import { Readable } from 'node:stream'
import { callbackify } from 'node:util'

import type { ZipFile } from 'yauzl'

import { MiB } from '../../core/mebibyte.ts'
import { later } from '../../core/later.ts'
import { closeFd, readAt, sizeOf } from '../flows/descriptors.ts'

const yauzl = later(() => import('yauzl'))

/** Bytes behind the end are looked through no further than this. */
const MOST_BYTES_BEHIND = MiB
const PIECE_BYTES = 64 * 1024
const END_MARK = Buffer.from('PK\x05\x06', 'latin1')
/** Without its comment. */
const END_BYTES = 22
/** Stands for an offset that does not fit; the archive is larger than 4 GiB. */
const ELSEWHERE = 0xffffffff

/**
 * An archive that other bytes follow: a line feed, zeros of a tape, what a server wrote behind its
 * answer. Null if none do. The descriptor belongs to it.
 */
export async function openCutZip(fd: number): Promise<ZipFile | null> {
  const size = await sizeOf(fd)
  const end = await endOfZip(fd, size)
  return end === size ? null : openFirstBytes(fd, end)
}

/** The file's size if its end is not found. */
async function endOfZip(fd: number, size: number): Promise<number> {
  const from = Math.max(0, size - MOST_BYTES_BEHIND)
  const bytes = await readAt(fd, from, size - from)
  let at = bytes.length - END_BYTES
  while (at >= 0 && (at = bytes.lastIndexOf(END_MARK, at)) >= 0) {
    const directoryBytes = bytes.readUInt32LE(at + 12)
    const directoryFrom = bytes.readUInt32LE(at + 16)
    const end = from + at + END_BYTES + bytes.readUInt16LE(at + 20)
    const isBehind = directoryFrom === ELSEWHERE || directoryFrom + directoryBytes <= from + at
    if (isBehind && end <= size) return end
    at -= 1
  }
  return size
}

async function openFirstBytes(fd: number, size: number): Promise<ZipFile> {
  const { fromRandomAccessReaderPromise, RandomAccessReader } = await yauzl()
  class FirstBytes extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number) {
      return Readable.from(piecesOf(fd, start, end), { objectMode: false })
    }

    override close(callback: (error: Error | null) => void) {
      callbackify(closeFd)(fd, callback)
    }
  }
  return fromRandomAccessReaderPromise(new FirstBytes(), size, { autoClose: false })
}

async function* piecesOf(fd: number, from: number, to: number) {
  for (let at = from; at < to;) {
    const piece = await readAt(fd, at, Math.min(PIECE_BYTES, to - at))
    if (piece.length === 0) return
    at += piece.length
    yield piece
  }
}

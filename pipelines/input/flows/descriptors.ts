import { close, fstat, open, read, write } from 'node:fs'
import { promisify } from 'node:util'

export const openFd = promisify(open)
export const closeFd = promisify(close)
export const readFd = promisify(read)
const statFd = promisify(fstat)
const writeFd = promisify(write)

export async function sizeOf(fd: number): Promise<number> {
  return (await statFd(fd)).size
}

/** Fewer bytes than asked for only where the file ends. */
export async function readAt(fd: number, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await readFd(fd, bytes, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** Appends to what was written before. */
export async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await writeFd(fd, bytes, from)
    from += bytesWritten
  }
}

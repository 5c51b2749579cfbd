const FREE = 0xffffffff
const END = 0xfffffffe
const TABLE = 0xfffffffd

/** What old and encrypted workbooks are kept in, with the name of the stream that tells which: an empty one. */
export function ole2(stream: string): Buffer {
  const container = Buffer.alloc(4096)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(container)
  container.writeUInt16LE(9, 30)
  container.writeUInt32LE(1, 44)
  container.writeUInt32LE(1, 48)
  container.writeUInt32LE(4096, 56)
  for (const at of [60, 68]) container.writeUInt32LE(END, at)
  container.fill(0xff, 76, 512)
  container.writeUInt32LE(0, 76)
  const table = [TABLE, END]
  for (let sector = 0; sector < 128; sector++) {
    container.writeUInt32LE(table[sector] ?? FREE, 512 + 4 * sector)
  }
  writeEntry(container, 1024, 'Root Entry', 5)
  writeEntry(container, 1152, stream, 2)
  return container
}

function writeEntry(container: Buffer, at: number, name: string, type: number): void {
  container.write(name, at, 'utf16le')
  container.writeUInt16LE(2 * name.length + 2, at + 64)
  container[at + 66] = type
  container.writeUInt32LE(END, at + 116)
}

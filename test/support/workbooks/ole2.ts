/** What old and encrypted workbooks are kept in, with the name of the stream that tells which. */
export function ole2(stream: string): Buffer {
  const container = Buffer.alloc(4096)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(container)
  container.writeUInt16LE(9, 30)
  container.writeUInt32LE(1, 48)
  container.write(`${stream}\0`, 1024 + 128, 'utf16le')
  return container
}

/** The same bytes, several at a time: faster than the methods of a buffer where there are many. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** A copy of the numbers with room for more after them. */
export function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}

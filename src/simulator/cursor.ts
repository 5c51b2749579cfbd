import { mix } from './mix.ts'

/**
 * Where the walk through the records of an item continues. Records are only ever added at the end,
 * so a position stays valid while they arrive. To clients it is an opaque word.
 */
export function writeCursor(itemSeed: number, position: number): string {
  return Buffer.from(`${position}.${mix(itemSeed, position)}`).toString('base64url')
}

/** Null for a cursor that was not issued for this item. */
export function readCursor(itemSeed: number, cursor: string): number | null {
  const match = /^(\d{1,9})\.(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) return null
  const position = Number(match[1])
  return mix(itemSeed, position) === Number(match[2]) ? position : null
}

/** The same each time. */
export const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => mixed(at) >>> 24))

/** 32 bits that look like chance. */
export const mixed = (at: number): number => Math.imul(at + 1, 2_654_435_761) >>> 0

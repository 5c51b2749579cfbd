import { MiB } from '../../../pipelines/index.ts'
import type { Extent } from '../section.ts'
import type { Length } from './victim.ts'

/** How much of everything; in the long form as much as once did harm. */
export interface Scale {
  readonly length: Length
  /** Clients of the account that ask for large pages. */
  readonly together: number
  readonly rejects: number
  readonly rejectBytes: number
  readonly wideRows: number
  readonly deepRows: number
  readonly streams: number
  readonly loads: number
  readonly cellBytes: number
  readonly partUploads: number
}

export const SCALES: Readonly<Record<Extent, Scale>> = {
  ci: {
    length: { rounds: 2 },
    together: 5,
    rejects: 17,
    rejectBytes: MiB,
    wideRows: 9,
    deepRows: 20_000,
    streams: 40,
    loads: 30,
    cellBytes: 17 * MiB,
    partUploads: 110,
  },
  short: {
    length: { seconds: 8 },
    together: 16,
    rejects: 60,
    rejectBytes: 2 * MiB,
    wideRows: 60,
    deepRows: 500_000,
    streams: 300,
    loads: 100,
    cellBytes: 55 * MiB,
    partUploads: 300,
  },
  long: {
    length: { seconds: 60 },
    together: 16,
    rejects: 100,
    rejectBytes: 3 * MiB,
    wideRows: 90,
    deepRows: 3_000_000,
    streams: 1_500,
    loads: 200,
    cellBytes: 55 * MiB,
    partUploads: 300,
  },
}

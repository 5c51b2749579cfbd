import { MiB } from '../../../pipelines/index.ts'
import type { Extent } from '../section.ts'

/** How much of everything; documents are ten times the folders. */
export interface Scale {
  readonly folders: number
  /** Short ones in turns, so that a minute's disturbance from elsewhere meets both. */
  readonly rounds: number
  readonly seconds: number
  readonly largeBytes: number
  readonly uploads: number
  readonly uploadBytes: number
}

export const SCALES: Readonly<Record<Extent, Scale>> = {
  ci: {
    folders: 1_000,
    rounds: 1,
    seconds: 2,
    largeBytes: 20 * MiB,
    uploads: 4,
    uploadBytes: 2 * MiB,
  },
  short: {
    folders: 10_000,
    rounds: 3,
    seconds: 2,
    largeBytes: 200 * MiB,
    uploads: 16,
    uploadBytes: 6 * MiB,
  },
  long: {
    folders: 100_000,
    rounds: 9,
    seconds: 4,
    largeBytes: 1024 * MiB,
    uploads: 16,
    uploadBytes: 50 * MiB,
  },
}

export type Operation =
  | 'HeadBucket'
  | 'CreateBucket'
  | 'ListObjectsV2'
  | 'ListMultipartUploads'
  | 'DeleteObjects'
  | 'PutObject'
  | 'GetObject'
  | 'HeadObject'
  | 'DeleteObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'ListParts'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'

/** One request that reached the server with a good signature. */
export interface Call {
  readonly operation: Operation
  readonly bucket: string
  readonly key: string | null
  /** The keys of a DeleteObjects. */
  keys?: readonly string[]
  /** Null while it is under way, and when its connection was cut. */
  status: number | null
  /** The fault it met. */
  fault?: Fault['kind']
}

export type Fault = {
  readonly operation: Operation
  readonly bucket?: string
  readonly key?: (key: string) => boolean
  /** How many calls it meets; default 1, Infinity for all. */
  readonly times?: number
} & Effect

type Effect =
  /** An error answer, nothing applied. */
  | { readonly kind: 'answer'; readonly status: number; readonly code: string }
  /** DeleteObjects answers 200, with these keys under `Errors` and still there. */
  | { readonly kind: 'key-errors'; readonly keys: (key: string) => boolean; readonly code: string }
  /** No answer, until the client gives up. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** The connection is reset, before or after the call was carried out. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** Parts that are joined are gone, and their object is not there before this. */
  | { readonly kind: 'joins-late'; readonly until: Promise<void> }
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number }
  /** The answer's body stands still, or is cut, after so many bytes. */
  | { readonly kind: 'stall-body'; readonly afterBytes: number }
  | { readonly kind: 'cut-body'; readonly afterBytes: number }

interface FaultPlan {
  add(fault: Fault): void
  clear(): void
  /** The first fault that meets the call; it is used up by that. */
  meet(call: Call): Fault | null
}

export function createFaultPlan(): FaultPlan {
  let pending: { fault: Fault; left: number }[] = []
  return {
    add(fault) {
      pending.push({ fault, left: fault.times ?? 1 })
    },
    clear() {
      pending = []
    },
    meet(call) {
      const entry = pending.find(
        ({ fault, left }) =>
          left > 0 &&
          fault.operation === call.operation &&
          (fault.bucket === undefined || fault.bucket === call.bucket) &&
          (fault.key === undefined || (call.key !== null && fault.key(call.key))),
      )
      if (!entry) return null
      entry.left -= 1
      return entry.fault
    },
  }
}

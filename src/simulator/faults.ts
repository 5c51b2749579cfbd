/** A way in which a remote application misbehaves, a number of times or permanently. */
export type Fault = FaultKind & FaultScope

export type FaultKind =
  /** Answers with a status; `retryAfter` is the value of the header. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'hang' }
  /** Sends the headers, then a byte now and then. */
  | { readonly kind: 'trickle'; readonly everyMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'malformed' }
  /** Declares a length, sends half of it and hangs up. */
  | { readonly kind: 'truncated' }
  | { readonly kind: 'wrong-content-type' }
  /** Well-formed JSON that is not the documented answer. */
  | { readonly kind: 'wrong-shape' }
  | { readonly kind: 'deep-nesting'; readonly depth: number }
  | { readonly kind: 'huge-page'; readonly bytes: number }
  /** gzip that expands to this many bytes. */
  | { readonly kind: 'compression-bomb'; readonly bytes: number }
  /**
   * An endless sequence of next cursors; with `honest` the total grows along, with `empty` there
   * are no rows.
   */
  | { readonly kind: 'endless-pages'; readonly honest?: boolean; readonly empty?: boolean }
  | { readonly kind: 'repeated-cursor' }
  | { readonly kind: 'wrong-total'; readonly by: number }
  /** To another address. */
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'redirect-loop' }

const REQUEST_PLACES = ['listing', 'item', 'records'] as const
export type RequestPlace = (typeof REQUEST_PLACES)[number]

interface FaultScope {
  /** Default: everywhere. */
  readonly on?: RequestPlace
  /** How often; default: until it is cleared. */
  readonly times?: number
  /** How many requests pass before it starts. */
  readonly after?: number
}

export function createFaultScript() {
  let armed: { fault: Fault; letPass: number; left: number }[] = []
  return {
    add(fault: Fault): void {
      armed.push({ fault, letPass: fault.after ?? 0, left: fault.times ?? Infinity })
    },
    clear(): void {
      armed = []
    },
    /** Takes the fault for a request; the one added first wins. */
    take(place: RequestPlace): FaultKind | null {
      for (const entry of armed) {
        if (entry.fault.on !== undefined && entry.fault.on !== place) continue
        if (entry.letPass > 0) {
          entry.letPass -= 1
          continue
        }
        entry.left -= 1
        if (entry.left <= 0) armed = armed.filter((other) => other !== entry)
        return entry.fault
      }
      return null
    },
  }
}

export type FaultScript = ReturnType<typeof createFaultScript>

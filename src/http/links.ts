import type { Readable } from 'node:stream'

/** Answers at the addresses of links when the storage is embedded. */
export interface LinkServer {
  /** Null: the address has expired, was altered, or is for something else. */
  deliver(url: string, request: DeliveryRequest): Promise<Delivery> | null
  /** The object that an address downloads; null as above. */
  downloadOf(url: string): NamedObject | null
  /** The object that a part's address belongs to; null as above. */
  uploadOf(url: string): NamedObject | null
  /** Null as above; throws if the upload no longer exists. */
  receive(url: string, part: ArrivingPart): Promise<ReceivedPart> | null
}

interface NamedObject {
  readonly bucket: string
  readonly path: string
}

interface DeliveryRequest {
  /** Lower-case names, as Node gives them. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

interface Delivery {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly stream: Readable | null
}

interface ArrivingPart {
  readonly contentLength: string | undefined
  readonly body: Readable
  readonly signal: AbortSignal
}

type ReceivedPart =
  | { readonly kind: 'stored'; readonly etag: string }
  | { readonly kind: 'no-upload' }

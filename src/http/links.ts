import type { Readable } from 'node:stream'

/** Answers at the addresses of links when the storage is embedded. */
export interface LinkServer {
  /** Null: the address has expired, was altered, or is for something else. */
  download(url: string): DownloadAtLink | null
  /** Null as above. */
  upload(url: string): UploadAtLink | null
}

interface DownloadAtLink {
  readonly bucket: string
  readonly path: string
  deliver(request: DeliveryRequest): Promise<Delivery>
}

interface UploadAtLink {
  readonly bucket: string
  readonly path: string
  receive(part: ArrivingPart): Promise<ReceivedPart>
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

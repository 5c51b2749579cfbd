import type { Readable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { StoredObject } from '../../storage/object-store.ts'

/** Where an object lies. */
export interface ObjectName {
  readonly bucket: string
  readonly path: string
}

export interface UploadOptions {
  /** First part of the key: which kind of row will own the object. */
  readonly prefix: 'documents' | 'sources'
  readonly contentType?: string
  readonly signal?: AbortSignal
}

/** A stream on its way into the store. Ends in `keep` or in `discard`, whatever happens. */
export interface UploadUnderWay extends ObjectName {
  /** Settles when the last byte is stored. The source's own error comes back as it is. */
  readonly stored: Promise<StoredObject>
}

/**
 * Objects that no row owns yet. A claim in the database stands for each until `keep`, so that
 * nothing is orphaned by a crash: claims of dead processes are swept together with their objects.
 */
export interface Uploads {
  /** The name of an object that is not there yet, and ours from now on. */
  claim(prefix: UploadOptions['prefix']): Promise<ObjectName>

  /** Claims an object and stores the stream as it; the stream is destroyed on failure. */
  begin(source: Readable, options: UploadOptions): Promise<UploadUnderWay>

  /** Inside the transaction that writes the row which owns the object from now on. */
  keep(client: Pick<ClientBase, 'query'>, object: ObjectName): Promise<void>

  /** For stored objects that wait for a worker: nobody needs to be alive for them meanwhile. */
  park(object: ObjectName, forMs: number): Promise<void>

  /** Waits for the upload to end and removes the object; what cannot be removed now is swept later. */
  discard(object: ObjectName | UploadUnderWay): Promise<void>

  /**
   * For an object of which nobody here knows what the store has, or whether a row owns it: the sweep
   * removes it unless it was kept.
   */
  abandon(object: ObjectName): Promise<void>

  /** Removes an object that a row has owned until now. Rejects when it is still there. */
  remove(object: ObjectName): Promise<void>

  /** Removes what dead processes left behind: objects and open multipart uploads. */
  sweep(): Promise<void>
}

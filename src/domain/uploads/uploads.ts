import type { Readable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { StoredObject } from '../../storage/object-store.ts'

/** The place of an object in the store. */
export interface ObjectName {
  readonly bucket: string
  readonly path: string
}

interface UploadOptions {
  /** The first part of the key, which says what kind of row will own the object. */
  readonly prefix: 'documents' | 'sources'
  readonly contentType?: string
  readonly signal?: AbortSignal
}

/** A stream that is being stored. It always ends in `keep` or `discard`. */
interface UploadUnderWay extends ObjectName {
  /** Settles when the last byte is stored. An error of the source is passed on unchanged. */
  readonly stored: Promise<StoredObject>
}

/**
 * Objects that no row owns yet. Until `keep`, each has a claim in the database, so a crash leaves
 * no unknown objects: the claims of dead processes are swept together with their objects.
 */
export interface Uploads {
  /** Names and claims an object that does not exist yet. */
  claim(prefix: UploadOptions['prefix']): Promise<ObjectName>

  /** Claims an object and stores the stream in it; on failure the stream is destroyed. */
  begin(source: Readable, options: UploadOptions): Promise<UploadUnderWay>

  /** Runs in the transaction that writes the row which owns the object from then on. */
  keep(client: Pick<ClientBase, 'query'>, object: ObjectName): Promise<void>

  /** For stored objects that wait for a worker: in the meantime no process needs to be alive for them. */
  park(object: ObjectName, forMs: number): Promise<void>

  /** Waits for the upload to end and removes the object; if that fails now, a sweep does it later. */
  discard(object: ObjectName | UploadUnderWay): Promise<void>

  /**
   * For an object of which this process knows neither what the store has nor whether a row owns
   * it: the sweep removes it unless it was kept.
   */
  abandon(object: ObjectName): Promise<void>

  /** Removes an object whose row was just deleted. Rejects if the object still exists. */
  remove(object: ObjectName): Promise<void>

  /** Removes what dead processes left behind: objects and open multipart uploads. */
  sweep(): Promise<void>
}

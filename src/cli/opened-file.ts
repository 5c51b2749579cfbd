import type { ByteSource } from '../../pipelines/index.ts'

/** The input of a command. Disposing of it removes its temporary files. */
export interface OpenedFile extends AsyncDisposable {
  readonly source: ByteSource
}

import type { ByteSource } from '../../pipelines/index.ts'

/** What a command reads; disposed of, it leaves nothing behind. */
export interface OpenedFile extends AsyncDisposable {
  readonly source: ByteSource
}

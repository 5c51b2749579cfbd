import {
  type Expectation,
  type IngestOptions,
  type Preview,
  SampleTooLongError,
  type DataSource,
} from '../../../pipelines/index.ts'
import { MOST_PAGE_BYTES } from '../../resources/page.ts'
import { previewTooLarge } from '../../stack/read/bounded-rows.ts'
import type { Ingest } from './ingest.ts'

/** The first rows, within the size limit of an answer. */
export async function showPreview(
  ingest: Pick<Ingest, 'preview'>,
  source: DataSource,
  options: IngestOptions,
  {
    expectation,
    ...control
  }: {
    readonly limit: number
    readonly signal: AbortSignal
    readonly expectation?: Expectation | undefined
  },
): Promise<Preview> {
  const mostBytes = MOST_PAGE_BYTES - ENVELOPE_BYTES
  try {
    return await ingest.preview(source, options, {
      ...control,
      ...(expectation && { expectation }),
      mostBytes,
    })
  } catch (error) {
    throw error instanceof SampleTooLongError ? previewTooLarge(error.rowsThatFit, error) : error
  }
}

/** Reserved for the description of the columns and the file. */
const ENVELOPE_BYTES = 1024 * 1024

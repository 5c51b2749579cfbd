import { createRecordLoader, type LoaderOptions, type RecordLoader } from './record-loader.ts'

export function createCardSubmissionsLoader(options: LoaderOptions): RecordLoader {
  return createRecordLoader(
    { resource: 'card', path: (uuid) => `/api/v1/cards/${uuid}/submissions` },
    options,
  )
}

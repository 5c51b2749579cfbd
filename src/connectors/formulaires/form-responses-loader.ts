import { createRecordLoader, type LoaderOptions, type RecordLoader } from './record-loader.ts'

export function createFormResponsesLoader(options: LoaderOptions): RecordLoader {
  return createRecordLoader(
    { resource: 'form', path: (uuid) => `/api/v1/forms/${uuid}/responses` },
    options,
  )
}

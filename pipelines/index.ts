export type { ByteSource, RecordColumn, RecordPage, RecordSource, Source } from './core/source.ts'

import { type Batch, cellText } from '../core/batch.ts'

/** The layout of rows that `rawFields` writes. */
export const RAW_FIELDS = { kind: 'fields', delimiter: ',', quote: '"' } as const

/** A row of a file without lines, as CSV, for the rejects table. */
export function rawFields(batch: Batch, row: number): string {
  return Array.from({ length: batch.width }, (_, column) =>
    csvField(cellText(batch, row, column) ?? ''),
  ).join(',')
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

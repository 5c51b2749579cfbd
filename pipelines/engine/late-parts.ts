/**
 * What is loaded when it is first needed. Loading takes the process for itself, so a service does it
 * before anybody asks.
 */
export const LATE_PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('yauzl'),
  () => import('../input/archive/read-entry.ts'),
  () => import('./intake.ts'),
  () => import('../readers/csv/general-reading.ts'),
  () => import('../readers/excel/workbook/open-workbook.ts'),
  () => import('../readers/excel/read-book.ts'),
  () => import('../readers/json/open-json.ts'),
  () => import('../readers/parquet/open-parquet.ts'),
  () => import('../readers/html/open-html.ts'),
  () => import('../readers/xml/open-records-of-xml.ts'),
  () => import('../readers/xml-spreadsheet/open-xml-book.ts'),
  () => import('../readers/ods/open-ods-book.ts'),
  () => import('../readers/xls/open-xls-book.ts'),
  () => import('../readers/fixed-width/open-widths.ts'),
  () => import('../readers/records/open-records.ts'),
  () => import('./give-back.ts'),
  () => import('exceljs'),
]

import { later } from '../core/later.ts'

/**
 * Of exceljs what writes workbooks. The whole package is 800 modules, most of them for what it
 * reads with, and holds the event loop while they are loaded; so it is loaded piece by piece: the
 * first two are parts of the third.
 */
later(() => import('exceljs/lib/utils/zip-stream.js'))
later(() => import('exceljs/lib/xlsx/xform/sheet/worksheet-xform.js'))

export const workbooks = later(() => import('exceljs/lib/doc/workbook.js'))
export const workbookWriters = later(() => import('exceljs/lib/stream/xlsx/workbook-writer.js'))

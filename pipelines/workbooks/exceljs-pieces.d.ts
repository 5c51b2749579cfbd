/** The modules of exceljs that exceljs.ts loads; the package has types for the whole alone. */
declare module 'exceljs/lib/doc/workbook.js' {
  export { Workbook as default } from 'exceljs'
}
declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  import type { stream } from 'exceljs'

  const WorkbookWriter: typeof stream.xlsx.WorkbookWriter
  export default WorkbookWriter
}
declare module 'exceljs/lib/utils/zip-stream.js'
declare module 'exceljs/lib/xlsx/xform/sheet/worksheet-xform.js'

import { zip } from './zip-writer.ts'

/** A spreadsheet of OpenDocument with these tables, in XML. */
export function odsOf(tables: string, styles = ''): Buffer {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s" xmlns:fo="f" xmlns:calcext="c"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
  return zip([
    {
      name: 'mimetype',
      content: 'application/vnd.oasis.opendocument.spreadsheet',
      method: 'store',
    },
    { name: 'content.xml', content, method: 'store' },
  ])
}

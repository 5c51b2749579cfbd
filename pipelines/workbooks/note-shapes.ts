/** A cell, both counted from 0. */
export interface NotedCell {
  readonly row: number
  readonly column: number
}

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'

const NAMESPACES =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"' +
  ' xmlns:x="urn:schemas-microsoft-com:office:excel"'

/** Numbers of shapes begin above this one. */
const FIRST_SHAPE = 1024
const WIDTH_COLUMNS = 3
const HEIGHT_ROWS = 5

/** The drawing of the notes of a sheet that had none: programs show no note without its shape. */
export const newShapes = (cells: readonly NotedCell[]): string =>
  `<xml ${NAMESPACES}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>` +
  `${SHAPE_TYPE}${shapes(cells, FIRST_SHAPE)}</xml>`

/**
 * A drawing with more shapes, without those at the cells of `removed`. It is text and not XML to us:
 * programs write drawings that are not well-formed.
 */
export function editedShapes(
  drawing: string,
  cells: readonly NotedCell[],
  removed: readonly NotedCell[],
): string {
  const kept = withoutShapes(drawing, removed)
  const end = kept.lastIndexOf('</xml>')
  if (end === -1) return newShapes(cells)
  const numbers = [...kept.matchAll(/_x0000_s(\d{1,9})/g)].map(([, number]) => Number(number))
  const last = numbers.reduce((one, other) => Math.max(one, other), FIRST_SHAPE)
  const added = `${kept.includes('"_x0000_t202"') ? '' : SHAPE_TYPE}${shapes(cells, last)}`
  return kept.slice(0, end) + added + kept.slice(end)
}

const shapes = (cells: readonly NotedCell[], lastNumber: number): string =>
  cells.map((cell, at) => shapeXml(cell, lastNumber + 1 + at)).join('')

function shapeXml({ row, column }: NotedCell, number: number): string {
  const anchor = [column + 1, 15, row, 2, column + 1 + WIDTH_COLUMNS, 15, row + HEIGHT_ROWS, 4]
  return (
    `<v:shape ${NAMESPACES} id="_x0000_s${number}" type="#_x0000_t202" fillcolor="#ffffe1" o:insetmode="auto"` +
    ' style="position:absolute;margin-left:60pt;margin-top:2pt;width:190pt;height:75pt;z-index:1;visibility:hidden">' +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  )
}

function withoutShapes(drawing: string, cells: readonly NotedCell[]): string {
  if (cells.length === 0) return drawing
  const removed = new Set(cells.map(({ row, column }) => `${row} ${column}`))
  const kept: string[] = []
  let at = 0
  for (;;) {
    const from = drawing.indexOf('<v:shape ', at)
    const end = from === -1 ? -1 : drawing.indexOf(SHAPE_END, from)
    if (end === -1) return kept.join('') + drawing.slice(at)
    const shape = drawing.slice(from, end + SHAPE_END.length)
    kept.push(drawing.slice(at, from))
    if (!removed.has(`${numberIn(shape, 'Row')} ${numberIn(shape, 'Column')}`)) kept.push(shape)
    at = end + SHAPE_END.length
  }
}
const SHAPE_END = '</v:shape>'

function numberIn(shape: string, element: string): string {
  const tag = `<x:${element}>`
  const from = shape.indexOf(tag)
  return from === -1 ? '' : String(Number.parseInt(shape.slice(from + tag.length), 10))
}

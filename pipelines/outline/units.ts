import { Shape } from './cell-shape.ts'
import { type Columns, holdsFigures } from './columns.ts'
import type { SeenRow } from './seen-row.ts'

/** `°C`, `km/h`, `µS/cm`, `€/hab.`, `mg/L`: short, and not the name of anything. */
const UNITS: ReadonlySet<string> = new Set(
  '% ‰ ° °c °f k € $ £ k€ m€ md€ keur meur eur euros usd chf fr. mm cm m km ha a m2 m² km2 km² m3 m³ l hl ml g kg mg µg t q kt s min h j jours ms hz khz mhz w kw mw gw kwh mwh gwh twh v mv a ma n kn pa hpa kpa mpa bar mbar ph ntu nfu ppm db lux nb nombre hab. habitants tep ktep mtep pts points unités %hr mol rpm'.split(
    ' ',
  ),
)

/** Every filled cell is a unit, and there are figures below. */
export function areUnits({ texts, shapes, filled }: SeenRow, below: Columns): boolean {
  const columns = filled.filter((column) => shapes[column] !== Shape.missing)
  return (
    columns.some((column) => holdsFigures(below, column)) &&
    columns.every((column) => isUnit(texts[column]!))
  )
}

function isUnit(text: string): boolean {
  const bare = /^[[(]/.test(text) && /[\])]$/.test(text) ? text.slice(1, -1).trim() : text
  const parts = bare.toLowerCase().split('/')
  return parts.length <= 3 && parts.every((part) => UNITS.has(part.replace(/^(?:en|in) /, '')))
}

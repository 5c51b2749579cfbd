import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What people wrote of one file: the header of each field, where one header is one field. */
export interface PublishedMapping {
  /** Mappings of one publisher: none of them may answer for another. */
  readonly publisher: string
  /** Header → field. */
  readonly fields: ReadonlyMap<string, string>
}

/** The part of a description by OpenAddresses that tells headers: `sources/` of its repository. */
interface Description {
  readonly layers?: Readonly<Record<string, readonly { readonly conform?: Conform }[]>>
}
type Conform = Readonly<Record<string, string | { readonly field?: string } | readonly string[]>>

/** The fields of an address; the rest of a description says how a file is read. */
const FIELDS = ['number', 'street', 'unit', 'city', 'district', 'region', 'postcode', 'id']

/** All descriptions below a folder, in the order of their names. */
export function readMappings(folder: string): readonly PublishedMapping[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .toSorted()
    .flatMap((path) => {
      const { layers } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Description
      return (layers?.['addresses'] ?? []).flatMap(({ conform = {} }) => {
        const fields = fieldsOf(conform)
        return fields.size > 0 ? [{ publisher: path, fields }] : []
      })
    })
}

/** Headers that are joined to a field are none of its names, and what is taken apart is not one field. */
function fieldsOf(conform: Conform): ReadonlyMap<string, string> {
  const headers = FIELDS.flatMap((field): [string, string][] => {
    const said = conform[field]
    const header = typeof said === 'string' ? said : said && 'field' in said ? said.field : null
    return typeof header === 'string' && header !== '' ? [[header, field]] : []
  })
  const times = Map.groupBy(headers, ([header]) => header)
  return new Map(headers.filter(([header]) => times.get(header)!.length === 1))
}

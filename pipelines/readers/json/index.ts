import { defineFormat, type Certainty } from '../../core/format.ts'
import { JSON_OPTIONS } from './json-options.ts'
import { jsonMessages } from './messages.ts'
import type { InputHead } from '../../core/input.ts'
import { beginningOf } from '../../input/text/encoding.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('./open-json.ts'))

/**
 * Rows that are objects: the elements of an array, the documents of a sequence (newline-delimited
 * or not), the elements of an array inside a document, the members of an object; or arrays under a
 * header. Where they are is found by the rule of `RowsSearch`, or named by the option `path`; the
 * empty path makes every document a row.
 */
export const jsonFormat = defineFormat({
  name: 'json',
  messages: [jsonMessages],
  sourceType: 'JSON',
  options: JSON_OPTIONS,
  recognises: recognisesJson,
  async open(input, context) {
    const { openJson } = await reader()
    return openJson(input, context)
  },
})

/** An object, or an array of valid JSON values: `[id],[name]` is a header in CSV. */
const JSON_START = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{\]"\d-]|true\b|false\b|null\b|$))/

/** Rows in JSON: no header of delimited text begins like this. */
const CERTAIN_START = /^\s*(?:\{\s*"[^"\\]*"\s*:|\[\s*\{\s*["}]|\[\s*\[\s*(?:["\d-]|null\b))/

/** A line that could be a document: the first ones of a sequence may be broken. */
const DOCUMENT_START = /(?:^|[\r\n])[^\S\r\n]*[[{]/

function recognisesJson(head: InputHead): Certainty {
  if (head.members !== null) return 'no'
  const text = textOf(head)
  if (CERTAIN_START.test(text)) return 'certainly'
  if (JSON_START.test(text) || COMMENTED_START.test(text)) return 'likely'
  // If the request says so, it is worth reading as JSON, if only to report where it is broken.
  return DOCUMENT_START.test(text) ? 'perhaps' : 'no'
}

/**
 * JSON has no comments, but what begins with one and continues like JSON is not delimited text:
 * its reader says what is wrong with it.
 */
const COMMENTED_START =
  /^\s*(?:\/\/[^\r\n]*[\r\n]\s*|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)+(?:\{\s*"[^"\\]*"\s*:|\[\s*[{[])/

/** Counted from the first that is not blank; longer comments are not recognised. */
const CHARACTERS_LOOKED_AT = 4096

/**
 * ASCII is enough here. In UTF-16 every other byte of it is zero, and in a JSON text sequence a
 * separator precedes every document; the reader deals with both.
 */
function textOf({ bytes }: InputHead): string {
  const shown = beginningOf(bytes).replaceAll('\x1e', ' ').trimStart()
  return shown.slice(0, CHARACTERS_LOOKED_AT)
}

/** Where both kinds of collections have their features, and where a sequence of features has them. */
const FEATURES = { kind: 'features', path: ['features'], others: [] } as const
const FEATURES_PATH = '/features'
const SEQUENCE = { kind: 'documents', many: true, areFeatures: true } as const

/**
 * Collections of features, as GeoJSON and Esri's programs write them: the properties (attributes) of
 * a feature are its columns, beside its geometry. They may also come one after another, each a document
 * of its own. With another `path` it is read as any other JSON.
 */
export const geojsonFormat = defineFormat({
  name: 'geojson',
  messages: [jsonMessages],
  sourceType: 'JSON',
  options: JSON_OPTIONS,
  recognises: recognisesFeatures,
  async open(input, context) {
    const { openJson } = await reader()
    const { path } = context.options
    if (path === undefined && beginsWithFeature(textOf(input.head))) {
      return openJson(input, context, SEQUENCE)
    }
    return openJson(input, context, (path ?? FEATURES_PATH) === FEATURES_PATH ? FEATURES : null)
  },
})

const COLLECTION = /"type"\s*:\s*"FeatureCollection"/
/** What says that it is a collection may stand behind the features, or nowhere, as in Esri's. */
const FIRST_FEATURE =
  /"features"\s*:\s*\[\s*\{\s*"(?:type"\s*:\s*"Feature"|attributes"\s*:|geometry"\s*:|properties"\s*:)/

/** A feature on its own, which may tell its type behind its properties. */
const FEATURE_START = /^\{\s*"(?:type"\s*:\s*"Feature"|properties"\s*:\s*\{|geometry"\s*:\s*\{)/
const FEATURE = /"type"\s*:\s*"Feature"/

const beginsWithFeature = (text: string) =>
  FEATURE_START.test(text) && FEATURE.test(text) && text.includes('"geometry"')

function recognisesFeatures(head: InputHead): Certainty {
  const { bytes, members } = head
  if (members !== null) return 'no'
  if (beginsWithFeature(textOf(head))) return 'certainly'
  const text = beginningOf(bytes)
  if (!text.startsWith('{')) return 'no'
  const at = text.indexOf('"features"')
  if (at === -1) return 'no'
  return COLLECTION.test(text.slice(0, at)) || FIRST_FEATURE.test(text) ? 'certainly' : 'no'
}

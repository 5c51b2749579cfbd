import { defineFormat, type Certainty } from '../../core/format.ts'
import { JSON_OPTIONS } from '../json/json-options.ts'
import { jsonMessages } from '../json/messages.ts'
import type { InputHead } from '../../core/input.ts'
import { beginningOf } from '../../input/text/beginning-of.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('../json/open-json.ts'))

/** Where both kinds of collections have their features. */
const FEATURES = { kind: 'features', path: ['features'], others: [] } as const
const FEATURES_PATH = '/features'

/**
 * Collections of features, as GeoJSON and Esri's programs write them: the properties (attributes) of
 * a feature are its columns, beside its geometry. With another `path` it is read as any other JSON.
 */
export const geojsonFormat = defineFormat({
  name: 'geojson',
  messages: [jsonMessages],
  sourceType: 'JSON',
  options: JSON_OPTIONS,
  recognises: recognisesFeatures,
  async open(input, context) {
    const { openJson } = await reader()
    const { path = FEATURES_PATH } = context.options
    return openJson(input, context, path === FEATURES_PATH ? FEATURES : null)
  },
})

const COLLECTION = /"type"\s*:\s*"FeatureCollection"/
/** What says that it is a collection may stand behind the features, or nowhere, as in Esri's. */
const FIRST_FEATURE =
  /"features"\s*:\s*\[\s*\{\s*"(?:type"\s*:\s*"Feature"|attributes"\s*:|geometry"\s*:|properties"\s*:)/

function recognisesFeatures({ bytes, members }: InputHead): Certainty {
  if (members !== null) return 'no'
  const text = beginningOf(bytes)
  if (!text.startsWith('{')) return 'no'
  const at = text.indexOf('"features"')
  if (at === -1) return 'no'
  return COLLECTION.test(text.slice(0, at)) || FIRST_FEATURE.test(text) ? 'certainly' : 'no'
}

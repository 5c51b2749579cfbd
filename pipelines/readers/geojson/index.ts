import { defineFormat } from '../../core/format.ts'
import { JSON_OPTIONS } from '../json/json-options.ts'
import { jsonMessages } from '../json/messages.ts'
import { recognisesFeatures } from './recognise-features.ts'

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
    const { openJson } = await import('../json/open-json.ts')
    const { path = FEATURES_PATH } = context.options
    return openJson(input, context, path === FEATURES_PATH ? FEATURES : null)
  },
})

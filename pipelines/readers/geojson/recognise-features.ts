import type { Certainty } from '../../core/format.ts'
import type { InputHead } from '../../core/input.ts'
import { beginningOf } from '../../input/text/beginning-of.ts'

const COLLECTION = /"type"\s*:\s*"FeatureCollection"/
/** What says that it is a collection may stand behind the features, or nowhere, as in Esri's. */
const FIRST_FEATURE =
  /"features"\s*:\s*\[\s*\{\s*"(?:type"\s*:\s*"Feature"|attributes"\s*:|geometry"\s*:|properties"\s*:)/

export function recognisesFeatures({ bytes, members }: InputHead): Certainty {
  if (members !== null) return 'no'
  const text = beginningOf(bytes)
  if (!text.startsWith('{')) return 'no'
  const at = text.indexOf('"features"')
  if (at === -1) return 'no'
  return COLLECTION.test(text.slice(0, at)) || FIRST_FEATURE.test(text) ? 'certainly' : 'no'
}

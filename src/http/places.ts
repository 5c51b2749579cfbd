import { Places } from '../shares.ts'

/** What clients can occupy at their own pace. Each kind has its own places, so none crowds out another. */
const PLACE_KINDS = [
  'uploads',
  'previews',
  'exports',
  'parts',
  'eventStreams',
  'largeAnswers',
] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/** Together with `answers`, which all requests wait for. */
export type HeldPlaces = Readonly<Record<PlaceKind | 'answers', Places>>

const PREVIEWS = 16
/** Each preview may hold the longest row that can be shown, and is computed in the event loop. */
const PREVIEWS_OF_ACTOR = 2
const EVENT_STREAMS = 1_000
const EVENT_STREAMS_OF_ACTOR = 20
/** All of them are in memory for as long as their clients take to read them. */
const LARGE_ANSWERS = 16
/**
 * How many requests of one account are processed at a time. However many it sends at once, other
 * callers wait behind no more than these.
 */
const ANSWERS_OF_ACTOR = 24

interface HeldPlacesOptions {
  readonly maxUploads: number
  /** Each export takes a database connection. */
  readonly maxExports: number
}

export function createHeldPlaces({ maxUploads, maxExports }: HeldPlacesOptions): HeldPlaces {
  return {
    uploads: new Places({ what: 'uploads', total: maxUploads }),
    previews: new Places({ what: 'previews', total: PREVIEWS, mostOfActor: PREVIEWS_OF_ACTOR }),
    exports: new Places({ what: 'exports', total: maxExports }),
    parts: new Places({ what: 'parts', total: maxUploads }),
    eventStreams: new Places({
      what: 'eventStreams',
      total: EVENT_STREAMS,
      mostOfActor: EVENT_STREAMS_OF_ACTOR,
    }),
    largeAnswers: new Places({ what: 'largeAnswers', total: LARGE_ANSWERS }),
    answers: new Places({ what: 'answers', total: Infinity, mostOfActor: ANSWERS_OF_ACTOR }),
  }
}

import { Places } from '../shares.ts'

/** What clients hold at their own pace. Each kind has places of its own: none keeps another out. */
const PLACE_KINDS = [
  'uploads',
  'previews',
  'exports',
  'parts',
  'eventStreams',
  'largeAnswers',
] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/** And `answers`, which all requests wait for. */
export type HeldPlaces = Readonly<Record<PlaceKind | 'answers', Places>>

const PREVIEWS = 16
/** Each may hold the longest row that is shown, and is worked on in the event loop. */
const PREVIEWS_OF_ACTOR = 2
const EVENT_STREAMS = 1_000
const EVENT_STREAMS_OF_ACTOR = 20
/** Together they are in memory for as long as their clients take. */
const LARGE_ANSWERS = 16
/**
 * Of one account, so many requests are worked on at a time. All others of a process have no more than
 * these before them, however many it sends at once.
 */
const ANSWERS_OF_ACTOR = 24

interface HeldPlacesOptions {
  readonly maxUploads: number
  /** Each takes a connection to the database. */
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

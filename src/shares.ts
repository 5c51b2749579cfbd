import { defineMessages, fr, type Message } from '../pipelines/index.ts'
import type { Actor } from './domain/actor.ts'
import { ServiceUnavailableException, ShareExceededException } from './errors/index.ts'

/** Who asks for a place, and with whom they share, so that no work can crowd out that of others. */
export interface Sharer {
  readonly actorId: number
  /** For users without an enterprise: a negative number of their own. */
  readonly enterprise: number
}

export const sharerOf = ({ id, enterprise }: Pick<Actor, 'id' | 'enterprise'>): Sharer => ({
  actorId: id,
  enterprise: enterprise?.id ?? -id,
})

/** The same in SQL, for a row of users. */
export const enterpriseShare = (user: string): string =>
  `coalesce(${user}.enterprise_id, -${user}.id)`

export const shareMessages = defineMessages('share', {
  ofActor: {
    en: ({ what, held }: { what: string; held: number }) =>
      `You are using your share of the ${what} that this process handles at once: ${held}`,
    fr: ({ what, held }) =>
      fr`Vous occupez votre part, ${held}, des ${what} que ce processus prend à la fois`,
  },
  ofEnterprise: {
    en: ({ what }: { what: string }) =>
      `Your enterprise is using its share of the ${what} that this process handles at once`,
    fr: ({ what }) =>
      fr`Votre entreprise occupe sa part des ${what} que ce processus prend à la fois`,
  },
  allTaken: {
    en: ({ what }: { what: string }) =>
      `This process is already handling as many ${what} as it can`,
    fr: ({ what }) => fr`Autant de ${what} que ce processus peut en prendre sont en cours`,
  },
  uploads: { en: 'uploads and loads', fr: 'envois et chargements' },
  previews: { en: 'previews', fr: 'aperçus' },
  exports: { en: 'exports', fr: 'exportations' },
  parts: { en: 'parts of uploads', fr: 'parties d’envois' },
  eventStreams: { en: 'streams of events', fr: 'flux d’événements' },
  largeAnswers: { en: 'large answers', fr: 'réponses volumineuses' },
  loads: { en: 'loads', fr: 'chargements' },
  reads: { en: 'reads', fr: 'lectures' },
  answers: { en: 'answers', fr: 'réponses' },
})

/** What the places are for. */
type SharedThing = Exclude<keyof typeof shareMessages, 'ofActor' | 'ofEnterprise' | 'allTaken'>

const ACTORS_PART = 1 / 4
const ENTERPRISES_PART = 1 / 2
/** How many of the places one actor may have. */
export const shareOfActor = (total: number): number => partOf(total, ACTORS_PART)

const partOf = (total: number, share: number): number => Math.max(1, Math.floor(total * share))

const RETRY_AFTER = { headers: { 'retry-after': '5' } }

interface PlacesOptions {
  readonly what: SharedThing
  readonly total: number
  /** The maximum for one actor; default: a quarter, or no limit for places that are waited for. */
  readonly mostOfActor?: number
  /** For places that are waited for: how many one enterprise leaves to others. */
  readonly spare?: number
}

/** Only enterprises take turns. */
export type InTurn = Pick<Sharer, 'enterprise'> & Partial<Sharer>

interface Waiting {
  readonly who: InTurn
  readonly go: (place: Disposable) => void
}

/**
 * The things of one kind that a process does at once, shared fairly. Places held at the pace of a
 * client are refused to those who have their share; places held by work are waited for, and given
 * to enterprises in turn.
 */
export class Places {
  readonly #what: () => Message
  readonly #total: number
  readonly #mostOfActor: number
  readonly #mostOfEnterprise: number
  readonly #mostWhileWaiting: number
  readonly #mostOfActorWhileWaiting: number
  #taken = 0
  readonly #byActor = new Map<number, number>()
  readonly #byEnterprise = new Map<number, number>()
  /** By enterprise; the one that had the last turn is at the end. */
  readonly #waiting = new Map<number, Set<Waiting>>()

  constructor({ what, total, mostOfActor, spare = 0 }: PlacesOptions) {
    this.#what = shareMessages[what]
    this.#total = total
    this.#mostOfActor = mostOfActor ?? shareOfActor(total)
    this.#mostOfEnterprise = partOf(total, ENTERPRISES_PART)
    this.#mostWhileWaiting = Math.max(1, total - spare)
    this.#mostOfActorWhileWaiting = mostOfActor ?? Infinity
  }

  /** For work whose duration depends on the client: refused if there is no place. */
  hold(who: Sharer): Disposable {
    const ofActor = this.#byActor.get(who.actorId) ?? 0
    if (ofActor >= this.#mostOfActor) {
      throw new ShareExceededException(
        shareMessages.ofActor({ what: this.#what(), held: ofActor }),
        RETRY_AFTER,
      )
    }
    if ((this.#byEnterprise.get(who.enterprise) ?? 0) >= this.#mostOfEnterprise) {
      throw new ShareExceededException(
        shareMessages.ofEnterprise({ what: this.#what() }),
        RETRY_AFTER,
      )
    }
    if (this.#taken >= this.#total) {
      throw new ServiceUnavailableException(
        shareMessages.allTaken({ what: this.#what() }),
        RETRY_AFTER,
      )
    }
    return this.#take(who)
  }

  /** For work of the service itself: waits for a place. */
  async wait(who: InTurn, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    return this.takeFree(who) ?? this.#turn(who, signal)
  }

  /** Null if the place has to be waited for. */
  takeFree(who: InTurn): Disposable | null {
    return this.#isFree(who) ? this.#take(who) : null
  }

  #isFree({ actorId, enterprise }: InTurn): boolean {
    const ofActor = actorId === undefined ? 0 : (this.#byActor.get(actorId) ?? 0)
    const ofEnterprise = this.#byEnterprise.get(enterprise) ?? 0
    return (
      this.#taken < this.#total &&
      ofEnterprise < this.#mostWhileWaiting &&
      ofActor < this.#mostOfActorWhileWaiting
    )
  }

  #take(who: InTurn): Disposable {
    this.#count(who, 1)
    return new Place(() => {
      this.#count(who, -1)
      this.#callNext()
    })
  }

  #count({ actorId, enterprise }: InTurn, change: 1 | -1): void {
    this.#taken += change
    if (actorId !== undefined) add(this.#byActor, actorId, change)
    add(this.#byEnterprise, enterprise, change)
  }

  #turn(who: InTurn, signal: AbortSignal): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
    const leave = () => {
      this.#remove(waiting)
      reject(signal.reason as Error)
    }
    const waiting: Waiting = {
      who,
      // The listener is kept: the signal is that of one request or load, which no longer waits once
      // it has a place.
      go: resolve,
    }
    const line = this.#waiting.get(who.enterprise) ?? new Set()
    this.#waiting.set(who.enterprise, line.add(waiting))
    signal.addEventListener('abort', leave)
    return promise
  }

  #callNext(): void {
    const next = this.#next()
    if (!next) return
    this.#remove(next)
    const line = this.#waiting.get(next.who.enterprise)
    if (line) {
      this.#waiting.delete(next.who.enterprise)
      this.#waiting.set(next.who.enterprise, line)
    }
    next.go(this.#take(next.who))
  }

  /**
   * The enterprise with the fewest places; among equals, the one whose last turn is longest ago.
   */
  #next(): Waiting | null {
    let next: Waiting | null = null
    for (const line of this.#waiting.values()) {
      const first = this.#firstFree(line)
      if (first && (!next || this.#held(first) < this.#held(next))) next = first
    }
    return next
  }

  #firstFree(line: Iterable<Waiting>): Waiting | null {
    for (const waiting of line) if (this.#isFree(waiting.who)) return waiting
    return null
  }

  #held({ who }: Waiting): number {
    return this.#byEnterprise.get(who.enterprise) ?? 0
  }

  #remove(waiting: Waiting): void {
    const { enterprise } = waiting.who
    const line = this.#waiting.get(enterprise)
    line?.delete(waiting)
    if (line?.size === 0) this.#waiting.delete(enterprise)
  }
}

/**
 * Can be disposed of repeatedly, but is freed once. Every request has one, and a class is created
 * faster than a literal.
 */
class Place implements Disposable {
  #free: (() => void) | null

  constructor(free: () => void) {
    this.#free = free
  }

  [Symbol.dispose](): void {
    const free = this.#free
    this.#free = null
    free?.()
  }
}

function add(counts: Map<number, number>, key: number, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

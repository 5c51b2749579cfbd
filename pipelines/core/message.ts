import { frenchSpaces, type Language } from './language.ts'

/** The values of a message. A message among them is put into the same language. */
type MessageValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Message
  | StoredMessage
  | readonly MessageValue[]

export type MessageValues = Readonly<Record<string, MessageValue>>

/** How a message is stored, so that it can be shown in the reader's language. */
export interface StoredMessage {
  readonly code: string
  readonly values: MessageValues
}

type Template = string | ((values: never) => string)

/** The same message in every language. */
type Templates = Readonly<Record<Language, Template>>

/**
 * A text for people, in the language of whoever reads it. A plain string would be in one language
 * only.
 */
export class Message implements StoredMessage {
  readonly code: string
  readonly values: MessageValues
  readonly #templates: Templates

  constructor(code: string, values: MessageValues, templates: Templates) {
    this.code = code
    this.values = values
    this.#templates = templates
  }

  /** Messages inside it that were stored are looked up in the catalogue. */
  in(language: Language, catalogue?: Catalogue): string {
    const say = (value: MessageValue) => said(value, language, catalogue)
    return written(this.#templates[language], this.values, say)
  }

  /** In English, for logs and for developers. */
  toString(): string {
    return this.in('en')
  }

  toJSON(): StoredMessage {
    return { code: this.code, values: this.values }
  }
}

export interface MessageMaker<Values extends readonly unknown[] = readonly never[]> {
  (...values: Values): Message
  readonly code: string
  readonly templates: Templates
}

type ValuesOf<T> = {
  readonly [K in keyof T]:
    | T[K]
    | (string extends T[K] ? StoredMessage : never)
    | (readonly string[] extends T[K] ? readonly (string | StoredMessage)[] : never)
}

/**
 * Messages of one room, by their names, each in every language; what is told in English is told in
 * French:
 *
 *     defineMessages('csv', {
 *       empty: { en: 'The file is empty.', fr: 'Le fichier est vide.' },
 *       quoteOpen: {
 *         en: ({ line }: { line: number }) => `The quote of line ${line} is not closed.`,
 *         fr: ({ line }) => fr`Le guillemet de la ligne ${line} n’est pas fermé.`,
 *       },
 *     })
 */
export function defineMessages<Said extends Record<string, unknown>>(
  room: string,
  definitions: {
    readonly [Name in keyof Said]: {
      readonly en: string | ((values: Said[Name]) => string)
      readonly fr: string | ((values: NoInfer<Said[Name]>) => string)
    }
  },
): {
  readonly [Name in keyof Said]: MessageMaker<
    unknown extends Said[Name] ? [] : [values: ValuesOf<Said[Name]>]
  >
} {
  const makers = Object.entries<Templates>(definitions).map(([name, { en, fr }]) => {
    const code = `${room}.${name}`
    const templates = { en, fr: typeof fr === 'string' ? frenchSpaces(fr) : fr }
    const make = (values: MessageValues = {}) => new Message(code, values, templates)
    return [name, Object.assign(make, { code, templates })] as const
  })
  return Object.fromEntries(makers) as never
}

export type Messages = Readonly<Record<string, MessageMaker>>

/** All messages by code; stored messages are shown with its texts. */
export class Catalogue {
  /** For messages that were not stored. */
  static readonly empty = new Catalogue([])

  readonly makers: ReadonlyMap<string, MessageMaker>

  constructor(lists: readonly Messages[]) {
    const makers = new Map<string, MessageMaker>()
    for (const maker of lists.flatMap((list) => Object.values(list))) {
      if (makers.has(maker.code)) throw new Error(`Two messages are called ${maker.code}`)
      makers.set(maker.code, maker)
    }
    this.makers = makers
  }

  /**
   * A stored message whose code no longer exists is shown as its code; a plain text from before
   * there were messages is shown as it is.
   */
  say(text: string | Message | StoredMessage, language: Language): string {
    if (typeof text === 'string') return text
    if (text instanceof Message) return text.in(language, this)
    const maker = this.makers.get(text.code)
    if (!maker) return text.code
    const say = (value: MessageValue) => said(value, language, this)
    return written(maker.templates[language], text.values, say)
  }

  /** The value as JSON, with every message in it replaced by its text. */
  json(value: unknown, language: Language): string {
    const text = JSON.stringify(value)
    // Most values contain no message, which their JSON shows faster than the values themselves.
    return MAYBE_SAID.test(text) ? JSON.stringify(this.sayAll(value, language)) : text
  }

  /** The same value with every message in it replaced by its text; parts without messages are not copied. */
  sayAll(value: unknown, language: Language): unknown {
    if (value === null || typeof value !== 'object') return value
    if (isMessage(value)) return this.say(value, language)
    const isList = Array.isArray(value)
    if (!isList && Object.getPrototypeOf(value) !== Object.prototype) return value
    const members = value as Record<string, unknown>
    let copy: Record<string, unknown> | null = null
    for (const key in members) {
      const shown = this.sayAll(members[key], language)
      if (shown === members[key]) continue
      copy ??= (isList ? [...value] : { ...value }) as Record<string, unknown>
      copy[key] = shown
    }
    return copy ?? value
  }
}

/** Occurs in the JSON of every message. */
const MAYBE_SAID = /"values":/

/** `room.name`; nothing else with values next to its code looks like this. */
const CODE = /^[a-z][a-z-]*\.[A-Za-z][A-Za-z0-9]*$/

function isMessage(value: unknown): value is Message | StoredMessage {
  if (value instanceof Message) return true
  if (value === null || typeof value !== 'object') return false
  const { code, values } = value as Partial<StoredMessage>
  return (
    typeof code === 'string' &&
    typeof values === 'object' &&
    CODE.test(code) &&
    Object.keys(value).length === 2
  )
}

/** A text as it is stored in a text column. */
export const storedText = (text: Message | StoredMessage): string => JSON.stringify(text)

/** Reads what `storedText` wrote; anything else is a plain text. */
export function recalledText(stored: string): string | StoredMessage {
  if (!stored.startsWith('{"code":')) return stored
  try {
    const value: unknown = JSON.parse(stored)
    return isMessage(value) ? value : stored
  } catch {
    return stored
  }
}

function said(value: MessageValue, language: Language, catalogue?: Catalogue): MessageValue {
  if (Array.isArray(value)) {
    return value.map((item: MessageValue) => said(item, language, catalogue))
  }
  if (value instanceof Message) return value.in(language, catalogue)
  if (isMessage(value)) return catalogue?.say(value, language) ?? value.code
  return value
}

function written(
  template: Template,
  values: MessageValues,
  say: (value: MessageValue) => MessageValue,
): string {
  if (typeof template === 'string') return template
  const told = Object.fromEntries(Object.entries(values).map(([name, v]) => [name, say(v)]))
  return template(told as never)
}

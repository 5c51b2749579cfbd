import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

import { EngineError } from '../../core/errors.ts'
import { htmlMessages } from './messages.ts'

const MOST_TAG_CHARACTERS = 256 * 1024
const ATTRIBUTES: ReadonlySet<string> = new Set(['colspan', 'rowspan', 'style', 'hidden'])
const LONGEST_NAME = Math.max(...[...ATTRIBUTES].map((name) => name.length))

/** Those of a tag that matter here, by their names. */
export type TagAttributes = ReadonlyMap<string, string>
const NO_ATTRIBUTES: TagAttributes = new Map()

export interface PageHandler {
  text(text: string): void
  /** A character that was written as a reference, such as `&eacute;`. */
  character(character: string): void
  /** `isClosed`: the tag closes itself. */
  open(name: string, attributes: TagAttributes, isClosed: boolean): void
  close(name: string): void
}

/**
 * The tags and texts of a page that comes in pieces cut anywhere. Text goes on as soon as it is there;
 * only a tag or a comment that has not ended is kept, up to a limit.
 */
export class PageTokens {
  readonly #handler: PageHandler
  readonly #tokenizer: Tokenizer
  /** What may still be needed of the text, and where in the whole it begins. */
  #kept = ''
  #keptFrom = 0
  #written = 0
  /** Up to here everything was passed on. */
  #done = 0
  /** Text that was found and not passed on: the tokenizer gives it in small pieces. */
  #textFrom = 0
  #textTo = 0
  #name = ''
  /** Where the open tag begins; null outside of tags. */
  #tagFrom: number | null = null
  #attributes: Map<string, string> | null = null
  /** The attribute that is being read, if it matters. */
  #attribute: string | null = null
  #value = ''

  constructor(handler: PageHandler) {
    this.#handler = handler
    this.#tokenizer = new Tokenizer({ recognizeSelfClosing: true }, this.#callbacks())
  }

  take(text: string): void {
    this.#kept = this.#kept.slice(this.#done - this.#keptFrom) + text
    this.#keptFrom = this.#done
    this.#written += text.length
    this.#tokenizer.write(text)
    this.#passText()
    if (this.#written - (this.#tagFrom ?? this.#done) > MOST_TAG_CHARACTERS) throw tooLong()
  }

  finish(): void {
    this.#tokenizer.end()
    this.#passText()
  }

  #callbacks(): TokenizerCallbacks {
    const pass = (_: number, end: number): void => void (this.#done = end)
    return {
      ontext: (start, end) => this.#addText(start, end),
      ontextentity: (code, end) => {
        this.#passText()
        this.#done = end
        this.#handler.character(String.fromCodePoint(code))
      },
      onopentagname: (start, end) => {
        this.#passText()
        this.#name = this.#between(start, end).toLowerCase()
        this.#tagFrom = start
        this.#attributes = null
      },
      onattribname: (start, end) => {
        const name = end - start > LONGEST_NAME ? '' : this.#between(start, end).toLowerCase()
        this.#attribute = ATTRIBUTES.has(name) ? name : null
        this.#value = ''
        this.#done = end
      },
      onattribdata: (start, end) => {
        if (this.#attribute !== null) this.#value += this.#between(start, end)
        this.#done = end
      },
      onattribentity: (code) => {
        if (this.#attribute !== null) this.#value += String.fromCodePoint(code)
      },
      onattribend: () => {
        if (this.#attribute === null) return
        this.#attributes ??= new Map()
        // Of attributes of one name the first counts.
        if (!this.#attributes.has(this.#attribute)) {
          this.#attributes.set(this.#attribute, this.#value)
        }
        this.#attribute = null
      },
      onopentagend: (end) => this.#open(end, false),
      onselfclosingtag: (end) => this.#open(end, true),
      onclosetag: (start, end) => {
        this.#passText()
        this.#handler.close(this.#between(start, end).toLowerCase())
      },
      oncdata: pass,
      oncomment: pass,
      ondeclaration: pass,
      onprocessinginstruction: pass,
      onend: () => undefined,
    }
  }

  #open(end: number, isClosed: boolean): void {
    this.#done = end
    this.#tagFrom = null
    this.#handler.open(this.#name, this.#attributes ?? NO_ATTRIBUTES, isClosed)
  }

  #addText(start: number, end: number): void {
    if (start !== this.#textTo) {
      this.#passText()
      this.#textFrom = start
    }
    this.#textTo = end
  }

  #passText(): void {
    if (this.#textFrom === this.#textTo) return
    const text = this.#between(this.#textFrom, this.#textTo)
    this.#textFrom = this.#textTo
    this.#handler.text(text)
  }

  #between(start: number, end: number): string {
    this.#done = end
    return this.#kept.slice(start - this.#keptFrom, end - this.#keptFrom)
  }
}

function tooLong(): EngineError {
  return new EngineError(htmlMessages.longTag(), { kind: 'limit', limit: 'htmlTag' })
}

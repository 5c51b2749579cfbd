import type { EngineError } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import type { IngestOptions } from '../core/options.ts'
import { remedyMessages } from './remedy-messages.ts'
import type { Trial } from './try-options.ts'

/** An input that could not be read to its end, or not at all. */
export interface Unread extends Pick<EngineError, 'problem' | 'proposals'> {
  readonly options: IngestOptions
  /** Whether the option means anything for the input, as far as its format is known. */
  hasOption(name: string): boolean
}

/** What is to be tried, and what it says if it does. */
export interface Attempt {
  readonly options: IngestOptions
  /** Null: it would let nothing sensible load. */
  remedy(trial: Trial): { readonly options: IngestOptions; readonly message: Message } | null
}

/** Each proposes what it would try; of those that leave as little, the first is offered first. */
const STRUCTURE_REMEDIES: readonly ((unread: Unread) => readonly Attempt[])[] = [
  asFound,
  asProposed,
  byDelimiter,
  byRagged,
  withoutQuotes,
  withoutHeader,
  leavingBrokenRowsOut,
]

export const structureAttempts = (unread: Unread): readonly Attempt[] =>
  STRUCTURE_REMEDIES.flatMap((propose) => propose(unread))

const DELIMITERS = [',', ';', '\t', '|'] as const

const isStructure = ({ problem }: Unread) =>
  problem.kind === 'structure' || problem.kind === 'limit'

const simply = (options: IngestOptions, message: Message): Attempt => ({
  options,
  remedy: () => ({ options, message }),
})

/** An option that does not go with the file: without it, the file shows what to say. */
function asFound({ problem, options }: Unread): Attempt[] {
  const wrong = problem.kind === 'options' ? problem.pointer.slice(1) : 'encoding'
  if (
    options[wrong] === undefined ||
    (problem.kind !== 'options' && problem.kind !== 'structure')
  ) {
    return []
  }
  return [
    {
      options: { [wrong]: undefined },
      remedy({ input }) {
        const value = wrong === 'format' ? input.format : valueOf(input.dialect[wrong])
        if (value === null) return null
        const message = remedyMessages.asFound({ option: wrong, value: String(value) })
        return { options: { [wrong]: value }, message }
      },
    },
  ]
}

function asProposed({ proposals }: Unread): readonly Attempt[] {
  return proposals.map(({ options, message }) => simply(options, message))
}

function valueOf(found: unknown): string | number | null {
  const value =
    typeof found === 'object' && found !== null && 'value' in found ? found.value : found
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function byRagged(unread: Unread): Attempt[] {
  const { options } = unread
  if (!isStructure(unread) || !unread.hasOption('ragged')) return []
  const messages = { pad: remedyMessages.pad(), fit: remedyMessages.fit() }
  return (['pad', 'fit'] as const)
    .filter((ragged) => ragged !== options['ragged'])
    .map((ragged) => simply({ ragged }, messages[ragged]))
}

function byDelimiter(unread: Unread): Attempt[] {
  const { options } = unread
  if (!isStructure(unread) || !unread.hasOption('delimiter')) return []
  return DELIMITERS.filter((delimiter) => delimiter !== options['delimiter']).map((delimiter) => ({
    options: { delimiter },
    remedy({ names, input: { layout } }) {
      if (names.length < 2 || layout.kind !== 'fields' || leavesUndivided(names, delimiter))
        return null
      const shown = delimiter === '\t' ? remedyMessages.tab() : `“${delimiter}”`
      return { options: { delimiter }, message: remedyMessages.delimiter({ delimiter: shown }) }
    },
  }))
}

/** A name that another delimiter divides several times was a whole header. */
const leavesUndivided = (names: readonly string[], delimiter: string) =>
  names.some((name) => DELIMITERS.some((one) => one !== delimiter && name.split(one).length > 2))

function withoutQuotes(unread: Unread): Attempt[] {
  const { options } = unread
  if (!isStructure(unread) || !unread.hasOption('quote') || options['quote'] === '') return []
  return [simply({ quote: '' }, remedyMessages.noQuotes())]
}

function withoutHeader(unread: Unread): Attempt[] {
  const { problem, options } = unread
  const isOfHeader = problem.kind === 'limit' || problem.kind === 'empty'
  if (!isOfHeader || !unread.hasOption('headerRow') || options['headerRow'] === 0) return []
  return [simply({ headerRow: 0 }, remedyMessages.noHeader())]
}

function leavingBrokenRowsOut(unread: Unread): Attempt[] {
  if (!isStructure(unread) || unread.options.onInvalid === 'skip') return []
  const options: IngestOptions = { onInvalid: 'skip' }
  return [
    {
      options,
      remedy: ({ rejected }) => ({ options, message: remedyMessages.skip({ rows: rejected }) }),
    },
  ]
}

import { cutText, defineMessages, fr } from '../../../pipelines/index.ts'
import { type FieldError, invalidFields } from '../../errors/index.ts'
import {
  type Comparison,
  COMPARISONS,
  comparisonsOf,
  parameterFor,
  type RowFilter,
  valueKind,
} from '../../stack/read/row-filter.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'

/** A condition as it was sent. */
export interface GivenFilter {
  /** The position of the condition in the request. */
  readonly pointer: string
  readonly header: string
  readonly comparison: Comparison
  readonly text: string
}

/** Reports all filters that do not fit the columns at once. */
export function resolveFilters(
  columns: readonly TableColumn[],
  given: readonly GivenFilter[],
): RowFilter[] {
  const errors: FieldError[] = []
  const filters: RowFilter[] = []
  for (const filter of given) {
    const resolved = resolve(columns, filter)
    if ('value' in resolved) filters.push(resolved)
    else errors.push(resolved)
  }
  if (errors.length > 0) throw invalidFields(errors)
  return filters
}

function resolve(
  columns: readonly TableColumn[],
  { pointer, header, comparison, text }: GivenFilter,
): RowFilter | FieldError {
  const column = columns.find(({ name }) => name === header)
  if (!column) {
    return {
      pointer,
      message: filterMessages.noColumn({ header: shown(header), comparisons: COMPARISONS }),
    }
  }
  const taken = comparisonsOf(column)
  if (!taken.includes(comparison)) {
    return { pointer, message: filterMessages.comparison({ header: shown(header), taken }) }
  }
  const kind = valueKind(column, comparison)
  const value = parameterFor(kind, text)
  if (value === null) {
    return {
      pointer,
      message: filterMessages[kind]({ header: shown(header), value: shown(text) }),
    }
  }
  return { column, comparison, value }
}

const CHARACTERS_SHOWN = 80

const shown = (text: string): string => cutText(text, CHARACTERS_SHOWN, '…')

interface Told {
  readonly header: string
  readonly value: string
}

const notEn =
  (what: string) =>
  ({ header, value }: Told) =>
    `must be ${what}, as the column “${header}” wants it; “${value}” is not`
const notFr =
  (what: string) =>
  ({ header, value }: Told) =>
    fr`doit être ${what}, pour la colonne « ${header} » ; « ${value} » ne l’est pas`

/** Each of these completes a sentence that begins with the parameter's name. */
export const filterMessages = defineMessages('filter', {
  noColumn: {
    en: ({ header, comparisons }: { header: string; comparisons: readonly string[] }) =>
      `must name a column by its header, and no column is called “${header}”. A comparison can follow the header: ${bracketed(comparisons)}`,
    fr: ({ header, comparisons }) =>
      fr`doit nommer une colonne par son en-tête, et aucune colonne ne s’appelle « ${header} ». Une comparaison peut suivre l’en-tête : ${bracketed(comparisons)}`,
  },
  comparison: {
    en: ({ header, taken }: { header: string; taken: readonly string[] }) =>
      `is no comparison for the column “${header}”, which takes ${bracketed(taken)}`,
    fr: ({ header, taken }) =>
      fr`n’est pas une comparaison possible pour la colonne « ${header} », qui accepte ${bracketed(taken)}`,
  },
  flag: { en: notEn('true or false'), fr: notFr('true ou false') },
  number: {
    en: notEn('a number with a decimal point'),
    fr: notFr('un nombre avec un point décimal'),
  },
  date: { en: notEn('a date, YYYY-MM-DD'), fr: notFr('une date, AAAA-MM-JJ') },
  instant: {
    en: notEn('a date, YYYY-MM-DD, or an instant of ISO 8601 with its zone'),
    fr: notFr('une date, AAAA-MM-JJ, ou un instant ISO 8601 avec son fuseau'),
  },
  text: {
    en: 'must not be empty, nor contain the character NUL ([blank]=true finds blanks)',
    fr: 'ne doit pas être vide, ni contenir le caractère nul ([blank]=true trouve les cellules vides)',
  },
})

const bracketed = (names: readonly string[]): string => names.map((name) => `[${name}]`).join(' ')

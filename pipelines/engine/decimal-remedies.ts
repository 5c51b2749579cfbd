import { cellMessages } from '../cells/cell-messages.ts'
import type { CellError } from '../core/errors.ts'
import type { CommonOptions, IngestOptions } from '../core/options.ts'
import { remedyMessages } from './remedy-messages.ts'
import type { Attempt } from './structure-remedies.ts'
import { withColumns } from './with-columns.ts'

const HAS_DECIMALS = /\d[.,]\d/

/** What holds those columns to numbers in which a number with decimals is refused; null if there are none. */
export function heldToNumbers(
  options: CommonOptions,
  errors: readonly CellError[],
): CommonOptions | null {
  const refused = errors.filter(
    ({ value, message }) => message.code === cellMessages.number.code && HAS_DECIMALS.test(value),
  )
  const names = [...new Set(refused.map(({ column }) => column))]
  if (names.length === 0) return null
  return withColumns(options, ...names.map((name) => ({ name, type: 'number' as const })))
}

/**
 * What only reading again can tell, since it may refuse cells that fit so far: the other decimal
 * sign, or one for each column.
 */
export function decimalAttempts({ decimal }: CommonOptions): readonly Attempt[] {
  const signs = (['.', ','] as const).filter((sign) => sign !== decimal)
  return [
    ...signs.map((sign) => ({ decimal: sign, message: remedyMessages.decimal({ sign }) })),
    ...(decimal === undefined
      ? []
      : [{ decimal: undefined, message: remedyMessages.decimalByColumn() }]),
  ].map(({ decimal: said, message }) => {
    const options = { decimal: said } as IngestOptions
    return { options, remedy: () => ({ options, message }) }
  })
}

import type { IngestOptions } from '../core/options.ts'
import { requireZone } from '../dates/zone-clock.ts'
import { checkOverrides } from '../transforms/overrides.ts'
import type { EngineParts } from './engine-parts.ts'
import { refuseUnknownOptions } from './format-options.ts'

/** Checks the options as far as possible without reading anything. */
export function checkOptions(
  { formats }: Pick<EngineParts, 'formats'>,
  options: IngestOptions,
): void {
  refuseUnknownOptions(options, formats)
  checkOverrides(options.columns ?? [])
  if (options.timezone !== undefined) requireZone(options.timezone)
}

import type { OptionsOf } from '../../core/format.ts'
import { Schema } from '../../core/schema.ts'

/** Options for any text. */
export const TEXT_OPTIONS = {
  encoding: Schema.text({
    minLength: 1,
    maxLength: 40,
    description:
      'A WHATWG label (utf-8, latin1, shift_jis …), another usual name (cp932 …), or a code page of DOS: cp850 …',
  }),
}

export type TextOptions = OptionsOf<typeof TEXT_OPTIONS>

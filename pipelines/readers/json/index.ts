import { defineFormat } from '../../core/format.ts'
import { JSON_OPTIONS } from './json-options.ts'
import { jsonMessages } from './messages.ts'
import { recognisesJson } from './recognise-json.ts'

/**
 * Rows that are objects: the elements of an array, the documents of a sequence (newline-delimited
 * or not), the elements of an array inside a document, the members of an object; or arrays under a
 * header. Where they are is found by the rule of `RowsSearch`, or named by the option `path`; the
 * empty path makes every document a row.
 */
export const jsonFormat = defineFormat({
  name: 'json',
  messages: [jsonMessages],
  sourceType: 'JSON',
  options: JSON_OPTIONS,
  recognises: recognisesJson,
  async open(input, context) {
    const { openJson } = await import('./open-json.ts')
    return openJson(input, context)
  },
})

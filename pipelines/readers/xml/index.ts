import { type Certainty, defineFormat } from '../../core/format.ts'
import type { InputHead } from '../../core/input.ts'
import { beginningOf } from '../../input/text/encoding.ts'
import { jsonMessages } from '../json/messages.ts'
import { JSON_OPTIONS } from '../json/json-options.ts'
import { recordMessages } from './record-messages.ts'
import { later } from '../../core/later.ts'

const reader = later(() => import('./open-records-of-xml.ts'))

/** Records of XML: the elements that repeat, or those that the option `path` names. */
export const xmlFormat = defineFormat({
  name: 'xml',
  messages: [jsonMessages, recordMessages],
  sourceType: 'XML',
  options: { path: JSON_OPTIONS.path },
  recognises: recognisesXml,
  async open(input, context) {
    const { openRecordsOfXml } = await reader()
    return openRecordsOfXml(input, context)
  },
})

/** A declaration, a namespace, or tags one below another. */
const XML_START =
  /^(?:<!--[^]*?-->\s*)*<(?:\?xml\s|!DOCTYPE\s|[A-Za-z_][\w:.-]*\s(?:[^<>]*\s)?xmlns[:=]|[A-Za-z_][\w:.-]*(?:\s[^<>]*)?>\s*<[A-Za-z!/?])/

/** Kinds of XML that are documents, pictures or pages, and no records: by their outermost element. */
const NO_RECORDS =
  /^<(?:!DOCTYPE\s+(?:html|svg)|(?:[a-z]+:)?(?:svg|html|wordDocument|document-content|document)[\s>])/i

function recognisesXml({ bytes, members }: InputHead): Certainty {
  if (members !== null) return 'no'
  const text = beginningOf(bytes, 8192)
  if (!XML_START.test(text)) return 'no'
  const outermost = text.search(/<(?:[A-Za-z_]|!D)/)
  return NO_RECORDS.test(text.slice(outermost)) ? 'no' : 'certainly'
}

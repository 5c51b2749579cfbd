const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that XML cannot contain are written as Excel does: `_x001F_`. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/_x[0-9a-fA-F]{4}_/g, (literal) => `_x005F${literal}`)
    .replace(/[&<>]/g, (character) => MARKUP[character]!)
    .replace(NOT_IN_XML, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      return `_x${code}_`
    })
}

/** A bare CR would be read back as LF. */
const NOT_IN_XML = /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu

/** The same between double quotes. */
export const xmlAttribute = (text: string): string => xmlText(text).replaceAll('"', '&quot;')

export const XML_START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

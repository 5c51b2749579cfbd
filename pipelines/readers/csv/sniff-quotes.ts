/** Apostrophes only count as quotes if they surround fields and no quotation mark does. */
export function sniffQuote(text: string): string {
  if (/(?:^|[,;\t|\r\n])"/.test(text)) return '"'
  const around = text.match(/(?:^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const inside = text.match(/[^,;\t|\r\n']'[^,;\t|\r\n']/g)?.length ?? 0
  return around >= 2 && around > inside ? "'" : '"'
}

/** `\"` inside fields, no doubled quote and no other use of backslashes: a database dump. */
export function sniffEscape(text: string, quote: string | null): string | null {
  if ((quote !== '"' && quote !== "'") || !text.includes(`\\${quote}`)) return quote
  const isInside = new RegExp(`[^,;\\t|\\r\\n${quote}]\\\\${quote}[^,;\\t|\\r\\n${quote}]`).test(
    text,
  )
  const isDoubled = new RegExp(`[^,;\\t|\\r\\n\\\\]${quote}${quote}[^,;\\t|\\r\\n]`).test(text)
  const isOrdinary = new RegExp(`\\\\[^\\\\${quote}]`).test(text.replaceAll('\\\\', ''))
  return isInside && !isDoubled && !isOrdinary ? '\\' : quote
}

import { fr } from '../../pipelines/index.ts'

/**
 * A field in one of these parts is named without the part, since nobody mistakes it for a field of
 * the body.
 */
const PARTS: readonly string[] = ['query', 'path', 'headers']

interface Wording {
  readonly item: (number: number) => string
  readonly quoted: (name: string) => string
}

/**
 * Describes a JSON Pointer for people: the field itself, and in brackets what contains it.
 * `/options/columns/1/name` is “name” (options, columns, item 2).
 */
const placeIn =
  ({ item, quoted }: Wording) =>
  (pointer: string): string => {
    const parts = pointer.replace(/^\//, '').split('/').map(unescaped)
    const within = parts.length > 1 && PARTS.includes(parts[0]!) ? parts.slice(1) : parts
    const shown = within.map((part) => (isIndex(part) ? item(Number(part) + 1) : part))
    const last = shown.pop() ?? ''
    const field = isIndex(within.at(-1)) ? last : quoted(last)
    return shown.length === 0 ? field : `${field} (${shown.join(', ')})`
  }

export const fieldPlace = {
  en: placeIn({ item: (number) => `item ${number}`, quoted: (name) => `“${name}”` }),
  fr: placeIn({ item: (number) => `élément ${number}`, quoted: (name) => fr`« ${name} »` }),
}

const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d{1,9}$/.test(part)

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

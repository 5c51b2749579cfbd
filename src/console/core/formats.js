import { hasWords, t } from './language.js'

/** Every kind of file that the service reads, and what can be said about it: `[{ name, options }]`. */
export const formats = JSON.parse(document.documentElement.dataset.formats)

export const takes = (format, option) =>
  formats.some(({ name, options }) => name === format && options.includes(option))

/** What can be said about some formats and not about this one. */
export const foreignTo = (format) =>
  [...new Set(formats.flatMap(({ options }) => options))].filter((option) => !takes(format, option))

/** What people call it. */
export const wordsOfFormat = (name) => (hasWords(`format.${name}`) ? t(`format.${name}`) : name)

/** `number`, or `number (bigint)`, of which the latter is SQL. */
export const wordsOfType = (text) =>
  text.replace(/^\w+/, (name) => (hasWords(`type.${name}`) ? t(`type.${name}`) : name))

/** What the rows of a source come from. */
export function wordsOfKind({ sourceType, apiResourceType }) {
  if (apiResourceType) return t(`resource.${apiResourceType}`)
  return hasWords(`sourceType.${sourceType}`) ? t(`sourceType.${sourceType}`) : (sourceType ?? '')
}

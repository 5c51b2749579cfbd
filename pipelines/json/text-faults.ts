/** What a string may hold that no text of a database can. */
export type TextFault = 'nul' | 'lone-surrogate'

/** The same words in every reader. */
export const TEXT_FAULT_MESSAGES: Readonly<Record<TextFault, string>> = {
  nul: 'a string holds the character NUL (\\u0000), which cannot be stored',
  'lone-surrogate': 'a string holds half of a surrogate pair, which is no character',
}

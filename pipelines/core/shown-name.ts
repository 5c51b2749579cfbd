const CHARACTERS_SHOWN = 80

/** A name as it may stand in a message. */
export function shownName(name: string): string {
  const characters = [...name.replaceAll(/\p{C}/gu, '\u{fffd}')]
  const isLong = characters.length > CHARACTERS_SHOWN
  return isLong ? `${characters.slice(0, CHARACTERS_SHOWN).join('')}…` : characters.join('')
}

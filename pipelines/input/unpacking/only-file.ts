import { EngineError } from '../../core/errors.ts'
import type { ZipEntry } from '../archive/open-zip.ts'

const NAMES_SHOWN = 10
const NAME_CHARACTERS_SHOWN = 80

/** What systems put into archives by themselves: resource forks, thumbnails, settings of folders. */
const BY_THE_SYSTEM = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i

/** The one file that an archive was made for. */
export function onlyFile(entries: readonly ZipEntry[]): ZipEntry {
  const files = entries.filter(
    ({ fileName }) => !fileName.endsWith('/') && !BY_THE_SYSTEM.test(fileName),
  )
  const [file] = files
  if (file === undefined) {
    throw new EngineError('The zip archive holds no file.', { kind: 'empty' })
  }
  if (files.length === 1) return file
  const names = files.slice(0, NAMES_SHOWN).map(({ fileName }) => shownName(fileName))
  const others = files.length > names.length ? ` and ${files.length - names.length} more` : ''
  throw new EngineError(
    `The zip archive holds several files (${names.join(', ')}${others}): send the one that is meant, alone.`,
    { kind: 'format' },
  )
}

/** A name as it may stand in a message. */
export function shownName(name: string): string {
  const characters = [...name.replaceAll(/\p{C}/gu, '\u{fffd}')]
  const isLong = characters.length > NAME_CHARACTERS_SHOWN
  return isLong ? `${characters.slice(0, NAME_CHARACTERS_SHOWN).join('')}…` : characters.join('')
}

import { EngineError } from '../../core/errors.ts'
import { packingMessages } from '../flows/packing-messages.ts'
import type { ArchiveEntry } from '../../core/input.ts'
import { shownName } from '../../core/shown-name.ts'

const NAMES_SHOWN = 10

/** Entries that systems add to archives by themselves: resource forks, thumbnails, folder settings. */
const BY_THE_SYSTEM = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i

/** The one file that the archive was made for. */
export function onlyFile(entries: readonly ArchiveEntry[]): ArchiveEntry {
  const files = entries.filter(({ name }) => !name.endsWith('/') && !BY_THE_SYSTEM.test(name))
  const [file] = files
  if (file === undefined) {
    throw new EngineError(packingMessages.noFile(), { kind: 'empty' })
  }
  if (files.length === 1) return file
  const names = files.slice(0, NAMES_SHOWN).map(({ name }) => shownName(name))
  const others = files.length - names.length
  throw new EngineError(packingMessages.severalFiles({ names, others }), { kind: 'format' })
}

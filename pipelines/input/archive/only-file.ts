import { EngineError } from '../../core/errors.ts'
import { packingMessages } from '../flows/packing-messages.ts'
import type { ArchiveEntry } from '../../core/input.ts'
import { shownName } from '../../core/cut-text.ts'

const NAMES_SHOWN = 10

/** Hidden entries, and those that systems and programs add by themselves: resource forks, thumbnails, locks. */
const HIDDEN = /(?:^|\/)(?:__MACOSX\/|\.[^/]|~\$|Thumbs\.db$|desktop\.ini$)/i

/**
 * Files that explain a table or prove it: text for people, pictures, checksums. Without unpacking them there
 * is only the name to go by; a single file is opened whatever its name.
 */
const BESIDE_TABLES =
  /\.(?:pdf|docx?|odt|rtf|pptx?|odp|md|png|jpe?g|gif|svg|webp|bmp|tiff?|sha\d*|md5|asc|sig|url)$/i

/** The one file that the archive was made for. */
export function onlyFile(entries: readonly ArchiveEntry[]): ArchiveEntry {
  const files = entries.filter(({ name }) => !name.endsWith('/') && !HIDDEN.test(name))
  const tables = files.filter(({ name }) => !BESIDE_TABLES.test(name))
  const meant = tables.length > 0 ? tables : files
  const [file] = meant
  if (file === undefined) {
    throw new EngineError(packingMessages.noFile(), { kind: 'empty' })
  }
  if (meant.length === 1) return file
  const names = meant.slice(0, NAMES_SHOWN).map(({ name }) => shownName(name))
  const others = meant.length - names.length
  throw new EngineError(packingMessages.severalFiles({ names, others }), { kind: 'format' })
}

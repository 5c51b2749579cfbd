import { posix } from 'node:path'

import type { WorkbookArchive } from '../archive/open-archive.ts'
import { scanPart } from '../xml/scan-part.ts'
import { xmlName } from '../xml/xml-name.ts'

interface Relationship {
  readonly id: string
  /** The last word of its type: `worksheet`, `sharedStrings`, `styles` ... */
  readonly kind: string
  /** The part that it refers to, from the root of the archive. */
  readonly part: string
}

const RELATIONSHIP = xmlName('Relationship')
const ID = xmlName('Id')
const TYPE = xmlName('Type')
const TARGET = xmlName('Target')
const TARGET_MODE = xmlName('TargetMode')

/** What a part refers to; `''` is the archive as a whole. */
export async function readRelationships(
  archive: WorkbookArchive,
  part: string,
): Promise<readonly Relationship[]> {
  const folder = part === '' ? '' : posix.dirname(part)
  const content = await archive.open(
    posix.join(folder, '_rels', `${part === '' ? '' : posix.basename(part)}.rels`),
  )
  if (content === null) return []
  const found: Relationship[] = []
  await scanPart(content, {
    open(name, attributes) {
      if (name !== RELATIONSHIP || attributes.text(TARGET_MODE) === 'External') return
      const target = attributes.text(TARGET) ?? ''
      found.push({
        id: attributes.text(ID) ?? '',
        kind: (attributes.text(TYPE) ?? '').replace(/^.*\//, ''),
        part: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
      })
    },
    close() {},
    text() {},
  })
  return found
}

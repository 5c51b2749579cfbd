import { setImmediate as nextTurn } from 'node:timers/promises'

import type { PartFlow } from '../archive/open-archive.ts'
import { toUtf8 } from './to-utf8.ts'
import { XmlScanner, type XmlHandler } from './xml-scanner.ts'

/** Reads a whole part into a handler, leaving the event loop a turn between chunks. */
export async function scanPart(
  part: PartFlow,
  handler: XmlHandler,
  afterChunk: () => Promise<void> | void = () => {},
): Promise<void> {
  try {
    const text = await toUtf8(part)
    const scanner = new XmlScanner(handler, part.part)
    for (;;) {
      const chunk = await text.next()
      if (chunk === null) break
      scanner.feed(chunk)
      scanner.run()
      await afterChunk()
      await nextTurn()
    }
    scanner.finish()
  } finally {
    await part.close()
  }
}

import { EngineError } from '../../core/errors.ts'
import { inputTextMessages } from './messages.ts'

/** Refuses a file with more control characters than could be in a text by accident. */
export function refuseBinary(head: Buffer): void {
  let controls = 0
  for (const byte of head) {
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b) controls++
  }
  if (controls > 8 && controls > head.length / 20) {
    const start = head.toString('hex', 0, 8).replaceAll(/..(?=.)/g, '$& ')
    throw new EngineError(inputTextMessages.binary({ start }), { kind: 'format' })
  }
}

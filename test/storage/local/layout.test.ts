import { join, resolve, sep } from 'node:path'

import { expect } from 'chai'
import * as fc from 'fast-check'

import {
  escapeKey,
  keyOfEscaped,
  layoutBelow,
  meaningOf,
  pathOfKey,
} from '../../../src/storage/local/files.ts'

const anyKey = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(fc.constantFrom('a', 'A', '/', '.', '..', '%', '%2e', '\\', '~', ':', 'é', '.o', '.s'))
    .map((pieces) => pieces.join('')),
)

/** What a walk through the folders makes of a path. */
function keyOfPath(names: readonly string[]): string {
  return keyOfEscaped(names.map((name) => meaningOf(name)?.text).join(''))
}

describe('the layout of the local store', () => {
  const { objectPath, bucketFolder } = layoutBelow('/data/objects')

  it('gives every key a path of its own, below its bucket, that leads back to it', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const names = pathOfKey(key)
        expect(keyOfPath(names)).to.equal(key)
        for (const name of names) expect(name).to.match(/^[a-z0-9_%-]{0,200}\.[osc]$/)
        const path = objectPath('documents', key)
        expect(resolve(path)).to.equal(path)
        expect(path.startsWith(bucketFolder('documents') + sep)).to.equal(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps prefixes of keys as prefixes of paths', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (prefix, rest) => {
        expect(escapeKey(prefix + rest).startsWith(escapeKey(prefix))).to.equal(true)
      }),
    )
  })

  it('leaves an ordinary key readable', () => {
    expect(join(...pathOfKey('enterprise-7/report'))).to.equal(join('enterprise-7.s', 'report.o'))
  })

  it('knows which names are not its own', () => {
    expect(meaningOf('lost+found')).to.equal(null)
    expect(meaningOf('.DS_Store')).to.equal(null)
  })
})

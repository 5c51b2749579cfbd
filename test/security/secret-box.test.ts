import { expect } from 'chai'
import * as fc from 'fast-check'

import {
  EncryptionKeysError,
  generateEncryptionKey,
  parseEncryptionKeys,
} from '../../src/security/encryption-keys.ts'
import { createSecretBox, SecretBoxError, type Sealed } from '../../src/security/secret-box.ts'

const OWNER = '6a0a1c51-6f0d-4c77-9d5e-1a2b3c4d5e6f'
const OTHER = '6a0a1c51-6f0d-4c77-9d5e-1a2b3c4d5e70'
const OLD_KEY = generateEncryptionKey('old')
const NEW_KEY = generateEncryptionKey('new')

const boxOf = (text: string) => createSecretBox(parseEncryptionKeys(text))

function problemOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof SecretBoxError) return error.problem
    throw error
  }
  return 'none'
}

describe('secret box', () => {
  const box = boxOf(OLD_KEY)

  it('decrypts what it encrypted, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        expect(box.open(box.seal(secret, OWNER), OWNER)).to.equal(secret)
      }),
    )
  })

  it('gives different bytes each time for the same secret', () => {
    const [first, second] = [box.seal('the-key', OWNER), box.seal('the-key', OWNER)]
    expect(first.iv).to.have.length(12)
    expect(first.iv.equals(second.iv)).to.equal(false)
    expect(first.ciphertext.equals(second.ciphertext)).to.equal(false)
    expect(first.ciphertext.includes('the-key')).to.equal(false)
  })

  it('refuses every single flipped bit of ciphertext, tag and iv', () => {
    const sealed = box.seal('secret', OWNER)
    for (const part of ['ciphertext', 'iv'] as const) {
      for (let bit = 0; bit < sealed[part].length * 8; bit++) {
        const bytes = Buffer.from(sealed[part])
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        const altered: Sealed = { ...sealed, [part]: bytes }
        expect(
          problemOf(() => box.open(altered, OWNER)),
          `${part} bit ${bit}`,
        ).to.equal('altered')
      }
    }
  })

  it('refuses a shortened tag and a shortened iv', () => {
    const sealed = box.seal('secret', OWNER)
    const short = { ...sealed, ciphertext: sealed.ciphertext.subarray(0, 12) }
    expect(problemOf(() => box.open(short, OWNER))).to.equal('altered')
    expect(problemOf(() => box.open({ ...sealed, iv: sealed.iv.subarray(1) }, OWNER))).to.equal(
      'altered',
    )
  })

  it('refuses a ciphertext that was copied to another connection', () => {
    const sealed = box.seal('secret', OWNER)
    expect(problemOf(() => box.open(sealed, OTHER))).to.equal('altered')
    expect(box.open(sealed, OWNER.toUpperCase())).to.equal('secret')
  })

  it('decrypts with the old key after rotation, and encrypts with the new one', () => {
    const sealed = box.seal('secret', OWNER)
    const rotated = boxOf(`${NEW_KEY},${OLD_KEY}`)
    expect(rotated.open(sealed, OWNER)).to.equal('secret')
    expect(sealed.keyId).to.not.equal(rotated.currentKeyId)
    const again = rotated.seal('secret', OWNER)
    expect(again.keyId).to.equal('new')
    expect(again.keyId).to.equal(rotated.currentKeyId)
    expect([rotated.knows('absent'), rotated.knows(sealed.keyId)]).to.deep.equal([false, true])
  })

  it('says which key is missing', () => {
    const sealed = box.seal('secret', OWNER)
    expect(problemOf(() => boxOf(NEW_KEY).open(sealed, OWNER))).to.equal('unknown-key')
    expect(() => boxOf(NEW_KEY).open(sealed, OWNER)).to.throw("'old'")
  })
})

const ids = (text: string) => parseEncryptionKeys(text).map(({ id }) => id)

describe('encryption keys', () => {
  const material = NEW_KEY.slice('new:'.length)
  const url = material.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')

  it('reads one key, several keys, white space around them, and the URL alphabet', () => {
    expect(ids(OLD_KEY)).to.deep.equal(['old'])
    expect(ids(` ${NEW_KEY} , ${OLD_KEY} `)).to.deep.equal(['new', 'old'])
    expect(ids(`k2:${url}`)).to.deep.equal(['k2'])
  })

  const wrong: [string, string, string][] = [
    ['a key without an id', material, 'number 1 has no id'],
    ['an empty entry', `${OLD_KEY},`, 'number 2 has no id'],
    ['an id with other characters', `a b:${material}`, 'number 1 has an id'],
    ['a key put in the place of the id', `${material}:x`, 'number 1 has an id'],
    ['too short a key', `k:${material.slice(0, 40)}`, 'number 1 has a key'],
    ['too long a key', `k:${material.slice(0, 43)}${material}`, 'number 1 has a key'],
    ['the same id twice', `${OLD_KEY},old:${material}`, 'number 2 has the id'],
  ]
  for (const [name, text, message] of wrong) {
    it(`refuses ${name} and does not show it`, () => {
      expect(() => parseEncryptionKeys(text))
        .to.throw(EncryptionKeysError, message)
        .with.property('message')
        .that.does.not.include(material.slice(0, 10))
    })
  }
})

import { expect } from 'chai'
import * as fc from 'fast-check'

import { RULE_FORMATS, type RuleFormat } from '../../../pipelines/core/rule.ts'
import { TEXT_FORMATS } from '../../../pipelines/rules/text-formats.ts'

const KNOWN: Readonly<Record<RuleFormat, { met: readonly string[]; unmet: readonly string[] }>> = {
  email: {
    met: ['a@b.fr', 'prénom.nom+x@mairie.exemple.fr', 'x_y@sous-domaine.gouv.fr'],
    unmet: [
      'a@b',
      'a b@c.fr',
      '@c.fr',
      'a@',
      'a@@b.fr',
      'a..b@c.fr',
      '.a@c.fr',
      'a@-c.fr',
      '',
      'a@b.fr ',
    ],
  },
  uri: {
    met: ['https://exemple.fr/a?b=c#d', 'mailto:a@b.fr', 'urn:isbn:0451450523'],
    unmet: ['www.exemple.fr', 'https://exemple.fr ', 'https://', 'http://a b.fr', 'exemple'],
  },
  uuid: {
    met: ['7c1f0c52-5d0e-4c43-9a55-2f1b1f6a9c10', '7C1F0C52-5D0E-4C43-9A55-2F1B1F6A9C10'],
    unmet: [
      '7c1f0c525d0e4c439a552f1b1f6a9c10',
      ' 7c1f0c52-5d0e-4c43-9a55-2f1b1f6a9c10',
      '7c1f0c52-5d0e-4c43-9a55-2f1b1f6a9c1g',
    ],
  },
  siren: {
    met: ['732829320', '732 829 320 ', '356000000'],
    unmet: ['732829321', '73282932', '7328293200', '73282932a', '7 3 2 8 2 9 3 2 1'],
  },
  siret: {
    met: ['73282932000074', '732 829 320 00074', '35600000000048', '35600000049837'],
    unmet: ['73282932000075', '7328293200007', '35600000049838'],
  },
  iban: {
    met: [
      'FR1420041010050500013M02606',
      'FR14 2004 1010 0505 0001 3M02 606',
      'GB82WEST12345698765432',
    ],
    unmet: ['FR1520041010050500013M02606', 'FR14', 'ZZ1420041010050500013M02606', 'FR142004'],
  },
  'postcode-fr': {
    met: ['75001', '01000 ', '20200', '97400', '98800'],
    unmet: ['00100', '99000', '7500', '750011', '7500A'],
  },
  insee: {
    met: ['75056', ' 2A004', '2B033', '01001', '97105', '98818'],
    unmet: ['2C001', '20001', '75000', '96001', '97905', '2a004', '7505'],
  },
}

describe('texts of a format', () => {
  for (const format of RULE_FORMATS) {
    it(`${format} are told from others`, () => {
      const { isMet } = TEXT_FORMATS[format]
      expect(KNOWN[format].met.filter((text) => !isMet(text))).to.deep.equal([])
      expect(KNOWN[format].unmet.filter((text) => isMet(text))).to.deep.equal([])
    })
  }

  it('with a check digit are none when one digit is another', () => {
    for (const [format, text] of [
      ['siren', '732829320'],
      ['siret', '73282932000074'],
      ['iban', 'FR1420041010050500013M02606'],
    ] as const) {
      const places = Array.from(text, (_, at) => at).filter((at) => /\d/.test(text[at]!))
      fc.assert(
        fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 }), (at, more) => {
          const digit = (Number(text[at]) + more) % 10
          return !TEXT_FORMATS[format].isMet(text.slice(0, at) + digit + text.slice(at + 1))
        }),
      )
    }
  })
})

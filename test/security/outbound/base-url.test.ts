import { expect } from 'chai'

import { BaseUrlError, normaliseBaseUrl } from '../../../src/security/outbound/base-url.ts'

describe('base address of a connection', () => {
  for (const [given, stored] of [
    ['https://forms.example', 'https://forms.example'],
    ['https://forms.example/', 'https://forms.example'],
    ['  https://forms.example/app//  ', 'https://forms.example/app'],
    ['HTTP://Forms.Example:80/App', 'http://forms.example/App'],
    ['http://forms.example:8080', 'http://forms.example:8080'],
    ['https://éclair.example', 'https://xn--clair-9ra.example'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['http://[::FFFF:127.0.0.1]:81/', 'http://[::ffff:7f00:1]:81'],
  ] as const) {
    it(`stores ${given.trim()} as ${stored}`, () => {
      expect(normaliseBaseUrl(given)).to.equal(stored)
      expect(normaliseBaseUrl(stored)).to.equal(stored)
    })
  }

  for (const given of [
    '',
    '   ',
    'forms.example',
    '//forms.example',
    'ftp://forms.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https:',
    'https://',
    'https:forms.example',
    'http://user@forms.example',
    'http://user:pw@forms.example',
    'https://forms.example?a=1',
    'https://forms.example/?',
    'https://forms.example#x',
    'https://forms.example/#',
    'https://forms\n.example',
    'https://forms .example',
    'https:\\\\forms.example',
    'https://forms.example:99999',
    'http://999.1.1.1',
    `https://forms.example/${'a'.repeat(2048)}`,
    `https://forms.example/${'é'.repeat(1000)}`,
  ]) {
    it(`refuses ${JSON.stringify(given.slice(0, 60))}`, () => {
      expect(() => normaliseBaseUrl(given)).to.throw(BaseUrlError)
    })
  }

  it('tells a port that cannot be from another scheme', () => {
    expect(() => normaliseBaseUrl('https://forms.example:99999')).to.throw(
      'impossible host or port',
    )
    expect(() => normaliseBaseUrl('ftp://forms.example')).to.throw('begins with')
  })
})

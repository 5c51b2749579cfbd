import { expect } from 'chai'
import { Type } from 'typebox'

import { EngineError } from '../../../pipelines/core/errors.ts'
import { type Certainty, defineFormat } from '../../../pipelines/core/format.ts'
import { Registry } from '../../../pipelines/core/registry.ts'
import { chooseFormat } from '../../../pipelines/engine/choose-format.ts'
import { standardFormats } from '../../../pipelines/engine/standard-formats.ts'

const headOf = (bytes: Buffer) => ({ bytes, isWhole: true, members: null })

/** A format that is as sure of everything as its name says. */
const surely = (certainty: Certainty, name: string = certainty) =>
  defineFormat({
    name,
    sourceType: 'ANY',
    options: {},
    recognises: () => certainty,
    open: () => Promise.reject(new Error('not asked for')),
  })

function chosen(formats: Registry<ReturnType<typeof surely>>, name?: string, text = 'x'): string {
  try {
    return chooseFormat(formats, headOf(Buffer.from(text)), said(name)).name
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { problem } = error
    return problem.kind === 'options' ? `options ${problem.pointer}` : problem.kind
  }
}

const said = (format?: string) => (format === undefined ? {} : { format })

describe('the choice of a format', () => {
  it('falls on the surest, of several on the first', () => {
    const all = [surely('no'), surely('perhaps'), surely('likely'), surely('likely', 'second')]
    expect(chosen(new Registry(all))).to.equal('likely')
    expect(chosen(new Registry([...all, surely('certainly')]))).to.equal('certainly')
    expect(chosen(new Registry([surely('no')]))).to.equal('format')
  })

  it('falls on one that knows what the request says, unless another is certain', () => {
    const knowing = { ...surely('perhaps'), options: { widths: Type.Array(Type.Integer()) } }
    const choose = (...others: ReturnType<typeof surely>[]) =>
      chooseFormat(new Registry([...others, knowing]), headOf(Buffer.from('x')), { widths: [1] })
        .name
    expect(choose(surely('likely'))).to.equal('perhaps')
    expect(choose(surely('likely'), surely('certainly'))).to.equal('certainly')
  })

  it('falls on the one that is named, unless it says no or another is certain', () => {
    const formats = new Registry([surely('no'), surely('perhaps'), surely('likely')])
    expect(chosen(formats, 'perhaps')).to.equal('perhaps')
    expect(chosen(formats, 'no')).to.equal('options /format')
    expect(chosen(formats, 'unknown')).to.equal('options /format')
    const certain = formats.with(surely('certainly'), surely('certainly', 'another'))
    expect(chosen(certain, 'likely')).to.equal('options /format')
    expect(chosen(certain, 'another')).to.equal('another')
  })

  it('falls on the one that is named where there is nothing but white space yet', () => {
    const formats = new Registry([surely('certainly'), surely('no')])
    expect(chosen(formats, 'no', ' \n\t')).to.equal('no')
    expect(chosen(formats, 'no', '')).to.equal('no')
  })

  it('falls on JSON behind any number of blank lines', () => {
    for (const blanks of [0, 5000, 60_000]) {
      const text = `${' \n'.repeat(blanks / 2)}[{"a":1}]`
      expect(chosen(standardFormats(), undefined, text)).to.equal('json')
      expect(chosen(standardFormats(), 'csv', text)).to.equal('options /format')
    }
  })

  it('falls on JSON for an array of arrays, also with what only delimited text takes', () => {
    for (const text of [
      '[["id","nom"],[1,"a"]]',
      '[\n  [1, "a"],\n  [2, "b"]\n]',
      '[[null,"x"]]',
    ]) {
      const format = chooseFormat(standardFormats(), headOf(Buffer.from(text)), { headerRow: 0 })
      expect(format.name).to.equal('json')
    }
    expect(chosen(standardFormats(), 'csv', '[[brouillon]];12\n[[fini]];13\n')).to.equal('csv')
  })

  const foreign: [string, Buffer, string][] = [
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'PDF'],
    ['an image', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'image'],
    ['a web page', Buffer.from('\ufeff\n<!DOCTYPE html>\n<html>'), 'HTML'],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>'), 'XML'],
  ]
  for (const [name, bytes, word] of foreign) {
    it(`is refused for ${name}, unless a format is certain of it`, () => {
      const formats = new Registry([surely('likely')])
      for (const given of [undefined, 'likely']) {
        expect(() => chooseFormat(formats, headOf(bytes), said(given)))
          .to.throw(EngineError, word)
          .with.nested.property('problem.kind', 'format')
      }
      const own = formats.with(surely('certainly'))
      expect(chooseFormat(own, headOf(bytes), {}).name).to.equal('certainly')
    })
  }
})

import { expect } from 'chai'
import { Type } from 'typebox'

import { presenter } from '../../../src/http/presenters/presenter.ts'
import { type ProblemDocument, problemSchema } from '../../../src/resources/problem.ts'
import { nullable, strictObject, timestamp, variants } from '../../../src/resources/schema.ts'

describe('a presenter', () => {
  const at = new Date('2026-01-31T09:30:00.000Z')

  it('shows the fields that are listed, and nothing else that is held', () => {
    const thing = { name: 'Ventes', id: 7, api_key_ciphertext: Buffer.from('sealed') }
    expect(presenter({ name: Type.String() })(thing)).to.deep.equal({ name: 'Ventes' })
  })

  it('writes instants in UTC with milliseconds, wherever they stand', () => {
    const present = presenter({
      at: timestamp(),
      later: nullable(timestamp()),
      never: nullable(timestamp()),
      inside: strictObject({ at: timestamp() }),
      list: Type.Array(strictObject({ at: timestamp() })),
    })
    const written = '2026-01-31T09:30:00.000Z'
    expect(
      present({ at, later: at, never: null, inside: { at }, list: [{ at }, { at }] }),
    ).to.deep.equal({
      at: written,
      later: written,
      never: null,
      inside: { at: written },
      list: [{ at: written }, { at: written }],
    })
  })

  it('shows a problem with the members that it has, be they of fields or of cells', () => {
    const present = presenter({ error: Type.Optional(problemSchema) })
    const document = (errors: ProblemDocument['errors']): ProblemDocument => ({
      type: 'urn:problem',
      title: 'No',
      status: 400,
      code: 'ValidationException',
      detail: 'No',
      errors,
    })
    const ofFields = document([{ pointer: '/name', message: 'is required' }])
    const ofCells = document([{ row: 1, column: 'Date', value: 'x', message: 'No date' }])
    for (const error of [ofFields, ofCells]) {
      expect(present({ error })).to.deep.equal({ error })
    }
  })

  it('leaves out what is optional and not there', () => {
    const present = presenter({ name: Type.String(), error: Type.Optional(Type.String()) })
    expect(present({ name: 'a', error: null })).to.deep.equal({ name: 'a' })
    expect(present({ name: 'a', error: undefined })).to.deep.equal({ name: 'a' })
    expect(present({ name: 'a' })).to.deep.equal({ name: 'a' })
    expect(present({ name: 'a', error: 'b' })).to.deep.equal({ name: 'a', error: 'b' })
  })

  it('looks into objects, lists and variants for fields that are not listed', () => {
    const origin = variants(
      'kind',
      strictObject({ kind: Type.Literal('file'), name: Type.String() }),
      strictObject({ kind: Type.Literal('form'), uuid: Type.String() }),
    )
    const present = presenter({
      owner: nullable(strictObject({ name: Type.String() })),
      parts: Type.Array(strictObject({ url: Type.String() })),
      origin: nullable(origin),
    })
    const held = {
      owner: { name: 'Éloïse', email: 'eloise@lumiere.test' },
      parts: [{ url: '/1', secret: 'a' }],
      origin: { kind: 'form' as const, uuid: 'b', apiKey: 'c' },
    }
    expect(present(held)).to.deep.equal({
      owner: { name: 'Éloïse' },
      parts: [{ url: '/1' }],
      origin: { kind: 'form', uuid: 'b' },
    })
    expect(present({ owner: null, parts: [], origin: null })).to.deep.equal({
      owner: null,
      parts: [],
      origin: null,
    })
  })
})

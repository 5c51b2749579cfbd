import type { Static } from 'typebox'

import { load } from '../../resources/load.ts'
import { named, strictObject, uuid } from '../schemas.ts'
import {
  exampleCounts,
  exampleDialect,
  exampleDrift,
  exampleOptions,
  exampleReport,
} from './example-table.ts'
import { exampleAdmin } from './present-actor.ts'
import { exampleDocument } from './present-document.ts'
import { exampleSource } from './present-source.ts'
import { presenter } from './presenter.ts'

const shownLoad = strictObject(load.shown)

export const exampleLoad: Static<typeof shownLoad> = {
  uuid: '5186540f-f9d2-4fa4-ad18-d8248461e2b1',
  number: 1,
  kind: 'creation',
  mode: 'replace',
  key: null,
  state: 'current',
  loadedBy: { uuid: exampleAdmin.uuid, name: exampleAdmin.name },
  filename: exampleDocument.filename,
  sizeBytes: exampleDocument.size,
  sha256: exampleDocument.sha256,
  origin: { kind: 'upload' },
  options: exampleOptions,
  dialect: exampleDialect,
  counts: exampleCounts,
  drift: exampleDrift,
  distributed: false,
  report: exampleReport,
  mapping: null,
  missing: [],
  questions: [],
  shapeVersion: null,
  error: null,
  startedAt: exampleSource.createdAt,
  finishedAt: exampleSource.updatedAt,
  publishedAt: exampleSource.updatedAt,
}

export const loadPath = strictObject({
  uuid: uuid(undefined, exampleSource.uuid),
  load: uuid(undefined, exampleLoad.uuid),
})

export const stagedLoad: typeof exampleLoad = {
  ...exampleLoad,
  uuid: '0b0e6a3c-2f9d-4c0f-9a55-6a0f6f6b7a11',
  number: 2,
  kind: 'reload',
  state: 'staged',
  mapping: [
    {
      header: 'Client',
      column: 'Client',
      by: 'name',
      confidence: 1,
      because: 'The same name',
      alternatives: [],
    },
    {
      header: 'Montant TTC',
      column: 'Montant',
      by: 'proposed',
      confidence: 0.6,
      because: 'Both have “montant”',
      alternatives: [],
    },
  ],
  missing: ['Montant'],
  questions: [
    {
      kind: 'renamed',
      header: 'Montant TTC',
      column: 'Montant',
      proposals: [{ column: 'Montant', confidence: 0.6, because: 'Both have “montant”' }],
    },
  ],
  shapeVersion: 1,
  publishedAt: null,
}

const failedLoad: typeof exampleLoad = {
  ...exampleLoad,
  uuid: '9d5d3d57-9a7c-4e0a-8d7d-5f5a0c2f4c1e',
  number: 3,
  kind: 'reload',
  state: 'failed',
  dialect: null,
  counts: null,
  drift: null,
  distributed: false,
  report: null,
  error: {
    type: 'urn:administration-service:problem:SourceFileEmptyException',
    title: 'There is nothing in the data',
    status: 400,
    code: 'SourceFileEmptyException',
    detail: 'The file contains only white space.',
  },
  publishedAt: null,
}

export const loadSchema = named('SourceLoad', shownLoad, {
  creation: exampleLoad,
  staged: stagedLoad,
  failed: failedLoad,
})

export const presentLoad = presenter(load.shown)

import type { Static } from 'typebox'

import { source, sourceColumn } from '../../resources/source.ts'
import { named, strictObject, uuidPath } from '../schemas.ts'
import { exampleColumns, exampleReport } from './example-table.ts'
import { exampleConnection } from './present-connection.ts'
import { exampleForm } from './present-remote-item.ts'
import { presenter } from './presenter.ts'

const shownSource = strictObject(source.shown)

export const exampleSource: Static<typeof shownSource> = {
  uuid: 'dee297f5-6b52-481e-8a44-105f1ec74115',
  name: 'Ventes mars',
  description: null,
  schema: 'enterprise_1',
  tableName: 'ventes_mars',
  source: 'file',
  sourceType: 'CSV',
  status: 'READY',
  rowCount: 3,
  rejectedCount: 1,
  stagedLoads: 0,
  columns: exampleColumns,
  shapeUuid: 'b2f5a1d4-3c0e-4a6b-8f0d-6f1f5d2f7e21',
  report: exampleReport,
  errorMessage: null,
  keepLoads: 1,
  bytes: { current: 24_576, kept: 0 },
  createdAt: '2026-04-01T07:30:00.000Z',
  updatedAt: '2026-04-01T07:30:00.062Z',
  loadedAt: '2026-04-01T07:30:00.062Z',
}

const loading: typeof exampleSource = {
  uuid: '3c8e8e08-51be-48ab-b957-fdba09a4d2ba',
  name: 'Demandes',
  description: null,
  schema: 'enterprise_1',
  tableName: 'demandes',
  source: 'api',
  sourceType: 'API_FORM',
  status: 'LOADING',
  rowCount: 0,
  rejectedCount: 0,
  stagedLoads: 0,
  columns: [],
  connectionUuid: exampleConnection.uuid,
  apiResourceType: 'form',
  formUuid: exampleForm.uuid,
  formTitle: exampleForm.title,
  shapeUuid: 'f0b3b1de-8a43-4b39-9a51-0a4f4e2b1c77',
  report: null,
  errorMessage: null,
  keepLoads: 1,
  bytes: { current: 0, kept: 0 },
  createdAt: '2026-04-01T07:45:00.000Z',
  updatedAt: '2026-04-01T07:45:00.000Z',
  loadedAt: null,
}

export const sourcePath = uuidPath(exampleSource.uuid)

export const sourceSchema = named('Source', shownSource, { loading, loaded: exampleSource })

export const presentSource = presenter(source.shown)

export const presentColumn = presenter(sourceColumn)

import type { Static } from 'typebox'

import { auditEntry, type AuditEntry } from '../../resources/audit-entry.ts'
import { csvLine } from '../../stack/export/csv.ts'
import { named, strictObject } from '../schemas.ts'
import { exampleAdmin, exampleEnterprise } from './present-actor.ts'
import { presenter } from './presenter.ts'

const shown = strictObject(auditEntry.shown)

const exampleEntry: Static<typeof shown> = {
  number: 42,
  createdAt: '2026-04-01T07:30:00.120Z',
  enterpriseId: exampleEnterprise.id,
  enterprise: { id: exampleEnterprise.id, name: exampleEnterprise.name },
  action: 'source.change',
  outcome: 'done',
  thing: {
    kind: 'source',
    uuid: '6f1d2c3b-8a9e-4f50-b1c2-d3e4f5a6b7c8',
    name: 'Ventes 2026',
  },
  fields: ['name', 'keepLoads'],
  actor: { uuid: exampleAdmin.uuid, email: exampleAdmin.email, role: 'admin' },
  via: 'session',
  token: '0b7c1b0e-54a4-4f4e-9d53-0c5f2d3f6a10',
  address: '192.0.2.17',
  requestId: '5f0c2a1e-0f0b-4a52-9a55-3b7a4f0c9d11',
  jobUuid: null,
  hash: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
}

export const auditEntrySchema = named('AuditEntry', shown, { change: exampleEntry })

export const presentAuditEntry = presenter(auditEntry.shown)

type Shown = Static<typeof shown>

type Cell = string | number | null | undefined

const COLUMNS: readonly (readonly [name: string, of: (entry: Shown) => Cell])[] = [
  ['number', ({ number }) => number],
  ['createdAt', ({ createdAt }) => createdAt],
  ['enterpriseId', ({ enterpriseId }) => enterpriseId],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['thingKind', ({ thing }) => thing.kind],
  ['thingUuid', ({ thing }) => thing.uuid],
  ['thingName', ({ thing }) => thing.name],
  ['fields', ({ fields }) => fields.join(' ')],
  ['actorUuid', ({ actor }) => actor?.uuid],
  ['actorEmail', ({ actor }) => actor?.email],
  ['actorRole', ({ actor }) => actor?.role],
  ['via', ({ via }) => via],
  ['token', ({ token }) => token],
  ['address', ({ address }) => address],
  ['requestId', ({ requestId }) => requestId],
  ['jobUuid', ({ jobUuid }) => jobUuid],
  ['hash', ({ hash }) => hash],
]

export const AUDIT_CSV_HEADER = csvLine(COLUMNS.map(([name]) => name))

export const auditCsvLine = (entry: AuditEntry): string => {
  const told = presentAuditEntry(entry)
  return csvLine(COLUMNS.map(([, of]) => of(told)))
}

export const EXAMPLE_AUDIT_CSV =
  AUDIT_CSV_HEADER + csvLine(COLUMNS.map(([, of]) => of(exampleEntry)))

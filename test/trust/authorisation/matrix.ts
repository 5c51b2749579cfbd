import { randomUUID } from 'node:crypto'

import type { ThingKind } from './things.ts'

/**
 * Who may call an operation.
 * `holder`: nobody for their account; who has the link of a collection is somebody else.
 * `folder-tree`: super-admins, and enterprise accounts inside their own enterprise.
 */
export type Audience = 'everybody' | 'holder' | 'user' | 'admin' | 'super-admin' | 'folder-tree'

/**
 * Whose things somebody reaches.
 * `enterprise`: those of their enterprise, a super-admin all. `owner`: their own, whoever they are.
 */
export type Scope = 'enterprise' | 'owner' | 'owner-or-super-admin'

export interface Row {
  readonly audience: Audience
  /** Of the thing that the address names. */
  readonly thing?: { readonly kind: ThingKind; readonly scope: Scope }
  /** The status of a call that is allowed. */
  readonly allowed: number
  /** Where a super-admin's call on a thing of another enterprise is answered in another way. */
  readonly allowedElsewhere?: number
  /** The answer to a caller who may call, but belongs to no enterprise. */
  readonly withoutEnterprise?: number
  /** Body of a call that would be allowed; gets the name that the thing was made under. */
  readonly body?: (made: { readonly name: string; readonly uuid: string }) => unknown
  readonly form?: 'document' | 'source' | 'preview' | 'mended'
  readonly query?: string
  /** A list: what it must show of one's own, and never of others. */
  readonly lists?: { readonly kind: ThingKind; readonly scope: Scope }
}

const connection = { kind: 'connection', scope: 'enterprise' } as const
const job = { kind: 'finished-job', scope: 'owner-or-super-admin' } as const
const document = { kind: 'document', scope: 'owner' } as const
const folder = { kind: 'folder', scope: 'enterprise' } as const
const source = { kind: 'source', scope: 'enterprise' } as const
const shape = { kind: 'shape', scope: 'enterprise' } as const
const collection = { kind: 'collection', scope: 'enterprise' } as const
const personalToken = { kind: 'personal-token', scope: 'owner' } as const
const user = { kind: 'user', scope: 'enterprise' } as const
const workflow = { kind: 'workflow', scope: 'enterprise' } as const

const PUBLIC: Row = { audience: 'everybody', allowed: 200 }
const OF_HOLDER: Row = { audience: 'holder', allowed: 200 }

/** One row for each operation of the OpenAPI document; one without a row fails. */
export const MATRIX: Readonly<Record<string, Row>> = {
  'POST /auth/login': {
    audience: 'everybody',
    allowed: 401,
    body: () => ({ email: 'nobody@trust.test', password: 'not-a-password' }),
  },
  'GET /auth/me': { audience: 'user', allowed: 200 },
  'POST /auth/password': {
    audience: 'user',
    // Nobody here has a password: whatever is sent is not the current one.
    allowed: 400,
    body: () => ({ current: 'not-a-password', new: 'not-a-password-either' }),
  },
  'POST /auth/tokens': { audience: 'user', allowed: 201, body: ({ name }) => ({ name }) },
  'GET /auth/tokens': {
    audience: 'user',
    allowed: 200,
    query: '?limit=100',
    lists: personalToken,
  },
  'DELETE /auth/tokens/{uuid}': { audience: 'user', thing: personalToken, allowed: 200 },

  'POST /enterprises': {
    audience: 'super-admin',
    allowed: 201,
    body: ({ name }) => ({ name, accountType: 'enterprise' }),
  },
  'GET /enterprises': { audience: 'super-admin', allowed: 200 },
  'POST /users': {
    audience: 'super-admin',
    allowed: 201,
    body: () => ({
      email: `${randomUUID()}@trust.test`,
      name: 'Matrix',
      role: 'client',
      accountType: 'personal',
    }),
  },
  'GET /users': { audience: 'super-admin', allowed: 200 },
  'GET /users/{uuid}': { audience: 'super-admin', thing: user, allowed: 200 },
  'PATCH /users/{uuid}': {
    audience: 'super-admin',
    thing: user,
    allowed: 200,
    body: () => ({ name: 'Renamed' }),
  },

  'GET /audit': { audience: 'admin', allowed: 200 },

  'POST /connections': {
    audience: 'admin',
    allowed: 201,
    body: ({ name }) => ({ name, baseUrl: 'https://forms.example.com', apiKey: 'frm_matrix_key' }),
  },
  'GET /connections': { audience: 'admin', allowed: 200, query: '?limit=100', lists: connection },
  'GET /connections/{uuid}': { audience: 'admin', thing: connection, allowed: 200 },
  'PATCH /connections/{uuid}': {
    audience: 'admin',
    thing: connection,
    allowed: 200,
    body: () => ({ name: 'Renamed' }),
  },
  'DELETE /connections/{uuid}': { audience: 'admin', thing: connection, allowed: 200 },
  'POST /connections/{uuid}/test': { audience: 'admin', thing: connection, allowed: 200 },
  'GET /connections/{uuid}/browse': { audience: 'admin', thing: connection, allowed: 200 },
  'GET /connections/{uuid}/cards': { audience: 'admin', thing: connection, allowed: 200 },

  'POST /folders': {
    audience: 'folder-tree',
    allowed: 201,
    body: ({ name }) => ({ name, parentUuid: '{root}' }),
  },
  'GET /folders': {
    audience: 'super-admin',
    allowed: 200,
    query: '?parent=all&limit=100',
    lists: folder,
  },
  'GET /folders/mine': { audience: 'user', allowed: 200, withoutEnterprise: 404 },
  'GET /folders/enterprises': { audience: 'super-admin', allowed: 200 },
  'PATCH /folders/{uuid}': {
    audience: 'super-admin',
    thing: folder,
    allowed: 200,
    body: () => ({ name: 'Renamed' }),
  },
  'DELETE /folders/{uuid}': { audience: 'super-admin', thing: folder, allowed: 200 },
  'GET /folders/{uuid}/children': { audience: 'folder-tree', thing: folder, allowed: 200 },
  'GET /folders/{uuid}/documents': { audience: 'folder-tree', thing: folder, allowed: 200 },
  'GET /folders/{uuid}/breadcrumb': { audience: 'folder-tree', thing: folder, allowed: 200 },
  'POST /folders/{uuid}/restore': {
    audience: 'super-admin',
    thing: { kind: 'deleted-folder', scope: 'enterprise' },
    allowed: 200,
  },
  'POST /folders/{uuid}/move': {
    audience: 'super-admin',
    thing: folder,
    allowed: 200,
    // A folder never leaves its enterprise.
    allowedElsewhere: 400,
    body: () => ({ parentUuid: '{root}' }),
  },
  'DELETE /folders/{uuid}/root': {
    audience: 'super-admin',
    thing: { kind: 'deleted-root', scope: 'enterprise' },
    allowed: 200,
    body: ({ name }) => ({ folderName: name }),
  },

  'POST /documents': { audience: 'user', allowed: 201, form: 'document' },
  'GET /documents': { audience: 'user', allowed: 200, query: '?limit=100', lists: document },
  'GET /documents/{uuid}': { audience: 'user', thing: document, allowed: 200 },
  'DELETE /documents/{uuid}': { audience: 'user', thing: document, allowed: 200 },
  'GET /documents/{uuid}/download': { audience: 'user', thing: document, allowed: 200 },

  'POST /documents/uploads': {
    audience: 'user',
    allowed: 201,
    body: () => ({ filename: 'direct.csv', size: 8 }),
  },
  'POST /documents/uploads/{uuid}/complete': {
    audience: 'user',
    thing: { kind: 'upload', scope: 'owner' },
    allowed: 409,
  },
  'DELETE /documents/uploads/{uuid}': {
    audience: 'user',
    thing: { kind: 'upload', scope: 'owner' },
    allowed: 200,
  },
  // Their signature stands for a token.
  'GET /storage/objects/{object}': { audience: 'everybody', allowed: 403 },
  'PUT /storage/uploads/{part}': { audience: 'everybody', allowed: 403 },

  'POST /sources': { audience: 'admin', allowed: 201, form: 'source' },
  'POST /sources/preview': { audience: 'admin', allowed: 200, form: 'preview' },
  'POST /sources/check': { audience: 'admin', allowed: 200, form: 'preview' },
  'POST /sources/{uuid}/preview': {
    audience: 'admin',
    thing: source,
    allowed: 200,
    form: 'preview',
  },
  'POST /sources/{uuid}/check': {
    audience: 'admin',
    thing: source,
    allowed: 200,
    form: 'preview',
  },
  'GET /sources/api-preview': {
    audience: 'admin',
    allowed: 200,
    query: '?connectionUuid={connection}&apiResourceType=form&formUuid={form}',
  },
  'GET /home': { audience: 'admin', allowed: 200 },
  'GET /schedules/next-runs': {
    audience: 'admin',
    allowed: 200,
    query: '?cron=0%206%20*%20*%20*',
  },
  'GET /sources': { audience: 'admin', allowed: 200, query: '?limit=100', lists: source },
  'GET /sources/{uuid}': { audience: 'admin', thing: source, allowed: 200 },
  'PATCH /sources/{uuid}': {
    audience: 'admin',
    thing: source,
    allowed: 200,
    body: () => ({ name: 'Renamed' }),
  },
  'DELETE /sources/{uuid}': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/datapackage': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/shape': { audience: 'admin', thing: source, allowed: 200 },
  'PATCH /sources/{uuid}/shape': {
    audience: 'admin',
    thing: source,
    allowed: 200,
    body: () => ({ unknown: 'leave' }),
  },
  'POST /sources/{uuid}/rules/try': {
    audience: 'admin',
    thing: source,
    allowed: 200,
    body: () => ({ column: 'a', rules: [{ required: true }] }),
  },
  'GET /sources/{uuid}/data': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/export': {
    audience: 'admin',
    thing: source,
    allowed: 200,
    query: '?format=csv',
  },
  'GET /sources/{uuid}/profile': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/summary': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/rejects': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/loads': { audience: 'admin', thing: source, allowed: 200 },
  'GET /sources/{uuid}/changes': {
    audience: 'admin',
    thing: { kind: 'source-with-staged-load', scope: 'enterprise' },
    allowed: 200,
  },
  'PUT /sources/{uuid}/schedule': {
    audience: 'admin',
    thing: { kind: 'scheduled-source', scope: 'enterprise' },
    allowed: 200,
    body: () => ({ cron: '30 4 1 1 *' }),
  },
  'GET /sources/{uuid}/schedule': {
    audience: 'admin',
    thing: { kind: 'scheduled-source', scope: 'enterprise' },
    allowed: 200,
  },
  'DELETE /sources/{uuid}/schedule': {
    audience: 'admin',
    thing: { kind: 'scheduled-source', scope: 'enterprise' },
    allowed: 200,
  },
  'GET /sources/{uuid}/loads/{load}': {
    audience: 'admin',
    thing: { kind: 'reloaded-source', scope: 'enterprise' },
    allowed: 200,
  },
  'DELETE /sources/{uuid}/loads/{load}': {
    audience: 'admin',
    thing: { kind: 'source-with-staged-load', scope: 'enterprise' },
    allowed: 200,
  },
  'POST /sources/{uuid}/loads/{load}/publish': {
    audience: 'admin',
    thing: { kind: 'source-with-staged-load', scope: 'enterprise' },
    allowed: 200,
  },
  'POST /sources/{uuid}/rollback': {
    audience: 'admin',
    thing: { kind: 'reloaded-source', scope: 'enterprise' },
    allowed: 200,
    body: () => ({}),
  },
  'POST /sources/{uuid}/reload': { audience: 'admin', thing: source, allowed: 200 },
  'POST /sources/{uuid}/rejects': {
    audience: 'admin',
    thing: { kind: 'source-with-rejects', scope: 'enterprise' },
    allowed: 200,
    form: 'mended',
  },

  'POST /shapes': {
    audience: 'admin',
    allowed: 201,
    body: ({ name }) => ({ name, columns: [{ name: 'a', type: 'text' }] }),
  },
  'GET /shapes': { audience: 'admin', allowed: 200, query: '?limit=100', lists: shape },
  'GET /shapes/{uuid}': { audience: 'admin', thing: shape, allowed: 200 },
  'PATCH /shapes/{uuid}': {
    audience: 'admin',
    thing: shape,
    allowed: 200,
    body: () => ({ unknown: 'leave' }),
  },
  'DELETE /shapes/{uuid}': { audience: 'admin', thing: shape, allowed: 200 },
  'GET /shapes/{uuid}/table-schema': { audience: 'admin', thing: shape, allowed: 200 },
  'GET /shapes/{uuid}/template': {
    audience: 'admin',
    thing: shape,
    allowed: 200,
    query: '?format=csv',
  },

  'POST /collections': {
    audience: 'admin',
    thing: source,
    allowed: 201,
    body: ({ name, uuid }) => ({
      name,
      sourceUuid: uuid,
      senders: [{ key: 'a', name: 'Sender', email: 'sender@trust.test' }],
    }),
  },
  'GET /collections': { audience: 'admin', allowed: 200, query: '?limit=100', lists: collection },
  'GET /collections/{uuid}': { audience: 'admin', thing: collection, allowed: 200 },
  'PATCH /collections/{uuid}': {
    audience: 'admin',
    thing: collection,
    allowed: 200,
    body: () => ({ approval: true }),
  },
  'DELETE /collections/{uuid}': { audience: 'admin', thing: collection, allowed: 200 },
  'POST /collections/{uuid}/senders': {
    audience: 'admin',
    thing: collection,
    allowed: 201,
    body: () => ({ senders: [{ key: 'b', name: 'Other', email: 'other@trust.test' }] }),
  },
  'DELETE /collections/{uuid}/senders/{sender}': {
    audience: 'admin',
    thing: collection,
    allowed: 200,
  },
  'POST /collections/{uuid}/periods': {
    audience: 'admin',
    thing: collection,
    allowed: 201,
    body: () => ({ periods: ['2026'] }),
  },
  'POST /collections/{uuid}/slots/{slot}/remind': {
    audience: 'admin',
    thing: collection,
    allowed: 200,
  },
  'POST /collections/{uuid}/slots/{slot}/link': {
    audience: 'admin',
    thing: collection,
    allowed: 200,
  },
  'POST /collections/{uuid}/slots/{slot}/approve': {
    audience: 'admin',
    thing: collection,
    // Nothing waits there.
    allowed: 409,
  },
  'POST /collections/{uuid}/slots/{slot}/return': {
    audience: 'admin',
    thing: collection,
    allowed: 409,
    body: () => ({ message: 'Again' }),
  },
  'GET /deliveries': OF_HOLDER,
  'GET /deliveries/template': OF_HOLDER,
  'POST /deliveries/{slot}/check': OF_HOLDER,
  'PUT /deliveries/{slot}': OF_HOLDER,
  'POST /deliveries/{slot}/uploads': OF_HOLDER,
  'POST /deliveries/{slot}/uploads/{upload}/complete': OF_HOLDER,
  'DELETE /deliveries/{slot}/uploads/{upload}': OF_HOLDER,
  'GET /collections/{uuid}/slots': { audience: 'admin', thing: collection, allowed: 200 },

  'POST /workflows': { audience: 'admin', allowed: 201, body: ({ name }) => ({ name }) },
  'GET /workflows': { audience: 'admin', allowed: 200, query: '?limit=100', lists: workflow },
  'GET /workflows/{uuid}': { audience: 'admin', thing: workflow, allowed: 200 },
  'POST /workflows/{uuid}/source-config': {
    audience: 'admin',
    thing: workflow,
    allowed: 200,
    body: () => ({
      sourceType: 'api',
      connectionUuid: '{connection}',
      formUuid: '{form}',
      formTitle: 'Form',
    }),
  },
  'GET /workflows/{uuid}/source-preview': { audience: 'admin', thing: workflow, allowed: 200 },
  'POST /workflows/{uuid}/launch': { audience: 'admin', thing: workflow, allowed: 201 },
  'GET /workflows/{uuid}/runs': { audience: 'admin', thing: workflow, allowed: 200 },

  'GET /workflows/{uuid}/runs/{runUuid}': {
    audience: 'admin',
    thing: { kind: 'launched-workflow', scope: 'enterprise' },
    allowed: 200,
  },

  'GET /jobs': { audience: 'user', allowed: 200, query: '?limit=100', lists: job },
  'GET /jobs/{uuid}': { audience: 'user', thing: job, allowed: 200 },
  'GET /jobs/{uuid}/events': { audience: 'user', thing: job, allowed: 200 },
  'POST /jobs/{uuid}/cancel': {
    audience: 'user',
    thing: { kind: 'queued-job', scope: 'owner-or-super-admin' },
    allowed: 202,
  },

  'GET /health/live': PUBLIC,
  'GET /health/ready': PUBLIC,
  'GET /metrics': PUBLIC,
  'GET /.well-known/jwks.json': PUBLIC,
  'GET /favicon.ico': PUBLIC,
  'GET /console/': PUBLIC,
  'GET /deliver/': PUBLIC,
  'GET /console/assets/{version}/{file}': PUBLIC,
  'GET /docs': PUBLIC,
  'GET /docs/{file}': PUBLIC,
  'GET /openapi.json': PUBLIC,
}

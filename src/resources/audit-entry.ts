import { Type } from 'typebox'

import { ROLE_TYPES } from './account-types.ts'
import { enterpriseOf, enterpriseOfThing } from './enterprise.ts'
import { type EntityOf, resource } from './resource.ts'
import { nullable, strictObject, timestamp, uuid } from './schema.ts'

/** What can be done, and to which kind of thing. Stored: a name keeps its meaning for good. */
export const ACTIONS = {
  'session.begin': 'user',
  'password.change': 'user',
  'token.create': 'token',
  'token.remove': 'token',
  'enterprise.create': 'enterprise',
  'user.create': 'user',
  'user.change': 'user',
  'connection.create': 'connection',
  'connection.change': 'connection',
  'connection.remove': 'connection',
  'folder.create': 'folder',
  'folder.rename': 'folder',
  'folder.remove': 'folder',
  'folder.restore': 'folder',
  'folder.move': 'folder',
  'folder.delete-root': 'folder',
  'document.create': 'document',
  'document.remove': 'document',
  'upload.begin': 'upload',
  'upload.abort': 'upload',
  'workflow.create': 'workflow',
  'workflow.configure': 'workflow',
  'workflow.launch': 'workflow',
  'source.create': 'source',
  'source.change': 'source',
  'source.change-shape': 'source',
  'source.reload': 'source',
  'source.schedule': 'source',
  'source.rejects': 'source',
  'source.publish': 'source',
  'source.rollback': 'source',
  'source.remove': 'source',
  'load.remove': 'load',
  'schedule.set': 'source',
  'schedule.remove': 'source',
  'shape.create': 'shape',
  'shape.change': 'shape',
  'shape.remove': 'shape',
  'collection.create': 'collection',
  'collection.change': 'collection',
  'collection.add-senders': 'collection',
  'collection.add-periods': 'collection',
  'collection.renew-link': 'slot',
  'collection.remind': 'slot',
  'collection.approve': 'slot',
  'collection.return': 'slot',
  'collection.remove': 'collection',
  'sender.remove': 'sender',
  'delivery.send': 'slot',
  'job.cancel': 'job',
  'keys.rotate': 'service',
  'seed.fill': 'service',
  'storage.repair': 'service',
  'cluster.distribute': 'service',
  'sql-user.create': 'sql-user',
  'sql-user.drop': 'sql-user',
} as const

export type AuditAction = keyof typeof ACTIONS
export type ThingKind = (typeof ACTIONS)[AuditAction]

/** How whoever acted was known. */
export const VIAS = ['session', 'personal-token', 'password', 'link', 'job', 'cli'] as const
export type Via = (typeof VIAS)[number]

export const auditEntry = resource(
  {
    number: Type.Integer({
      minimum: 1,
      description: 'Place in the chain of the enterprise, without gaps',
    }),
    createdAt: timestamp(),
    enterpriseId: nullable(Type.Integer()),
    enterprise: enterpriseOfThing,
    action: Type.String({ examples: ['source.reload'] }),
    outcome: Type.Enum(['done', 'queued'], {
      description: '`queued`: asked for; what the job did then has an entry of its own',
    }),
    thing: strictObject({
      kind: Type.String({ examples: ['source'] }),
      uuid: nullable(uuid()),
      name: nullable(Type.String({ description: 'As it was called then' })),
    }),
    fields: Type.Array(Type.String(), {
      description: 'Names of what was given, never the values',
    }),
    actor: nullable(
      strictObject({
        uuid: nullable(uuid()),
        email: Type.String({
          description:
            'From the command line: the account of the system; with a link: the address of the sender',
        }),
        role: nullable(Type.Enum(ROLE_TYPES)),
      }),
    ),
    via: Type.Enum(VIAS),
    token: nullable(
      Type.String({ description: 'Uuid of the personal access token, or `jti` of the session' }),
    ),
    address: nullable(Type.String({ description: 'The address of the client' })),
    requestId: nullable(Type.String()),
    jobUuid: nullable(uuid()),
    hash: Type.String({
      description: 'SHA-256, in hexadecimal, of the hash before it and of this entry',
      examples: ['9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab'],
    }),
  },
  { id: Type.Integer() },
  {
    enterprise: enterpriseOf,
    thing: (row) =>
      `json_build_object('kind', ${row}.thing_kind, 'uuid', ${row}.thing_uuid,
                         'name', ${row}.thing_name)`,
    actor: (row) =>
      `case when ${row}.actor_email is not null then
         json_build_object('uuid', ${row}.actor_uuid, 'email', ${row}.actor_email,
                           'role', ${row}.actor_role) end`,
    hash: (row) => `encode(${row}.hash, 'hex')`,
  },
)

/** Who did what to which thing, as it was written down. */
export type AuditEntry = EntityOf<typeof auditEntry>

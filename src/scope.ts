import { type Actor, isSuperAdmin } from './domain/actor.ts'

/**
 * Who sees which rows of tenants. The rules are written here in SQL, and nowhere else: models use
 * `visibleTo` and `ownedBy`, and handwritten statements put `rows(…)` into their conditions. Rows
 * out of scope look as if they did not exist.
 *
 * The owner of a row is in one of its columns; an actor reaches one value of that column, or all.
 */
export interface Scope {
  /** The table of the rows. */
  readonly table: string
  /** The parameter of `rows` for an actor. */
  reach(actor: Actor): Reach
  /**
   * A condition that is true for rows in scope; `row` is the name of the table in the statement.
   * Without a parameter, for actors who reach everything, the statement is planned without a
   * condition.
   */
  rows(row: string, parameter: string | null): string
}

/** An id; null means the rows of everybody. */
type Reach = number | null

/** No enterprise has this id, so an actor without an enterprise sees nothing. */
const NO_ENTERPRISE = 0

const ownEnterprise = ({ enterprise }: Actor): Reach => enterprise?.id ?? NO_ENTERPRISE

const ownOrAll =
  (column: string): Scope['rows'] =>
  (row, parameter) =>
    parameter === null
      ? 'true'
      : `(${parameter}::integer is null or ${row}.${column} = ${parameter}::integer)`

const own =
  (column: string): Scope['rows'] =>
  (row, parameter) =>
    `${row}.${column} = ${parameter}`

/** The rows of the actor's enterprise; super-admins see those of all. */
const ofEnterprise = (table: string): Scope => ({
  table,
  reach: (actor) => (isSuperAdmin(actor) ? null : ownEnterprise(actor)),
  rows: ownOrAll('enterprise_id'),
})

/** The actor's own rows, whatever their role. */
const ofOwner = (table: string, column: string): Scope => ({
  table,
  reach: ({ id }) => id,
  rows: own(column),
})

const documentOwners = ofOwner('users_documents', 'user_id')

export const SCOPES = {
  connections: ofEnterprise('connections'),
  sources: ofEnterprise('sources'),
  shapes: ofEnterprise('shapes'),
  collections: ofEnterprise('collections'),
  slots: ofEnterprise('collection_slots'),
  workflows: ofEnterprise('workflows'),
  workflowRuns: ofEnterprise('workflow_runs'),
  /** What people did; what concerns no enterprise is for super-admins. */
  auditEntries: ofEnterprise('audit_entries'),
  /** Documents as data: what sources and workflows read. */
  documents: ofEnterprise('documents'),

  /** Documents as files: what a user uploaded. Must never be merged with `documents`. */
  ownDocuments: {
    ...documentOwners,
    table: 'documents',
    rows: (row, parameter) =>
      `exists (select from users_documents owners
               where owners.document_id = ${row}.id and ${documentOwners.rows('owners', parameter)})`,
  },
  documentOwners,
  uploads: ofOwner('document_uploads', 'user_id'),
  personalTokens: ofOwner('personal_tokens', 'user_id'),

  /**
   * The folder tree: super-admins reach all, admins and enterprise accounts that of their
   * enterprise.
   */
  folders: {
    ...ofEnterprise('folders'),
    reach: (actor) => {
      if (isSuperAdmin(actor)) return null
      const mayReach = actor.role === 'admin' || actor.accountType === 'enterprise'
      return mayReach ? ownEnterprise(actor) : NO_ENTERPRISE
    },
  },
  /** What `GET /folders/mine` shows to everybody in the enterprise. */
  enterpriseFolders: { table: 'folders', reach: ownEnterprise, rows: own('enterprise_id') },

  /** A user's own jobs; super-admins may also see and cancel those of others. */
  jobs: {
    table: 'jobs',
    reach: (actor) => (isSuperAdmin(actor) ? null : actor.id),
    rows: ownOrAll('owner_id'),
  },
  /** A list contains only one's own jobs, even for super-admins. */
  ownJobs: ofOwner('jobs', 'owner_id'),
} as const satisfies Record<string, Scope>

/** Whether what belongs to an enterprise is in scope; null belongs to none in particular. */
export function reachesEnterprise(actor: Actor, enterpriseId: number | null): boolean {
  const reach = SCOPES.sources.reach(actor)
  return reach === null || enterpriseId === null || reach === enterpriseId
}

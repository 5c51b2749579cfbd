import { type Actor, isSuperAdmin } from './domain/actor.ts'

/**
 * Who sees which rows of tenants. It is said here, in SQL, and nowhere else: models ask with
 * `visibleTo` and `ownedBy`, statements written by hand put `rows(…)` into their conditions. What is
 * out of scope looks like what is not there.
 *
 * A row belongs to somebody by one of its columns; an actor reaches one value of that column, or all.
 */
export interface Scope {
  /** The table that the rows are of. */
  readonly table: string
  /** What the parameter of `rows` is for an actor. */
  reach(actor: Actor): Reach
  /**
   * True for the rows in scope; `row` names the table as the statement does. Without a parameter, in a
   * statement for those who reach everything, which is planned without the condition then.
   */
  rows(row: string, parameter: string | null): string
}

/** An id; null reaches the rows of everybody. */
type Reach = number | null

/** No enterprise has this id: whoever belongs to none sees nothing. */
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

/** Those of the own enterprise; super-admins see those of all. */
const ofEnterprise = (table: string): Scope => ({
  table,
  reach: (actor) => (isSuperAdmin(actor) ? null : ownEnterprise(actor)),
  rows: ownOrAll('enterprise_id'),
})

/** The actor's own, whatever their role. */
const ofOwner = (table: string, column: string): Scope => ({
  table,
  reach: ({ id }) => id,
  rows: own(column),
})

const documentOwners = ofOwner('users_documents', 'user_id')

export const SCOPES = {
  connections: ofEnterprise('connections'),
  sources: ofEnterprise('sources'),
  workflows: ofEnterprise('workflows'),
  workflowRuns: ofEnterprise('workflow_runs'),
  /** As data: what sources and workflows read. */
  documents: ofEnterprise('documents'),

  /** As files: what somebody uploaded. Never to be merged with `documents`. */
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

  /** The tree: super-admins reach all, admins and enterprise accounts that of their enterprise. */
  folders: {
    ...ofEnterprise('folders'),
    reach: (actor) => {
      if (isSuperAdmin(actor)) return null
      const mayReach = actor.role === 'admin' || actor.accountType === 'enterprise'
      return mayReach ? ownEnterprise(actor) : NO_ENTERPRISE
    },
  },
  /** What `GET /folders/mine` shows to everybody who belongs to the enterprise. */
  enterpriseFolders: { table: 'folders', reach: ownEnterprise, rows: own('enterprise_id') },

  /** One's own; super-admins may look at those of others and cancel them. */
  jobs: {
    table: 'jobs',
    reach: (actor) => (isSuperAdmin(actor) ? null : actor.id),
    rows: ownOrAll('owner_id'),
  },
  /** A list of jobs is one's own, also for super-admins. */
  ownJobs: ofOwner('jobs', 'owner_id'),
} as const satisfies Record<string, Scope>

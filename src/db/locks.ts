import { crc32 } from 'node:zlib'

/**
 * Every advisory lock of the product. The first number says what kind of thing is locked, the
 * second which one. If two things have the same second number by chance, they only wait for each
 * other.
 */
interface Lock {
  readonly kind: number
  readonly key: number
}

const KINDS = {
  /** Held by a living process until it ends. If it is free, the process may be dead. */
  process: 5_001,
  /** When several processes start at once, one migrates and the others wait. */
  migration: 5_002,
  /** When two loads miss the same schema, one creates it and the other finds it. */
  schema: 5_003,
  /** Shared while adding to a tree of folders, exclusive while rearranging it. */
  folderTree: 5_004,
  /**
   * Held while a tree is permanently deleted, which takes many transactions, so that no change
   * comes in between.
   */
  treeDeletion: 5_005,
  /** Two key rotations at once would each re-encrypt what the other has just encrypted. */
  keyRotation: 5_006,
  /**
   * Shared while a key is encrypted and stored, exclusive while the master key changes, so that
   * neither happens during the other.
   */
  masterKey: 5_007,
  /** When an enterprise begins two part uploads at once, the second counts the first. */
  partUploads: 5_010,
  /** Workers choose the next job one after another, so that each sees what the others run. */
  nextJob: 5_011,
  /**
   * When two processes look for remains on nodes, only one drops them, and neither drops a newer
   * table of the same name.
   */
  leftOnNodes: 5_012,
  /** When two loads miss the same role, one creates it and the other finds it. */
  owners: 5_015,
} as const

export const LOCKS = {
  process: (id: number): Lock => ({ kind: KINDS.process, key: id }),
  migration: { kind: KINDS.migration, key: 0 },
  schema: (name: string): Lock => ({ kind: KINDS.schema, key: crc32(name) | 0 }),
  folderTree: (rootId: number): Lock => ({ kind: KINDS.folderTree, key: rootId % MAX_KEY }),
  treeDeletion: (rootId: number): Lock => ({ kind: KINDS.treeDeletion, key: rootId % MAX_KEY }),
  keyRotation: { kind: KINDS.keyRotation, key: 0 },
  masterKey: { kind: KINDS.masterKey, key: 0 },
  partUploads: (enterprise: number): Lock => ({ kind: KINDS.partUploads, key: enterprise }),
  nextJob: { kind: KINDS.nextJob, key: 0 },
  leftOnNodes: { kind: KINDS.leftOnNodes, key: 0 },
  owners: { kind: KINDS.owners, key: 0 },
} as const

const MAX_KEY = 2 ** 31 - 1

/** A regular expression for the functions that take such locks. */
export const LOCK_FUNCTIONS = '^pg_(try_)?advisory_'

type Holding = 'alone' | 'shared'
const suffix = (holding: Holding) => (holding === 'shared' ? '_shared' : '')
const numbers = ({ kind, key }: Lock) => `${kind}, ${key}`

/** A statement that waits for the lock and holds it until the transaction ends. */
export const lockUntilCommit = (lock: Lock, holding: Holding = 'alone'): string =>
  `select pg_advisory_xact_lock${suffix(holding)}(${numbers(lock)})`

/** The same without waiting; the one row of its result says in `locked` whether the lock was free. */
export const lockUntilCommitIfFree = (lock: Lock, holding: Holding = 'alone'): string =>
  `select pg_try_advisory_xact_lock${suffix(holding)}(${numbers(lock)}) as locked`

/** A statement that waits for the lock and holds it until `unlock`, or until the connection ends. */
export const lockUntilUnlocked = (lock: Lock, holding: Holding = 'alone'): string =>
  `select pg_advisory_lock${suffix(holding)}(${numbers(lock)})`

export const unlock = (lock: Lock): string => `select pg_advisory_unlock(${numbers(lock)})`

/** SQL that is true if nobody holds the lock of the process whose number is in the column. */
export const isProcessUnlocked = (column: string): string => `not exists (
  select from pg_locks
  where locktype = 'advisory' and classid = ${KINDS.process} and objid = ${column}::oid
    and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()))`

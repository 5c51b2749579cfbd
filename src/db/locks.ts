import { crc32 } from 'node:zlib'

/**
 * Every advisory lock of the product. The first number says what kind of thing is locked, the second
 * which one of them; two things whose second number is the same by chance only wait for each other.
 */
interface Lock {
  readonly kind: number
  readonly key: number
}

const KINDS = {
  /** Held by a living process until it ends. Free, it tells that the process may be dead. */
  process: 5_001,
  /** Of several processes that start at once, one migrates and the others wait. */
  migration: 5_002,
  /** Of two loads that miss the same schema, one makes it and the other finds it. */
  schema: 5_003,
  /** Shared by whoever adds to a tree of folders; alone for whoever rearranges it. */
  folderTree: 5_004,
  /** Held while a tree is deleted for good, which takes many transactions; no change comes between. */
  treeDeletion: 5_005,
  /** Two rotations of the master keys would each seal what the other one just sealed. */
  keyRotation: 5_006,
  /** Shared while a key is sealed and stored; alone for changing the master key between the two. */
  masterKey: 5_007,
  /** Of two part uploads that an enterprise begins at once, one counts the other. */
  partUploads: 5_010,
  /** Workers choose the next job one after the other, each seeing what the others run. */
  nextJob: 5_011,
  /** Of two that look for what nodes have left over, one drops it and no table that has its name since. */
  leftOnNodes: 5_012,
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
} as const

const MAX_KEY = 2 ** 31 - 1

/** Names of the functions that take such locks, as a regular expression. */
export const LOCK_FUNCTIONS = '^pg_(try_)?advisory_'

type Holding = 'alone' | 'shared'
const suffix = (holding: Holding) => (holding === 'shared' ? '_shared' : '')
const numbers = ({ kind, key }: Lock) => `${kind}, ${key}`

/** A statement that waits for the lock and holds it until the transaction ends. */
export const lockUntilCommit = (lock: Lock, holding: Holding = 'alone'): string =>
  `select pg_advisory_xact_lock${suffix(holding)}(${numbers(lock)})`

/** The same without waiting; its one row says in `locked` whether the lock was free. */
export const lockUntilCommitIfFree = (lock: Lock, holding: Holding = 'alone'): string =>
  `select pg_try_advisory_xact_lock${suffix(holding)}(${numbers(lock)}) as locked`

/** A statement that waits for the lock and holds it until `unlock`, or until the connection ends. */
export const lockUntilUnlocked = (lock: Lock, holding: Holding = 'alone'): string =>
  `select pg_advisory_lock${suffix(holding)}(${numbers(lock)})`

export const unlock = (lock: Lock): string => `select pg_advisory_unlock(${numbers(lock)})`

/** SQL that is true where nobody holds the lock of the process whose number the column has. */
export const isProcessUnlocked = (column: string): string => `not exists (
  select from pg_locks
  where locktype = 'advisory' and classid = ${KINDS.process} and objid = ${column}::oid
    and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()))`

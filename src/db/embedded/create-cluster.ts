import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { LOCK_FUNCTIONS } from '../locks.ts'
import type { Account } from './account.ts'
import { DATABASE, ROLE } from './address.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { databaseEnvironment } from './environment.ts'
import { asArguments } from './settings.ts'

interface Cluster {
  readonly binaries: Binaries
  readonly account: Account | undefined
  readonly data: string
  readonly ephemeral: boolean
  readonly signal?: AbortSignal | undefined
}

interface NewCluster extends Cluster {
  readonly password: string
}

/** The builtin locale gives the same answers on every platform, and sorts fastest. */
const INITDB_OPTIONS = [
  '--username=postgres',
  '--auth=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
]

/** What containers that run under any user id make PostgreSQL say. */
const NAMELESS = /could not look up effective user ID/

/** Fills an empty folder with a database cluster that has our role and our database. */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const { binaries, data, ephemeral } = cluster
  const durability = ephemeral ? ['--no-sync'] : []
  await runTool(cluster, binaries.initdb, ['-D', data, ...INITDB_OPTIONS, ...durability], '')
  await runStatements(cluster, 'template1', [
    `create role ${ROLE} login createdb password '${cluster.password}'`,
    // Also for databases to come.
    keepForOurselves(),
    `create database ${DATABASE} owner ${ROLE}`,
  ])
  await openToRoles(cluster)
}

/**
 * Lets in whoever has a password, and lets our role give them out. Only over loopback, and never the
 * superuser, so that SQL that slips through somewhere never becomes a program on this machine.
 */
const WHO_MAY_CONNECT = `# The role of the service has connections of its own, and limits the files of others.
host all postgres 127.0.0.1/32 reject
host all all 127.0.0.1/32 scram-sha-256
`

/** What a database of an earlier version lacks is made good before its server starts. */
export async function openToRoles(cluster: Cluster): Promise<void> {
  const file = join(cluster.data, 'pg_hba.conf')
  if ((await readFile(file, 'utf8')) === WHO_MAY_CONNECT) return
  await runStatements(cluster, DATABASE, [
    `alter role ${ROLE} createrole`,
    `grant pg_use_reserved_connections to ${ROLE}`,
    `grant set on parameter temp_file_limit to ${ROLE}`,
    keepForOurselves(),
    `revoke temporary on database ${DATABASE} from public`,
    'revoke connect on database postgres, template1 from public',
  ])
  // Last: it is how one sees that all of it is done.
  await writeFile(file, WHO_MAY_CONNECT)
}

/**
 * Everybody may call these in a database as it comes: hold the locks by which our processes know each
 * other, and fill the disk with large objects.
 */
const keepForOurselves = (): string =>
  `do $$ declare called regprocedure; begin ` +
  `for called in select oid::regprocedure from pg_proc where pronamespace = 'pg_catalog'::regnamespace ` +
  `and (proname ~ '${LOCK_FUNCTIONS}' or proname ~ '^lo_' or proname in ('loread', 'lowrite')) loop ` +
  `execute format('revoke execute on function %s from public', called); ` +
  `execute format('grant execute on function %s to ${ROLE}', called); end loop; end $$`

/** Single-user mode needs no login, and reads one statement a line. */
async function runStatements(
  cluster: Cluster,
  database: string,
  statements: readonly string[],
): Promise<void> {
  const settings = { exit_on_error: 'on', fsync: cluster.ephemeral ? 'off' : 'on' }
  await runTool(
    cluster,
    cluster.binaries.postgres,
    ['--single', '-D', cluster.data, ...asArguments(settings), database],
    statements.map((statement) => `${statement}\n`).join(''),
  )
}

async function runTool(
  { account, signal }: Cluster,
  program: string,
  args: readonly string[],
  input: string,
): Promise<void> {
  const child = spawn(program, args, {
    ...account,
    cwd: '/',
    env: databaseEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A program that dies at once says why by its exit code, not by the broken pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code, complaints] = await Promise.all([ended, text(child.stderr)]).catch((cause) => {
    throw new EmbeddedPostgresError(`${program} cannot be run on this system.`, { cause })
  })
  // Not cut off in the middle: initdb's own children would go on in a folder that is being removed.
  signal?.throwIfAborted()
  if (code === 0) return
  const reason = NAMELESS.test(complaints)
    ? 'this system knows no name for the user that the service runs as, and PostgreSQL insists on ' +
      'one. Give the user a line in /etc/passwd, run the service as another, or set DATABASE_URL.'
    : complaints.trim() || `exit code ${code}`
  throw new EmbeddedPostgresError(`The embedded database could not be created: ${reason}`)
}

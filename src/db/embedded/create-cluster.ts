import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import type { Account } from './account.ts'
import { DATABASE, ROLE } from './address.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { databaseEnvironment } from './environment.ts'
import { asArguments } from './settings.ts'

interface NewCluster {
  readonly binaries: Binaries
  readonly account: Account | undefined
  readonly data: string
  readonly password: string
  readonly ephemeral: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Only our own role, only over loopback, only with its password. The superuser cannot connect at
 * all, so SQL that slips through somewhere never becomes a program on this machine.
 */
const WHO_MAY_CONNECT = `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`

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
  await writeFile(join(data, 'pg_hba.conf'), WHO_MAY_CONNECT)
  // Single-user mode needs no login, and reads one statement a line.
  const settings = { exit_on_error: 'on', fsync: ephemeral ? 'off' : 'on' }
  await runTool(
    cluster,
    binaries.postgres,
    ['--single', '-D', data, ...asArguments(settings), 'postgres'],
    `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${cluster.password}'\n` +
      `CREATE DATABASE ${DATABASE} OWNER ${ROLE}\n`,
  )
}

async function runTool(
  { account, signal }: NewCluster,
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

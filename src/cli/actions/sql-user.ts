import { quoteName, quoteText } from '../../../pipelines/index.ts'
import { createPool } from '../../db/pool.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import {
  createSqlUsers,
  type MadeSqlUser,
  type SqlUsers,
} from '../../domain/sql-users/sql-users.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { postgresAddress } from '../postgres-address.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

interface Named {
  readonly name: string
  readonly adminUrl?: string
}

export async function create(
  stop: StopRequest,
  { enterprise: enterpriseId, name, adminUrl }: Named & { readonly enterprise: number },
): Promise<void> {
  await withSqlUsers(stop, adminUrl, async (users, { url, config, pool }) => {
    const made = await users.create({ enterpriseId, name })
    await recordDeed(pool, deedOfCommand('sql-user.create', { place: { enterpriseId, name } }))
    process.stdout.write(howToConnect(name, made, url))
    if (config.tableEngine.name === 'citus') process.stdout.write(howNodesLetIn(name, made))
  })
}

export async function drop(stop: StopRequest, { name, adminUrl }: Named): Promise<void> {
  await withSqlUsers(stop, adminUrl, async (users, { pool }) => {
    await users.drop(name)
    const place = { enterpriseId: null, name }
    await recordDeed(pool, deedOfCommand('sql-user.drop', { place }))
  })
  process.stdout.write(`The role ${name} is gone\n`)
}

const withSqlUsers = (
  stop: StopRequest,
  adminUrl: string | undefined,
  work: (users: SqlUsers, database: CliDatabase) => Promise<void>,
) => {
  const address = adminUrl === undefined ? null : postgresAddress(adminUrl, '--admin-url')
  return withDatabase(stop, async (database) => {
    const { pool } = database
    const admin = address === null ? pool : createPool(address, { max: 1 })
    try {
      await work(createSqlUsers({ pool, admin }), database)
    } finally {
      if (admin !== pool) await admin.end()
    }
  })
}

function howToConnect(
  name: string,
  { schema, password, mayMakeTemporaryTables, hasDiskLimit }: MadeSqlUser,
  serviceUrl: string,
): string {
  const url = new URL(serviceUrl)
  const { hostname: host, port, pathname } = url
  url.username = name
  url.password = password
  const database = decodeURIComponent(pathname.slice(1))
  const lines = [
    `role: ${name}`,
    `password: ${password}`,
    `host: ${host}`,
    `port: ${port === '' ? '5432' : port}`,
    `database: ${database}`,
    `schema: ${schema}`,
    `psql '${url.href}'`,
  ]
  if (mayMakeTemporaryTables) {
    lines.push(
      'note: the role can create temporary tables, like everybody in this database; ' +
        `“revoke temporary on database "${database}" from public” prevents that`,
    )
  }
  if (!hasDiskLimit) {
    lines.push(
      'note: only a superuser can limit what its queries put on the disk of the server: ' +
        `“alter role ${quoteName(name)} set temp_file_limit = '2GB'”`,
    )
  }
  return `${lines.join('\n')}\n`
}

/**
 * The nodes of the cluster read distributed tables from each other as the user who runs the query.
 */
const howNodesLetIn = (name: string, { password }: MadeSqlUser): string =>
  'note: the nodes of the cluster also ask each other for the password: on each node, run as a superuser ' +
  `“insert into pg_dist_authinfo values (0, ${quoteText(name)}, 'password=${password}')”\n`

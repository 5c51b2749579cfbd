import type { Command } from 'commander'

import { createPool } from '../../db/pool.ts'
import {
  createSqlUsers,
  type MadeSqlUser,
  type SqlUsers,
} from '../../domain/sql-users/sql-users.ts'
import { CliError } from '../cli-error.ts'
import { friendly } from '../friendly.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'
import type { StopRequest } from '../../stop-request.ts'

interface SqlUserOptions {
  name: string
  adminUrl?: string
}

const ADMIN_URL = [
  '--admin-url <url>',
  'address of the same database as a role that may create others; else as the service',
] as const

export const sqlUser = (program: Command, stop: StopRequest) => {
  const withSqlUsers = (
    adminUrl: string | undefined,
    work: (users: SqlUsers, database: CliDatabase) => Promise<void>,
  ) =>
    withDatabase(stop, async (database) => {
      const { pool } = database
      const admin = adminUrl === undefined ? pool : createPool(adminUrl, { max: 1 })
      try {
        await work(createSqlUsers({ pool, admin }), database)
      } finally {
        if (admin !== pool) await admin.end()
      }
    })
  const group = program
    .command('sql-user')
    .description('Let somebody read the tables of one enterprise with SQL')

  group
    .command('create')
    .description('Create a role that reads these tables and nothing else; tells its password once')
    .requiredOption('--enterprise <id>', 'id of the enterprise')
    .requiredOption('--name <name>', 'name of the role')
    .option(...ADMIN_URL)
    .action(
      friendly(async ({ enterprise, name, adminUrl }: SqlUserOptions & { enterprise: string }) => {
        const enterpriseId = integer(enterprise)
        await withSqlUsers(adminUrl, async (users, database) => {
          const made = await users.create({ enterpriseId, name })
          process.stdout.write(howToConnect(name, made, database))
        })
      }),
    )

  group
    .command('drop')
    .description('Drop such a role, and end its sessions')
    .requiredOption('--name <name>', 'name of the role')
    .option(...ADMIN_URL)
    .action(
      friendly(async ({ name, adminUrl }: SqlUserOptions) => {
        await withSqlUsers(adminUrl, (users) => users.drop(name))
        process.stdout.write(`The role ${name} is gone\n`)
      }),
    )
}

function howToConnect(
  name: string,
  { schema, password, mayMakeTemporaryTables }: MadeSqlUser,
  database: CliDatabase,
): string {
  const url = new URL(database.url)
  const { hostname: host, port, pathname } = url
  url.username = name
  url.password = password
  const lines = [
    `role: ${name}`,
    `password: ${password}`,
    `host: ${host}`,
    `port: ${port === '' ? '5432' : port}`,
    `database: ${pathname.slice(1)}`,
    `schema: ${schema}`,
    `psql '${url.href}'`,
  ]
  if (mayMakeTemporaryTables) {
    lines.push(
      'note: the role may make temporary tables, as everybody in this database may; ' +
        `«revoke temporary on database "${pathname.slice(1)}" from public» ends that`,
    )
  }
  return `${lines.join('\n')}\n`
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CliError('--enterprise takes the integer id')
  return Number(text)
}

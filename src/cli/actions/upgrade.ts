import { foreseeUpgrade } from '../../stack/upgrade/foresee-upgrade.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { EXIT } from '../exit-codes.ts'
import { withDatabase } from '../with-database.ts'

const MEGABYTE = 1_000_000

export const run = (stop: StopRequest): Promise<void> =>
  withDatabase(
    stop,
    async ({ pool }) => {
      const { migrations, jobs, tables, ...about } = await foreseeUpgrade(pool)
      const say = (line: string) => process.stdout.write(`${line}\n`)
      if (migrations.length === 0) say('The database has every migration of this version')
      else {
        say(
          `${migrations.length} migrations, ${migrations[0]} to ${migrations.at(-1)}, with ${jobs} jobs on ` +
            `record: about ${about.migrationSeconds} s, in which nothing is answered`,
        )
      }
      if (tables.length > 0) {
        const rows = tables.reduce((sum, table) => sum + table.rows, 0)
        say(
          `${tables.length} tables with ${rows} rows get partitions: about ${about.tableSeconds} s, in which they are readable`,
        )
      }
      for (const { table, rows, sizeBytes, notCarried } of tables) {
        say(`${table.schema}.${table.table}: ${rows} rows, ${Math.ceil(sizeBytes / MEGABYTE)} MB`)
        for (const { what, owner, blocks } of notCarried) {
          const consequence = blocks
            ? 'keeps the table as it is: drop it, or give it to the role of the service'
            : 'is left behind with the old rows: make it anew'
          say(`  ${what}, of the role ${owner}, ${consequence}`)
        }
      }
      if (tables.some(({ notCarried }) => notCarried.length > 0)) process.exitCode = EXIT.fault
    },
    { earlier: 'taken' },
  )

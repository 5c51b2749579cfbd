import { distributeAgain, isDistributed } from '../../stack/citus/distribute-again.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { Leases } from '../../stack/leases.ts'
import { checkCluster } from '../../stack/citus/check-cluster.ts'
import { NO_NODES } from '../../stack/citus/nodes.ts'
import { openTableEngine } from '../../stack/table/table-engine.ts'
import { openPresence } from '../../processes/presence.ts'
import { Releases } from '../../processes/releases.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { CliError } from '../cli-error.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { withDatabase } from '../with-database.ts'

export async function run(stop: StopRequest): Promise<void> {
  await withDatabase(stop, async ({ config, logger, url, pool, stopping }) => {
    const tableEngine = await openTableEngine(config.tableEngine, pool)
    if (tableEngine.name === 'postgres') {
      throw new CliError('There is no cluster to spread tables over: set TABLE_ENGINE to citus')
    }
    await recordDeed(pool, deedOfCommand('cluster.distribute'))
    await checkCluster({ pool, connections: config.databasePool, logger })
    const { heartbeatMs } = config.jobs
    await using presence = await openPresence({ databaseUrl: url, heartbeatMs })
    const leases = new Leases({ pool, presence, releases: new Releases(), nodes: NO_NODES })
    let isAnyLeft = false
    for await (const told of distributeAgain({ pool, tableEngine, leases }, stopping)) {
      process.stdout.write(`${JSON.stringify(told)}\n`)
      isAnyLeft ||= !isDistributed(told)
    }
    if (isAnyLeft) process.exitCode = 1
  })
}

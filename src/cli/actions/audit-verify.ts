import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import { type ChainEnd, CHAIN_START, flawOf, fromLine } from '../../domain/audit/chain.ts'
import { verifyAudit } from '../../domain/audit/verify-audit.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { EXIT } from '../exit-codes.ts'
import { withDatabase } from '../with-database.ts'

const FLAWS = {
  changed: 'was CHANGED',
  removed: 'was REMOVED',
  inserted: 'was INSERTED',
} as const

export async function run(stop: StopRequest, files: readonly string[]): Promise<void> {
  const isSound = files.length > 0 ? await verifyFiles(files) : await verifyDatabase(stop)
  if (!isSound) process.exitCode = EXIT.fault
}

const verifyDatabase = (stop: StopRequest): Promise<boolean> =>
  withDatabase(stop, async ({ pool }) => {
    let isSound = true
    for await (const { enterpriseId, exported, entries, end, flaw } of verifyAudit(pool)) {
      const whose = enterpriseId === 0 ? 'no enterprise' : `enterprise ${enterpriseId}`
      process.stdout.write(
        flaw === null
          ? `${whose}: ${entries} entries are right, up to ${endOf(end)}\n`
          : `${whose}: entry ${flaw.number} ${FLAWS[flaw.kind]}; right up to ${endOf(end)}\n`,
      )
      // Nothing here tells whether that is true.
      if (exported.number > 0) {
        process.stdout.write(
          `${whose}: what comes before was exported to audit/${enterpriseId}/, up to ${endOf(exported)}; ` +
            'give those files to this command\n',
        )
      }
      isSound &&= flaw === null
    }
    return isSound
  })

async function verifyFiles(files: readonly string[]): Promise<boolean> {
  let end: ChainEnd | null = null
  for (const file of files) {
    let lineNumber = 0
    for await (const line of createInterface({ input: createReadStream(file) })) {
      lineNumber++
      const link = fromLine(line)
      // What the first of several files follows on is in a file that is not given.
      const before: ChainEnd | null = end ?? (link?.number === 1 ? CHAIN_START : null)
      const flaw = link === null ? 'changed' : before && flawOf(before, link)
      if (flaw !== null) {
        process.stdout.write(`${file}, line ${lineNumber}: an entry ${FLAWS[flaw]}\n`)
        return false
      }
      end = link
    }
  }
  process.stdout.write(end === null ? 'No entries\n' : `Right up to ${endOf(end)}\n`)
  return true
}

const endOf = ({ number, hash }: ChainEnd) => `number ${number}, hash ${hash || 'none'}`

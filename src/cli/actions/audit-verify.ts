import { createReadStream } from 'node:fs'

import { type ChainEnd, CHAIN_START, type Flaw } from '../../domain/audit/chain.ts'
import { type ExportFlaw, followFile, verifyExported } from '../../domain/audit/exported-files.ts'
import { verifyAudit } from '../../domain/audit/verify-audit.ts'
import { openStorage } from '../../start/adapters.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { EXIT } from '../exit-codes.ts'
import { checkFiles } from '../file-source.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

const FLAWS: Readonly<Record<Flaw, string>> = {
  changed: 'was CHANGED',
  removed: 'was REMOVED',
  inserted: 'was INSERTED',
}

interface VerifyOptions {
  readonly expired: boolean
}

export async function run(
  stop: StopRequest,
  files: readonly string[],
  options: VerifyOptions,
): Promise<void> {
  const isSound =
    files.length > 0
      ? await verifyFiles(files)
      : await withDatabase(stop, (database) => verifyKept(database, options))
  if (!isSound) process.exitCode = EXIT.fault
}

async function verifyKept(database: CliDatabase, options: VerifyOptions): Promise<boolean> {
  let isSound = true
  const exports = new Map<number, ChainEnd>()
  for await (const { enterpriseId, exported, entries, end, flaw } of verifyAudit(database.pool)) {
    tell(
      flaw === null
        ? `${nameOf(enterpriseId)}: ${entries} entries are right, up to ${endOf(end)}`
        : `${nameOf(enterpriseId)}: entry ${flaw.number} ${FLAWS[flaw.kind]}; right up to ${endOf(end)}`,
    )
    if (exported.number > 0) exports.set(enterpriseId, exported)
    isSound &&= flaw === null
  }
  // Afterwards, since the storage may be away.
  return (await verifyStored(database, exports, options)) && isSound
}

async function verifyStored(
  { config, stopping }: CliDatabase,
  exports: ReadonlyMap<number, ChainEnd>,
  { expired }: VerifyOptions,
): Promise<boolean> {
  if (exports.size === 0) return true
  // No download link is created here, so the base of its address does not matter.
  const { store } = await openStorage(config, () => '')
  try {
    let isSound = true
    for (const [enterpriseId, exported] of exports) {
      let isWhole = true
      for await (const flaw of verifyExported(store, enterpriseId, exported, stopping)) {
        tell(`${nameOf(enterpriseId)}: ${describeExportFlaw(flaw)}`)
        isWhole &&= expired && flaw.kind === 'missing' && flaw.first === 1
      }
      if (isWhole) {
        tell(`${nameOf(enterpriseId)}: what was exported is right, up to ${endOf(exported)}`)
      }
      isSound &&= isWhole
    }
    return isSound
  } finally {
    await store.close()
  }
}

const describeExportFlaw = (flaw: ExportFlaw): string =>
  flaw.kind === 'missing'
    ? `entries ${flaw.first} to ${flaw.last} were exported, and their file is MISSING`
    : `${flaw.key}, line ${flaw.line}: an entry ${FLAWS[flaw.kind]}`

async function verifyFiles(files: readonly string[]): Promise<boolean> {
  await checkFiles(files)
  let known: ChainEnd | null = null
  for (const file of files) {
    const { flaw, line, end } = await followFile(createReadStream(file), known)
    if (flaw !== null) {
      tell(`${file}, line ${line}: an entry ${FLAWS[flaw]}`)
      return false
    }
    if (end !== CHAIN_START) known = end
  }
  tell(known === null ? 'No entries' : `Right up to ${endOf(known)}`)
  return true
}

const tell = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

const nameOf = (enterpriseId: number) =>
  enterpriseId === 0 ? 'no enterprise' : `enterprise ${enterpriseId}`

const endOf = ({ number, hash }: ChainEnd) => `number ${number}, hash ${hash || 'none'}`

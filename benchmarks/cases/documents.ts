import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

import { MiB } from '../../pipelines/index.ts'
import { migrate } from '../../src/db/migrate.ts'
import {
  type BenchmarkCase,
  type BenchmarkResult,
  type MeasuredContender,
  timesAsFast,
} from '../benchmark.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'
import { inFolder } from '../support/in-folder.ts'
import { listeningProcess } from '../support/listening-process.ts'
import { postForm } from '../support/post-form.ts'
import { serviceProcess } from '../support/service-process.ts'
import { createAdmin } from '../support/users.ts'

const BARE = new URL('documents-bare.ts', import.meta.url)
/** As it calls its file. */
const BARE_FILE = 'upload'
const CHUNK = randomBytes(MiB)

/** What storing, hashing and recording cost on top of taking a form. `rows` counts MiB. */
export const documentsCase: BenchmarkCase = {
  name: 'documents',
  summary: 'POST /documents against a bare busboy server that writes to disk',
  rows: 1024,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await benchmarkDatabase(databaseUrl)
      await migrate(database.url)
      return await compare(database.url, folder, rows, runs)
    }),
}

async function compare(
  url: string,
  folder: string,
  mebibytes: number,
  runs: number,
): Promise<BenchmarkResult> {
  await using service = await serviceProcess(url, folder)
  const token = await service.tokenOf((await createAdmin(url)).uuid)
  await using bare = await listeningProcess(BARE, { BENCH_FOLDER: folder })
  await using flushing = await listeningProcess(BARE, { BENCH_FOLDER: folder, BENCH_FLUSH: 'yes' })

  const ours: number[] = []
  const theirs: number[] = []
  const flushed: number[] = []
  await uploadAndDelete(service.address, token, 16)
  await upload(bare.address, token, 16)
  await flush(join(folder, BARE_FILE))
  const before = await residentBytes(service.address)
  let peak = before
  for (let run = 0; run < runs; run++) {
    ours.push(await uploadAndDelete(service.address, token, mebibytes))
    peak = Math.max(peak, await residentBytes(service.address))
    theirs.push((await upload(bare.address, token, mebibytes)).seconds)
    await flush(join(folder, BARE_FILE))
    flushed.push((await upload(flushing.address, token, mebibytes)).seconds)
  }
  const measured = contender('POST /documents, local storage', ours, peak, true)
  const reference = contender('bare busboy to disk', theirs, null, false)
  const durable = contender('bare busboy to disk, flushed', flushed, null, false)
  return {
    input: `a form with a file of ${mebibytes.toLocaleString('en')} MiB`,
    rows: null,
    bytes: mebibytes * MiB,
    contenders: [measured, reference, durable],
    figures: [
      {
        what: 'of the rate of the bare server',
        found: timesAsFast(measured, reference),
        atLeast: 0.6,
      },
      { what: 'MiB by which memory grew', found: (peak - before) / MiB, atMost: 100 },
    ],
    caveats: [
      'The bare server keeps no hash and records nothing. The first of the two leaves its file to the system, and what that has not written yet is flushed outside of the time; the service answers when the file would survive a power cut, as the second does.',
      'The client shares the cores with both.',
    ],
  }
}

const contender = (
  name: string,
  samples: readonly number[],
  peakRssBytes: number | null,
  isOurs: boolean,
): MeasuredContender => ({ name, unit: 's', samples, peakRssBytes, isOurs })

/** The bare server writes over its file: the service, too, gives its place on the disk back. */
async function uploadAndDelete(address: string, token: string, mebibytes: number): Promise<number> {
  const { seconds, answer } = await upload(address, token, mebibytes)
  const { uuid } = JSON.parse(answer) as { uuid: string }
  const deleted = await fetch(`${address}/documents/${uuid}`, {
    method: 'DELETE',
    headers: { 'x-app-access-token': token },
  })
  if (!deleted.ok) throw new Error(`The document was not deleted: ${deleted.status}`)
  return seconds
}

/** Seconds from the first byte to the answer. */
async function upload(address: string, token: string, mebibytes: number) {
  function* content() {
    for (let sent = 0; sent < mebibytes; sent++) yield CHUNK
  }
  const file = { name: 'big.bin', sizeBytes: mebibytes * MiB, content: content() }
  const began = performance.now()
  const answer = await postForm(`${address}/documents`, token, {}, file)
  return { seconds: (performance.now() - began) / 1000, answer }
}

/** What one server leaves unwritten would be written in the other's time. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** As the service itself tells it. */
async function residentBytes(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const found = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]
  if (found === undefined) throw new Error('The metrics say nothing of memory')
  return Number(found)
}

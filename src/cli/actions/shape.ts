import { writeFile } from 'node:fs/promises'

import type { StopRequest } from '../../start/stop-request.ts'
import { recordDeed } from '../../domain/audit/audit.ts'
import { exportShape, importShape } from '../../domain/shapes/carry-shape.ts'
import { CliError } from '../cli-error.ts'
import { deedOfCommand } from '../deed-of-command.ts'
import { readShape } from '../shape-file.ts'
import { withDatabase } from '../with-database.ts'

export async function write(
  stop: StopRequest,
  uuid: string,
  { output }: { readonly output?: string },
): Promise<void> {
  await withDatabase(stop, async ({ pool }) => {
    const found = await exportShape(pool, uuid)
    if (found === null) throw new CliError(`There is no shape ${uuid}`)
    const text = `${JSON.stringify(found, null, 2)}\n`
    if (output === undefined) process.stdout.write(text)
    else await writeFile(output, text)
  })
}

export async function read(
  stop: StopRequest,
  path: string,
  { enterprise, name }: { readonly enterprise: number; readonly name?: string },
): Promise<void> {
  const { name: called, ...shape } = await readShape(path, name)
  if (called === null) throw new CliError('The shape has no name: give it one with --name')
  await withDatabase(stop, async ({ pool }) => {
    const uuid = await importShape(pool, enterprise, { ...shape, name: called })
    if (uuid === null) throw new CliError(`There is no enterprise ${enterprise}`)
    await recordDeed(pool, deedOfCommand('shape.create', { thingUuid: uuid }))
    process.stdout.write(`uuid: ${uuid}\n`)
  })
}

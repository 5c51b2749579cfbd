import type { Command } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'
import { enterpriseOption } from '../enterprise-option.ts'

export function shape(program: Command, stop: StopRequest): void {
  const shapes = program
    .command('shape')
    .description('Carry what files look like from one service to another')
  const actions = () => import('../actions/shape.ts')

  shapes
    .command('export')
    .description('Print a shape as JSON, for `ingest --shape` and `shape import`')
    .argument('<uuid>', 'of a shape that is shared, or of one that a source has for itself')
    .option('--output <file>', 'write it there instead')
    .action(calling(stop, async () => ({ run: (await actions()).write })))

  shapes
    .command('import')
    .description(
      'Make a shape of an enterprise from such a file or a Table Schema, and print its uuid',
    )
    .argument('<file>')
    .addOption(enterpriseOption().makeOptionMandatory())
    .option('--name <name>', 'default: the name in the file')
    .action(calling(stop, async () => ({ run: (await actions()).read })))
}

import { presentSource } from '../presenters/present-source.ts'
import { defineJob } from './define-job.ts'

export const rollBackJob = defineJob<{ readonly uuid: string; readonly load: string | null }>({
  kind: 'source.rollback',
  run: async ({ uuid, load }, actor, context, { sources }) =>
    presentSource(await sources.rollBack(actor, uuid, load, context)),
})

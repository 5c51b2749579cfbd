import { presentSource } from '../presenters/present-source.ts'
import { defineJob } from './define-job.ts'

export const publishLoadJob = defineJob<{ readonly uuid: string; readonly load: string }>({
  kind: 'source.publish',
  run: async ({ uuid, load }, actor, context, { sources }) =>
    presentSource(await sources.publishLoad(actor, uuid, load, context)),
})

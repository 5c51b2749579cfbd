import type { MendedRejects, Reload, Reloaded } from '../../domain/sources/sources.ts'
import { presentLoad } from '../presenters/present-load.ts'
import { presentSource } from '../presenters/present-source.ts'
import { defineJob } from './define-job.ts'

export interface ReloadOfSource {
  readonly uuid: string
  readonly reload: Reload
}

export const reloadSourceJob = defineJob<ReloadOfSource>({
  kind: 'source.reload',
  run: async ({ uuid, reload }, actor, context, { sources }) =>
    presentReloaded(await sources.reload(actor, uuid, reload, context)),
  forget: ({ reload }, { sources }) => sources.forget(reload.origin),
})

/** A load that is not published is all that has changed. */
function presentReloaded(reloaded: Reloaded) {
  return reloaded.kind === 'staged' ? presentLoad(reloaded.load) : presentSource(reloaded.source)
}

export interface RejectsOfSource {
  readonly uuid: string
  readonly mended: MendedRejects
}

export const takeMendedJob = defineJob<RejectsOfSource>({
  kind: 'source.rejects',
  run: async ({ uuid, mended }, actor, context, { sources }) =>
    presentSource(await sources.takeMended(actor, uuid, mended, context)),
  forget: ({ mended }, { sources }) => sources.forget(mended.origin),
})

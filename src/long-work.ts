import type { IngestOptions } from '../pipelines/index.ts'
import type { Actor } from './domain/actor.ts'
import type { Deed } from './domain/audit/audit.ts'
import type { RootDeletion } from './domain/folders/delete-root.ts'
import { ACCESS_TO_WORK, type LongWork } from './domain/long-work.ts'
import { SourceNotFoundException, WorkflowNotFoundException } from './errors/index.ts'
import type { FileOrigin } from './stack/fill/content.ts'
import type { Schedules } from './domain/schedules/schedules.ts'
import type { Sources } from './domain/sources/create-sources.ts'
import type { Reloaded } from './domain/sources/sources.ts'
import type { Workflows } from './domain/workflows/create-workflows.ts'
import { presentRootDeletion } from './http/presenters/present-folder.ts'
import { presentLoad } from './http/presenters/present-load.ts'
import { presentSource } from './http/presenters/present-source.ts'
import { presentWorkflowRun } from './http/presenters/present-workflow-run.ts'
import { pointedIntoBody } from './http/routes/sources/pointed-into-body.ts'
import type { ClaimedJob } from './jobs/job-records.ts'
import type { KindsOfWork } from './jobs/kind-of-work.ts'
import type { Subject } from './resources/job.ts'

interface LongWorkParts {
  readonly sources: Sources
  readonly schedules: Schedules
  readonly rootDeletion: RootDeletion
  readonly workflows: Workflows
}

/**
 * Every kind of long work: which part of the domain does it, and how its result is presented. It is
 * above both, so that the `result` of a queued job is exactly what the synchronous call answers.
 */
export function kindsOfWork({
  sources,
  schedules,
  rootDeletion,
  workflows,
}: LongWorkParts): KindsOfWork<LongWork> {
  /** An upload only lives as long as its request, so a job needs it stored. */
  async function stored(origin: FileOrigin, options: IngestOptions | null): Promise<FileOrigin> {
    if (origin.kind === 'stored') return origin
    return { kind: 'stored', file: await sources.store(origin.incoming, options) }
  }

  const aboutSource = (actor: Actor, { uuid }: { readonly uuid: string }) =>
    unlessMissing(() => sources.locate(actor, uuid), uuid)

  const enterpriseOf = async (actor: Actor, { uuid }: { readonly uuid: string }) =>
    (await sources.locate(actor, uuid)).enterpriseId

  return {
    'source.create': {
      access: ACCESS_TO_WORK['source.create'],
      admit: sources.admitCreation,
      run: sources.create,
      present: presentSource,
      about: async (_actor, { name }) => ({ uuid: null, name: name.trim() }),
      explain: pointedIntoBody,
      // Whichever enterprise the actor belongs to when it runs.
      store: async (_actor, given, enterpriseId) => {
        const { origin, options } = given
        return {
          ...given,
          enterpriseId: enterpriseId ?? given.enterpriseId,
          origin: origin.kind === 'upload' ? await stored(origin, options) : origin,
        }
      },
      discard: ({ origin }) => sources.discard(origin),
    },
    'source.reload': {
      access: ACCESS_TO_WORK['source.reload'],
      about: aboutSource,
      admit: (actor, { uuid, reload }) => sources.admitReload(actor, uuid, reload),
      run: (actor, { uuid, reload }, context) => sources.reload(actor, uuid, reload, context),
      present: presentReloaded,
      explain: pointedIntoBody,
      store: async (actor, given) => {
        const { uuid, reload } = given
        if (reload.origin === undefined) return given
        const options = reload.options ?? (await sources.find(actor, uuid)).options
        return { ...given, reload: { ...reload, origin: await stored(reload.origin, options) } }
      },
      discard: ({ reload }) => sources.discard(reload.origin),
    },
    'source.schedule': {
      access: ACCESS_TO_WORK['source.schedule'],
      about: aboutSource,
      run: (actor, { uuid }, context) => schedules.run(actor, uuid, context),
      present: presentReloaded,
    },
    'source.rejects': {
      access: ACCESS_TO_WORK['source.rejects'],
      about: aboutSource,
      admit: enterpriseOf,
      run: (actor, { uuid, mended }, context) =>
        sources.correctRejects(actor, uuid, mended, context),
      present: presentReloaded,
      explain: pointedIntoBody,
      store: async (_actor, given) => {
        const { mended } = given
        return { ...given, mended: { ...mended, origin: await stored(mended.origin, null) } }
      },
      discard: ({ mended }) => sources.discard(mended.origin),
    },
    'source.publish': {
      access: ACCESS_TO_WORK['source.publish'],
      about: aboutSource,
      admit: enterpriseOf,
      run: (actor, { uuid, load, ...given }, context) =>
        sources.publishLoad(actor, uuid, load, given, context),
      explain: pointedIntoBody,
      present: presentSource,
    },
    'source.rollback': {
      access: ACCESS_TO_WORK['source.rollback'],
      about: aboutSource,
      admit: enterpriseOf,
      run: (actor, { uuid, load }, context) => sources.rollBack(actor, uuid, load, context),
      present: presentSource,
    },
    'folder.delete-root': {
      access: ACCESS_TO_WORK['folder.delete-root'],
      run: rootDeletion.run,
      present: presentRootDeletion,
      about: async (_actor, { uuid, folderName }) => ({ uuid, name: folderName }),
    },
    'workflow.launch': {
      access: ACCESS_TO_WORK['workflow.launch'],
      admit: workflows.admitLaunch,
      run: workflows.launch,
      present: presentWorkflowRun,
      about: (actor, { workflowUuid }) =>
        unlessMissing(() => workflows.find(actor, workflowUuid), workflowUuid),
    },
  }
}

/** What a queued job has done, as the audit trail has it; `made` is the uuid of what it has made. */
export function deedOfJob(job: ClaimedJob, owner: Actor, made: string | undefined): Deed {
  const { uuid, workflowUuid } = job.input as { uuid?: string; workflowUuid?: string }
  return {
    action: job.kind as keyof LongWork,
    thingUuid: made ?? workflowUuid ?? uuid ?? null,
    by: { actor: owner, via: 'job' },
    requestId: job.requestId,
    jobUuid: job.uuid,
  }
}

/** Work on what is not there is recorded, too: it fails by itself. */
async function unlessMissing(
  find: () => Promise<{ readonly name: string }>,
  uuid: string,
): Promise<Subject | null> {
  try {
    const { name } = await find()
    return { uuid, name }
  } catch (error) {
    const isMissing =
      error instanceof SourceNotFoundException || error instanceof WorkflowNotFoundException
    if (isMissing) return null
    throw error
  }
}

/** If a load is staged, the load is all that has changed. */
function presentReloaded(reloaded: Reloaded) {
  return reloaded.kind === 'staged' ? presentLoad(reloaded.load) : presentSource(reloaded.source)
}

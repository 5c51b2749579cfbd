import type { Access } from './actor.ts'
import type { RootDeletionRequest } from './folders/delete-root.ts'
import type { GivenMapping } from './shapes/expect.ts'
import type { SentCorrections, NewSource, Reload } from './sources/sources.ts'
import type { Launch } from './workflows/workflows.ts'

/** What can take long, by kind, with what it starts from. */
export interface LongWork {
  readonly 'source.create': NewSource
  readonly 'source.reload': ReloadOfSource
  readonly 'source.schedule': ScheduledRunOfSource
  readonly 'source.rejects': RejectsOfSource
  readonly 'source.publish': StagedLoadOfSource
  readonly 'source.rollback': RollbackOfSource
  readonly 'folder.delete-root': RootDeletionRequest
  readonly 'workflow.launch': Launch
}

/**
 * Who may have each kind of work done: whoever asks for it, at its start and at its seal. The routes
 * take their own rule from here.
 */
export const ACCESS_TO_WORK = {
  'source.create': 'admin',
  'source.reload': 'admin',
  'source.schedule': 'admin',
  'source.rejects': 'admin',
  'source.publish': 'admin',
  'source.rollback': 'admin',
  'folder.delete-root': 'super-admin',
  'workflow.launch': 'admin',
} as const satisfies Record<keyof LongWork, Access>

interface ReloadOfSource {
  readonly uuid: string
  readonly reload: Reload
}

export interface ScheduledRunOfSource {
  readonly uuid: string
}

interface RejectsOfSource {
  readonly uuid: string
  /** Called so in the jobs that wait while a service is upgraded. */
  readonly mended: SentCorrections
}

interface StagedLoadOfSource extends GivenMapping {
  readonly uuid: string
  readonly load: string
}

interface RollbackOfSource {
  readonly uuid: string
  /** The load whose state is to be shown; null: what was shown before the last publication. */
  readonly load: string | null
}

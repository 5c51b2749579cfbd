import { findLoad, listLoads, type Load } from '../../stack/load.ts'
import { admitCreation, createSource } from './create-source.ts'
import { checkFor, checkSource } from './check-source.ts'
import { exportData } from './export-data.ts'
import { exportRejects } from './export-rejects.ts'
import { readHome } from './home.ts'
import { locateSource } from './source.ts'
import { manageLoads } from './manage-loads.ts'
import { manageSources } from './manage-sources.ts'
import { previewFor, previewSource } from './preview-source.ts'
import { readChanges } from './read-changes.ts'
import { readData } from './read-data.ts'
import { readRejects } from './read-rejects.ts'
import { admitReload, reloadSource } from './reload-source.ts'
import type { SourcesParts, Finders, SourceOrigin } from './sources.ts'
import { storeRecognised } from './store-recognised.ts'
import { profileSource } from './profile.ts'
import { tryRules } from './try-rules.ts'
import { summariseSource } from './summarise.ts'
import { correctRejects } from './correct-rejects.ts'
import type { Actor } from '../actor.ts'
import type { Page, PageRequest } from '../../resources/page.ts'

/** Files and forms that became tables. Whatever the actor may not see throws a SourceNotFoundException. */
export function createSources(parts: SourcesParts) {
  const managing = manageSources(parts)
  const { find } = managing
  const locate: Finders['locate'] = (actor, uuid) => locateSource(parts.lookups, actor, uuid)
  const loadOf: Finders['findLoad'] = async (actor, uuid, loadUuid) =>
    findLoad(parts.pool, (await locate(actor, uuid)).tableId, loadUuid)
  return {
    ...managing,
    locate,
    admitCreation: admitCreation(parts),
    admitReload: admitReload(parts, find),
    create: createSource(parts, find),
    reload: reloadSource(parts, { find, locate, findLoad: loadOf }),
    correctRejects: correctRejects(parts, { find, findLoad: loadOf }),
    readPage: readData(parts.reads, locate),
    summarise: summariseSource(parts.reads, locate),
    profile: profileSource(parts.reads, locate),
    tryRules: tryRules(parts.reads, locate),
    export: exportData(parts.exports, find),
    readRejects: readRejects(parts.reads, { find, findLoad: loadOf }),
    exportRejects: exportRejects(parts.exports, find),
    loads: async (
      actor: Actor,
      uuid: string,
      page: PageRequest,
      signal: AbortSignal,
    ): Promise<Page<Load>> =>
      listLoads(parts.pool, (await locate(actor, uuid)).tableId, page, signal),
    findLoad: loadOf,
    readChanges: readChanges(parts, { find, findLoad: loadOf }),
    ...manageLoads(parts, { find, locate, findLoad: loadOf }),
    preview: previewSource(parts),
    previewFor: previewFor(parts, find),
    check: checkSource(parts),
    checkFor: checkFor(parts, find),
    store: storeRecognised(parts),
    /** What needs a person, and what happened lately. */
    home: readHome(parts.pool),
    /** Removes what was stored for a job that will not run. */
    async discard(origin: SourceOrigin | undefined): Promise<void> {
      if (origin?.kind === 'stored') await parts.uploads.discard(origin.file)
    },
  }
}

export type Sources = ReturnType<typeof createSources>

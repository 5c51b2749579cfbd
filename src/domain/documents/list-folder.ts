import type { Pool } from 'pg'

import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import { FolderNotFoundException } from '../../errors/index.ts'
import { type FiledDocument, filedDocument } from '../../resources/document.ts'
import type { Page } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import type { DocumentQuery } from './list-documents.ts'

const OWN = SCOPES.ownDocuments.rows('d', '$3')
const CHOSEN = `d.folder_id = p.id and ($7::text is null or d.folded_name like search_pattern($7))`

const IN_FOLDER = pageQuery({
  from: 'folders p cross join lateral',
  counted: `select count(*) as total from documents d where ($4 or ${SCOPES.ownDocuments.rows('d', '$3')}) and ${CHOSEN}`,
  items: `
    select ${selectionOf(filedDocument, 'd')}, ${OWN} as "isOwn"
    from (select * from documents d where ($4 or ${SCOPES.ownDocuments.rows('d', '$3')}) and ${CHOSEN}
          order by ${newestFirst('d')} limit $5 offset $6) d`,
  where: `where p.uuid = $1 and p.deleted_at is null and ${SCOPES.folders.rows('p', '$2')}`,
})

/** What lies directly in a folder: clients are shown what they uploaded, all others everything. */
export async function listFolder(
  pool: Pool,
  actor: Actor,
  uuid: string,
  { search, ...request }: DocumentQuery,
  signal: AbortSignal,
): Promise<Page<FiledDocument>> {
  const values = [
    uuid,
    SCOPES.folders.reach(actor),
    SCOPES.ownDocuments.reach(actor),
    actor.role !== 'client',
    request.limit,
    offsetOf(request),
    search,
  ]
  const query = { text: IN_FOLDER, values }
  const { rows } = await queryUntilAborted<PageRow<FiledDocument>>(pool, query, signal)
  if (rows.length === 0) throw new FolderNotFoundException()
  return pageOf(rows)
}

import type { Pool } from 'pg'

import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import { type Document, document } from '../../resources/document.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'

import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'

export interface DocumentQuery extends PageRequest {
  readonly search?: string | undefined
}

// In a subquery the planner cannot see the value, and expects the same of every value. So the
// server keeps one plan for all, which it only does if that seems no more expensive than a plan for
// this value; and planning takes longer than reading.
const OWNER = '(select $1::bigint)'
const ON_PAGE = 'limit (select $2::bigint) offset (select $3::bigint)'

// One plan serves all owners, so both strategies are written out: a few documents are checked one
// by one; those of an owner of many are counted from the other end, by the matches of the search or
// by what deleted folders hide. `offset 0` keeps the planner from turning one strategy into the
// other. The `order by` makes it count the documents of an owner along the index: if one owner has
// nearly all of them, the planner expects as many of everybody, and would read the whole table or
// start parallel workers.
const FEW = 10_000
const LITTLE = 1_000

const SHOWN = selectionOf(document, 'd')

/** A document is hidden and restored with its folder. */
const IN_SIGHT = `
  not exists (select from folders f where f.id = d.folder_id and f.deleted_at is not null)`

// What deleted folders hide is subtracted. If that is little altogether, the owners of those
// documents are looked up.
const ALL = {
  name: 'documents-of-owner',
  text: pageQuery({
    with: `
    with asked as materialized (select $1::bigint as owner),
    owned as (
      select total from asked cross join lateral (
        select count(*) as total from (
          select from users_documents o
          where ${SCOPES.documentOwners.rows('o', 'owner')} order by document_id offset 0) o) counted),
    deleted as materialized (select id from folders where deleted_at is not null limit ${LITTLE}),
    hidden as materialized (
      select d.id from deleted f cross join lateral (
        select id from documents where folder_id = f.id offset 0) d limit ${LITTLE})`,
    counted: `
      select total - case
        when (select count(*) from deleted) < ${LITTLE} and (select count(*) from hidden) < ${LITTLE}
        then (select count(*)
              from hidden h cross join lateral (
                select from users_documents o
                where o.document_id = h.id and ${SCOPES.documentOwners.rows('o', OWNER)} offset 0) o)
        when total < ${FEW}
        then (select count(*)
              from users_documents o cross join lateral (
                select from documents d where d.id = o.document_id and not ${IN_SIGHT} offset 0) hidden
              where ${SCOPES.documentOwners.rows('o', OWNER)})
        else (select count(*)
              from folders f cross join lateral (
                select from documents d join users_documents o on o.document_id = d.id
                where d.folder_id = f.id and ${SCOPES.documentOwners.rows('o', OWNER)} offset 0) hidden
              where f.deleted_at is not null)
        end as total from owned`,
    items: `
      select shown.*
      from users_documents o cross join lateral (
        select ${SHOWN} from documents d
        where d.id = o.document_id and ${IN_SIGHT} offset 0) shown
      where ${SCOPES.documentOwners.rows('o', OWNER)}
      order by o.created_at desc, o.document_id desc ${ON_PAGE}`,
  }),
}

// The pattern is computed once, not for every document.
const MATCHES = `d.folded_name like (select pattern from wanted) and ${IN_SIGHT}`

const MATCHING = {
  name: 'documents-of-owner-matching',
  text: pageQuery({
    with: `
    with wanted as materialized (select search_pattern($4) as pattern),
    owned as (
      select count(*) < ${FEW} as few
      from (select from users_documents o where ${SCOPES.documentOwners.rows('o', OWNER)} limit ${FEW}) o),
    matches as materialized (
      select o.document_id as id, found.created_at
      from users_documents o cross join lateral (
        select d.created_at from documents d where d.id = o.document_id and ${MATCHES} offset 0) found
      where (select few from owned) and ${SCOPES.documentOwners.rows('o', OWNER)}
      union all
      select found.id, found.created_at
      from (select d.id, d.created_at from documents d where ${MATCHES} offset 0) found cross join lateral (
        select from users_documents o where ${SCOPES.documentOwners.rows('o', OWNER)} and o.document_id = found.id offset 0) o
      where not (select few from owned))`,
    counted: 'select count(*) as total from matches',
    items: `
      select ${SHOWN} from documents d
      where d.id = any (array(
        select id from matches m order by ${newestFirst('m')} ${ON_PAGE}))`,
  }),
}

/** What the actor uploaded; the total is given even if the page is empty. */
export async function listDocuments(
  pool: Pool,
  actor: Actor,
  { search, ...request }: DocumentQuery,
  signal: AbortSignal,
): Promise<Page<Document>> {
  const values = [SCOPES.documentOwners.reach(actor), request.limit, offsetOf(request)]
  const query =
    search === undefined ? { ...ALL, values } : { ...MATCHING, values: [...values, search] }
  const { rows } = await queryUntilAborted<PageRow<Document>>(pool, query, signal)
  return pageOf(rows)
}

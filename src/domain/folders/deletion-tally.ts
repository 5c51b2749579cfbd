import type { ClientBase } from 'pg'

type Client = Pick<ClientBase, 'query'>

/** What a deletion has done so far, over all runs of its job. */
interface DeletionTally {
  readonly enterpriseId: number
  readonly deletedDocuments: number
  readonly deletedFolders: number
  readonly durationMs: number
}

/** Continues the tally of an earlier run of the same job. */
export async function openTally(
  client: Client,
  jobUuid: string,
  enterpriseId: number,
): Promise<DeletionTally> {
  await client.query(
    `insert into root_deletions (job_uuid, enterprise_id) values ($1, $2)
     on conflict (job_uuid) do nothing`,
    [jobUuid, enterpriseId],
  )
  return (await readTally(client, jobUuid))!
}

/** Null if the job never began to delete. */
export async function readTally(client: Client, jobUuid: string): Promise<DeletionTally | null> {
  const { rows } = await client.query<DeletionTally>(
    `select enterprise_id as "enterpriseId", deleted_documents as "deletedDocuments",
            deleted_folders as "deletedFolders",
            extract(epoch from clock_timestamp() - begun_at)::float8 * 1000 as "durationMs"
     from root_deletions where job_uuid = $1`,
    [jobUuid],
  )
  return rows[0] ?? null
}

/** Part of the statement that deletes, so that whatever is deleted is also counted. */
export const countInto = (column: 'deleted_documents' | 'deleted_folders', jobUuid: string) => `
  update root_deletions set ${column} = ${column} + (select count(*) from gone)
  where job_uuid = ${jobUuid}`

import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import type { Pool, PoolClient } from 'pg'

import type { Message } from '../../../pipelines/index.ts'
import { translateDatabaseError, UniqueViolationError } from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import {
  EnterpriseNotFoundException,
  FolderMoveConflictException,
  FolderRestoreConflictException,
  FolderRootAlreadyExistsException,
  invalidField,
} from '../../errors/index.ts'
import { FolderModel } from '../../models/folder.ts'
import { TOUCHED } from '../../models/touched.ts'
import { type Folder, folder as folderFields } from '../../resources/folder.ts'
import type { Actor } from '../actor.ts'
import { findNode, type FolderNode } from './find-folder.ts'
import { above, subtree } from './folder-sql.ts'
import { lockTree } from './tree-lock.ts'
import { folderMessages } from './folder-messages.ts'

interface NewRoot {
  readonly name: string
  readonly enterpriseId: number
  readonly clientId?: number | undefined
}

/** Models ask on the connection of the transaction, under its lock; walks of a tree are in SQL. */
export function createFolderChanges({ pool, knex }: { readonly pool: Pool; readonly knex: Knex }) {
  const foldersOn = (client: PoolClient) => FolderModel.query(knex).on(client)

  /** Changes a folder under the lock of its tree, in its state at that moment. */
  async function change<R>(
    actor: Actor,
    uuid: string,
    mode: 'to-add' | 'to-rearrange',
    work: (client: PoolClient, folder: FolderNode) => Promise<R>,
    {
      record,
      ...which
    }: { readonly orDeleted?: boolean; readonly record?: Recording | undefined } = {},
  ): Promise<R> {
    return withTransaction(pool, async (client) => {
      const find = () => findNode(foldersOn(client), actor, uuid, which)
      const seen = await find()
      await lockTree(client, seen.root_id, mode)
      const done = await work(client, await find())
      await record?.(client)
      return done
    })
  }

  async function update(
    client: PoolClient,
    id: number,
    values: { readonly name: string } | { readonly parent_id: number },
  ): Promise<Folder> {
    const touched = { ...values, updated_at: TOUCHED }
    return (await foldersOn(client).foundBefore(id).patchAs(folderFields, touched))!
  }

  return {
    async createRoot(actor: Actor, given: NewRoot, alongside?: Alongside<Folder>): Promise<Folder> {
      return withTransaction(pool, async (client) => {
        const row = {
          name: given.name.trim(),
          client_id: await chooseClient(client, actor.id, given),
          enterprise_id: given.enterpriseId,
          created_by: actor.id,
        }
        const inserted = foldersOn(client).insertAs(folderFields, row)
        const made = await orConflict(inserted, FolderRootAlreadyExistsException)
        await alongside?.(client, made)
        return made
      })
    },

    async createChild(
      actor: Actor,
      { name, parentUuid }: { readonly name: string; readonly parentUuid: string },
      alongside?: Alongside<Folder>,
    ): Promise<Folder> {
      return change(actor, parentUuid, 'to-add', async (client, parent) => {
        const made = await foldersOn(client).insertAs(folderFields, {
          name: name.trim(),
          client_id: parent.client_id,
          enterprise_id: parent.enterprise_id,
          created_by: actor.id,
          parent_id: parent.id,
        })
        await alongside?.(client, made)
        return made
      })
    },

    async rename(actor: Actor, uuid: string, name: string, record?: Recording): Promise<Folder> {
      const renamed = (client: PoolClient, { id }: FolderNode) =>
        update(client, id, { name: name.trim() })
      // The name confirms a permanent deletion, so it must not change until that is over.
      return change(actor, uuid, 'to-add', renamed, { record })
    },

    /** Deletes the folder and everything below it, with the same time of deletion. */
    async remove(actor: Actor, uuid: string, record?: Recording): Promise<void> {
      const removed = async (client: PoolClient, { id, root_id: rootId }: FolderNode) => {
        // Later than any deletion in the tree, so that no two have the same time.
        await client.query(
          `${subtree('below.deleted_at is null')}
           update folders set deleted_at = (
             select greatest(clock_timestamp(), max(deleted_at) + interval '1 millisecond')
             from folders where root_id = $2)
           where id in (select id from subtree)`,
          [id, rootId],
        )
      }
      await change(actor, uuid, 'to-rearrange', removed, { record })
    },

    /** Restores exactly what was deleted with the folder. */
    async restore(actor: Actor, uuid: string, record?: Recording): Promise<Folder> {
      const restored = async (client: PoolClient, folder: FolderNode) => {
        if (folder.deleted_at !== null) {
          await refuseDeletedParent(foldersOn(client), folder)
          await restoreSubtree(client, folder)
        }
        return (await foldersOn(client).foundBefore(folder.id).oneAs(folderFields))!
      }
      return change(actor, uuid, 'to-rearrange', restored, { orDeleted: true, record })
    },

    async move(
      actor: Actor,
      uuid: string,
      parentUuid: string,
      record?: Recording,
    ): Promise<Folder> {
      const moved = async (client: PoolClient, folder: FolderNode) => {
        const parent = await findNode(foldersOn(client), actor, parentUuid)
        // Two active trees never belong to the same enterprise.
        if (parent.root_id !== folder.root_id) {
          throw invalidField('/parentUuid', folderMessages.otherEnterprise())
        }
        if (await isBelow(client, parent.id, folder.id)) throw new FolderMoveConflictException()
        return update(client, folder.id, { parent_id: parent.id })
      }
      return change(actor, uuid, 'to-rearrange', moved, { record })
    },
  }
}

async function chooseClient(
  client: PoolClient,
  actorId: number,
  { enterpriseId, clientId }: NewRoot,
): Promise<number> {
  const { rows } = await client.query<{ first_account: number | null; known: boolean }>(
    `select (select min(id) from users where enterprise_id = enterprises.id
             and account_type = 'enterprise' and disabled_at is null) as first_account,
            exists (select from users where id = $2) as known
     from enterprises where id = $1`,
    [enterpriseId, clientId ?? null],
  )
  const [found] = rows
  if (!found) throw new EnterpriseNotFoundException()
  if (clientId === undefined) return found.first_account ?? actorId
  if (found.known) return clientId
  throw invalidField('/clientId', folderMessages.notAUser())
}

async function refuseDeletedParent(
  folders: QueryBuilderType<FolderModel>,
  { parent_id: parentId }: FolderNode,
): Promise<void> {
  if (parentId === null) return
  const deleted = await folders.foundBefore(parentId).deleted().resultSize()
  if (deleted > 0) throw new FolderRestoreConflictException(folderMessages.parentDeleted())
}

async function restoreSubtree(client: PoolClient, folder: FolderNode): Promise<void> {
  const restored = client.query(
    `${subtree('below.deleted_at = $2')}
     update folders set deleted_at = null where id in (select id from subtree)`,
    [folder.id, folder.deleted_at],
  )
  await orConflict(restored, FolderRestoreConflictException, folderMessages.placeTaken())
}

/** Whether a folder is the other one, or is somewhere below it. */
async function isBelow(client: PoolClient, id: number, ancestorId: number): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `with recursive path as (
       select id, parent_id from folders where id = $1
       union all
       select above.* from path cross join lateral ${above('path', 'f.id, f.parent_id')})
     select exists (select from path where id = $2) as found`,
    [id, ancestorId],
  )
  return rows[0]!.found
}

/** Only the index that allows a single active root can be violated. */
async function orConflict<R>(
  query: Promise<R>,
  Conflict: typeof FolderRootAlreadyExistsException,
  detail?: Message,
): Promise<R> {
  try {
    return await query
  } catch (error) {
    if (!(translateDatabaseError(error) instanceof UniqueViolationError)) throw error
    throw new Conflict(detail, { cause: error })
  }
}

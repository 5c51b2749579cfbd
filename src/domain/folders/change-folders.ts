import type { Pool, PoolClient } from 'pg'

import type { Message } from '../../../pipelines/index.ts'
import { translateDatabaseError, UniqueViolationError } from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Alongside } from '../../resources/alongside.ts'
import {
  EnterpriseNotFoundException,
  FolderRestoreConflictException,
  FolderRootAlreadyExistsException,
  invalidField,
} from '../../errors/index.ts'
import type { Folder } from '../../resources/folder.ts'
import type { Actor } from '../actor.ts'
import { findNode, type FolderNode, showFolder } from './find-folder.ts'
import { subtree } from './folder-sql.ts'
import { moveFolder } from './move-folder.ts'
import { lockTree } from './tree-lock.ts'
import { folderMessages } from './folder-messages.ts'

interface NewRoot {
  readonly name: string
  readonly enterpriseId: number
  readonly clientId?: number | undefined
}

export function createFolderChanges(pool: Pool) {
  /** Changes a folder under the lock of its tree, in its state at that moment. */
  async function change<R>(
    actor: Actor,
    uuid: string,
    mode: 'to-add' | 'to-rearrange',
    work: (client: PoolClient, folder: FolderNode) => Promise<R>,
    which: { readonly orDeleted?: boolean } = {},
  ): Promise<R> {
    return withTransaction(pool, async (client) => {
      const seen = await findNode(client, actor, uuid, which)
      await lockTree(client, seen.root_id, mode)
      return work(client, await findNode(client, actor, uuid, which))
    })
  }

  return {
    async createRoot(actor: Actor, given: NewRoot, alongside?: Alongside<Folder>): Promise<Folder> {
      return withTransaction(pool, async (client) => {
        const clientId = await chooseClient(client, actor.id, given)
        const inserted = client.query<{ id: number }>(
          `insert into folders (name, client_id, enterprise_id, created_by)
           values ($1, $2, $3, $4) returning id`,
          [given.name.trim(), clientId, given.enterpriseId, actor.id],
        )
        const { rows } = await orConflict(inserted, FolderRootAlreadyExistsException)
        const made = await showFolder(client, rows[0]!.id)
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
        const { rows } = await client.query<{ id: number }>(
          `insert into folders (name, client_id, enterprise_id, created_by, parent_id)
           values ($1, $2, $3, $4, $5) returning id`,
          [name.trim(), parent.client_id, parent.enterprise_id, actor.id, parent.id],
        )
        const made = await showFolder(client, rows[0]!.id)
        await alongside?.(client, made)
        return made
      })
    },

    async rename(actor: Actor, uuid: string, name: string): Promise<Folder> {
      // The name confirms a permanent deletion, so it must not change until that is over.
      return change(actor, uuid, 'to-add', async (client, { id }) => {
        await client.query('update folders set name = $2, updated_at = now() where id = $1', [
          id,
          name.trim(),
        ])
        return showFolder(client, id)
      })
    },

    /** Deletes the folder and everything below it, with the same time of deletion. */
    async remove(actor: Actor, uuid: string): Promise<void> {
      await change(actor, uuid, 'to-rearrange', async (client, { id, root_id: rootId }) => {
        // Later than any deletion in the tree, so that no two have the same time.
        await client.query(
          `${subtree('below.deleted_at is null')}
           update folders set deleted_at = (
             select greatest(clock_timestamp(), max(deleted_at) + interval '1 millisecond')
             from folders where root_id = $2)
           where id in (select id from subtree)`,
          [id, rootId],
        )
      })
    },

    /** Restores exactly what was deleted with the folder. */
    async restore(actor: Actor, uuid: string): Promise<Folder> {
      const restored = async (client: PoolClient, folder: FolderNode) => {
        if (folder.deleted_at !== null) await restoreSubtree(client, folder)
        return showFolder(client, folder.id)
      }
      return change(actor, uuid, 'to-rearrange', restored, { orDeleted: true })
    },

    move: (actor: Actor, uuid: string, parentUuid: string): Promise<Folder> =>
      change(actor, uuid, 'to-rearrange', (client, folder) =>
        moveFolder(client, actor, folder, parentUuid),
      ),
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

async function restoreSubtree(client: PoolClient, folder: FolderNode): Promise<void> {
  const { rowCount } = await client.query(
    'select from folders where id = $1 and deleted_at is not null',
    [folder.parent_id],
  )
  if (rowCount !== 0) {
    throw new FolderRestoreConflictException(folderMessages.parentDeleted())
  }
  const restored = client.query(
    `${subtree('below.deleted_at = $2')}
     update folders set deleted_at = null where id in (select id from subtree)`,
    [folder.id, folder.deleted_at],
  )
  await orConflict(restored, FolderRestoreConflictException, folderMessages.placeTaken())
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

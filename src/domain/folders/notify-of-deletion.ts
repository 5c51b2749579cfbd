import type { Pool } from 'pg'

import { folderDeletionNotice } from '../../notifications/folder-deletion-notice.ts'
import type { Mailer } from '../../notifications/mailer.ts'
import type { Logger } from '../../observability/logger.ts'
import type { RootDeletionResult } from '../../resources/root-deletion.ts'
import type { Actor } from '../actor.ts'
import type { FailedDocuments } from './root-deletion.ts'
import { type Language } from '../../../pipelines/index.ts'

const MANY_FILES = 1000

interface NoticeParts {
  readonly pool: Pool
  readonly mailer: Mailer
  readonly logger: Logger
}

interface Deletion
  extends FailedDocuments, Omit<RootDeletionResult, 'notified' | keyof FailedDocuments> {
  readonly folderName: string
  readonly language: Language
  readonly enterpriseId: number
  readonly durationMs: number
}

/**
 * Notifies the person who began a deletion that was large or long. Nothing else depends on the
 * mail.
 */
export async function notifyOfDeletion(
  { pool, mailer, logger }: NoticeParts,
  actor: Actor,
  deletion: Deletion,
  noticeAfterMs: number,
): Promise<boolean> {
  const failed = deletion.failedDocumentCount
  const isLarge = deletion.deletedDocuments + failed > MANY_FILES
  if (!isLarge && deletion.durationMs <= noticeAfterMs) return false
  try {
    const { rows } = await pool.query<{ name: string }>(
      'select name from enterprises where id = $1',
      [deletion.enterpriseId],
    )
    const told = { ...deletion, failedDocuments: failed, enterpriseName: rows[0]?.name ?? '' }
    const notice = folderDeletionNotice(told, deletion.language)
    await mailer.send({ to: actor.email, ...notice })
    return true
  } catch (error) {
    logger.warn(
      { err: error, folder: deletion.folderName },
      'the notice of a deletion could not be sent',
    )
    return false
  }
}

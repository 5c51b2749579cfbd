import type { Pool } from 'pg'

import {
  type Catalogue,
  type Language,
  recalledText,
  type StoredMessage,
} from '../../../pipelines/index.ts'
import type { Mailer } from '../../notifications/mailer.ts'
import { scheduleFailureNotice } from '../../notifications/schedule-failure-notice.ts'
import type { Logger } from '../../observability/logger.ts'

interface TellingParts {
  readonly pool: Pool
  readonly mailer: Mailer
  readonly logger: Logger
  readonly catalogue: Catalogue
  /** The language of the service, since there is no request that names one. */
  readonly language: Language
}

/** How long to wait before retrying a mail that could not be sent. */
const RETRY_AFTER = `interval '1 minute'`

interface Notice {
  readonly source_id: number
  readonly notice_at: Date
  readonly email: string
  readonly name: string
  readonly enterprise: string
  readonly failures: number
  readonly next_run_at: Date
  readonly timezone: string
  readonly notice_reason: string | null
}

/** Sends one mail to the creator of a source whose scheduled loads keep failing. */
export async function tellOfFailures(parts: TellingParts): Promise<void> {
  const { pool, mailer, logger, catalogue, language } = parts
  const say = (text: string | StoredMessage) => catalogue.say(text, language)
  const { rows } = await pool.query<Notice>(
    `with due as (
       select source_id from source_schedules where notice_at <= now() for update skip locked),
     taken as (
       update source_schedules s set notice_at = now() + ${RETRY_AFTER}
       from due where due.source_id = s.source_id returning s.*)
     select t.source_id, t.notice_at, t.notice_reason, t.failures, t.next_run_at,
            t.timezone, u.email::text as email, src.name, e.name as enterprise
     from taken t
     join sources src on src.id = t.source_id
     join enterprises e on e.id = src.enterprise_id
     join users u on u.id = src.created_by`,
  )
  for (const notice of rows) {
    try {
      await mailer.send({
        to: notice.email,
        ...scheduleFailureNotice(
          {
            sourceName: notice.name,
            enterpriseName: notice.enterprise,
            failures: notice.failures,
            reason: say(recalledText(notice.notice_reason ?? '')),
            nextRunAt: notice.next_run_at,
            timezone: notice.timezone,
          },
          language,
        ),
      })
      await pool.query(
        'update source_schedules set notice_at = null where source_id = $1 and notice_at = $2',
        [notice.source_id, notice.notice_at],
      )
    } catch (error) {
      logger.warn(
        { err: error, source: notice.name },
        'the notice of failing scheduled loads could not be sent; it is tried again',
      )
    }
  }
}

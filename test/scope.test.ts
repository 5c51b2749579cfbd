import { expect } from 'chai'

import { ConnectionModel } from '../src/models/connection.ts'
import { DocumentModel } from '../src/models/document.ts'
import { FolderModel } from '../src/models/folder.ts'
import { useDatabase } from './support/database.ts'
import { createFactories } from './support/factories.ts'
import { TENANT_TABLES, unscoped, unscopedBelow } from './support/statements.ts'

/** Tables that hold nothing of tenants, or nothing that is looked for but by its own key. */
const OTHER_TABLES: Readonly<Record<string, string>> = {
  enterprises: 'the directory; it is read by super-admins and through what belongs to one',
  users: 'people are found by the subject of their token, by email or by id',
  source_schedules: 'found by the id of a source that was found in scope, or by their time',
  idempotency_keys: 'the key of a row begins with the actor',
  login_attempts: 'counted by address and account',
  processes: 'of the service: who lives',
  sweeps: 'of the service: what was swept when',
  object_claims: 'objects that no row owns yet, by the name that the service gave them',
  audit_chains: 'of the service: where the audit trail of each enterprise ends',
  document_bytes: 'how much each enterprise has of them, by its number',
  encryption_keys: 'of the service: which master key has which id',
  signing_keys: 'of the service: what verifies receipts',
  job_turns: 'when each enterprise had a job taken last',
  knex_migrations: 'of the migrations',
  knex_migrations_lock: 'of the migrations',
}

/** Statements about the rows of everybody. Each says from the name of the table on what stands here. */
const OF_EVERYBODY: readonly { why: string; file: string; says: readonly string[] }[] = [
  {
    why: 'workers take any job, in turn, and the sweep looks after those of dead workers',
    file: 'src/jobs/job-records.ts',
    says: [
      'from jobs join interpolated',
      'join jobs next using (id) left join running',
      "update jobs set status = 'RUNNING', attempt = attempt + 1",
      "update jobs set status = 'SUCCEEDED', input = null",
      "update jobs set status = 'QUEUED', version = version + 1 where uuid = $1 and status = 'RUNNING'",
      'from jobs where interpolated and queued and attempt < interpolated',
      "from jobs where status = 'QUEUED' and created_at <",
      "update jobs set status = 'FAILED', error = $1",
    ],
  },
  {
    why: 'the jobs that event streams follow were found in scope when these began',
    file: 'src/jobs/job-records.ts',
    says: ['join jobs on jobs.uuid = seen.uuid join interpolated'],
  },
  {
    why: 'the tables of everybody are distributed where the setting says so',
    file: 'src/stack/citus/distribute-again.ts',
    says: ['from generated_tables t where dropped_at is null and current_load_id is not null'],
  },
  {
    why: 'the start looks for owners of tables, whoever has them',
    file: 'src/stack/table/enterprise-schemas.ts',
    says: [
      "from generated_tables g join pg_namespace n on n.nspname = 'enterprise_' || g.enterprise_id",
    ],
  },
  {
    why: 'operators see how many jobs there are, and nothing of them',
    file: 'src/jobs/queue-gauges.ts',
    says: ["from jobs where status in ('QUEUED', 'RUNNING')"],
  },
  {
    why: 'mails to the senders of everybody are sent by whichever process takes them',
    file: 'src/domain/collections/mails.ts',
    says: [
      'from collections c cross join lateral',
      'from collections c join collection_senders se on se.collection_id = c.id where c.deadline <= now()',
      'update collection_mails set tries = tries + 1',
      'from collection_mails where sent_at is null and next_try_at <= now()',
    ],
  },
  {
    why: 'a sender is held by the number of one that was found in scope, or by their own link',
    file: 'src/domain/collections/links.ts',
    says: [
      'from collections c join collection_senders se on se.collection_id = c.id where se.id = $1 for key share of c',
    ],
  },
  {
    why: 'what slots hold follows from the loads of a table that its publication holds',
    file: 'src/domain/collections/settle-slots.ts',
    says: [
      "update collection_deliveries d set state = case l.state when 'current'",
      "from loads l where interpolated and d.state = 'accepted'",
      "update collection_deliveries d set state = 'accepted' from loads l",
      "from loads l where interpolated and d.state in ('received', 'replaced', 'undone')",
      'from collections c join sources s on s.id = c.source_id where s.table_id = $1',
      'from collection_slots sl where sl.uuid = any ($2)',
    ],
  },
  {
    why: 'sweeps clear up behind processes that died, and a job behind its own earlier run',
    file: 'src/stack/leases.ts',
    says: [
      "update loads set state = 'failed', error = 'interpolated'::jsonb",
      'from generated_tables t where t.current_load_id is null and t.lease_process is null',
      'from generated_tables t where t.lease_job = $1 and t.current_load_id is null',
      'update generated_tables set interpolated where lease_process is not null',
    ],
  },
  {
    why: 'a sweep drops what nobody needs any more',
    file: 'src/stack/keep/forget.ts',
    says: ['from load_tables t where ($1::bigint is null or table_id = $1) and interpolated'],
  },
  {
    why: 'a sweep forgets states that are kept no longer, of all tables of which it was said, and loads that nobody published',
    file: 'src/stack/keep/keep-states.ts',
    says: [
      'from generated_tables where forgetting_due and lease_process is null',
      'from loads l join generated_tables t on t.id = l.table_id where interpolated and t.lease_process is null',
    ],
  },
  {
    why: 'the loads are named by their ids, or by that of their root',
    file: 'src/stack/keep/forget.ts',
    says: ["from loads where interpolated and state in ('staged', 'current', 'kept')"],
  },
  {
    why: 'a shape that was found in scope asks what the others of its enterprise remember',
    file: 'src/domain/shapes/expect.ts',
    says: [
      'from shape_aliases a where a.enterprise_id = $1 and md5(a.folded) = md5(asked.folded)',
      'from shape_aliases a where a.enterprise_id = $1 and md5(a.folded) = md5(found.folded)',
    ],
  },
  {
    why: 'a rule of a shape that was found in scope looks into another source of its enterprise',
    file: 'src/stack/judge-rows.ts',
    says: ['from sources s join generated_tables t on t.id = s.table_id where s.uuid = $1'],
  },
  {
    why: 'whoever deletes a source that was found in scope is told which rules of its enterprise look into it',
    file: 'src/domain/sources/manage-sources.ts',
    says: ['from shapes sh left join sources s on s.id = sh.source_id where sh.enterprise_id = $1'],
  },
  {
    why: 'operators carry shapes of any enterprise from one service to another',
    file: 'src/domain/shapes/carry-shape.ts',
    says: ['from shapes sh where sh.uuid::text = $1'],
  },
  {
    why: 'the enterprise was chosen among those of the actor before its names are looked at',
    file: 'src/domain/sources/create-source.ts',
    says: ['from generated_tables where enterprise_id = $1 and name = $2'],
  },
  {
    why: 'a sweep turns tables of earlier versions into their new shape',
    file: 'src/stack/upgrade/upgrade-tables.ts',
    says: ['from generated_tables where not is_partitioned and dropped_at is null'],
  },
  {
    why: 'a command of the operator: what an upgrade of all tables would do',
    file: 'src/stack/upgrade/foresee-upgrade.ts',
    says: [
      'from generated_tables where not is_partitioned',
      'from sources',
      'from workflow_runs where table_name is not null',
    ],
  },
  {
    why: 'a command has the database itself: the sources that a shape in a file looks into',
    file: 'src/cli/shape-file.ts',
    says: ['from sources s join generated_tables t on t.id = s.table_id where s.uuid = any ($1)'],
  },
  {
    why: 'a run that was found in scope names its job',
    file: 'src/domain/workflows/launch-workflow.ts',
    says: ["from jobs where uuid = $1 and status = 'RUNNING'"],
  },
  {
    why: 'whoever calls with a token is found by its hash',
    file: 'src/domain/auth/find-actor.ts',
    says: ['from personal_tokens t cross join', 'update personal_tokens set last_used_at'],
  },
  {
    why: 'a sweep drops the tables that newer runs have replaced',
    file: 'src/domain/workflows/run-tables.ts',
    says: ['from workflow_runs r join generated_tables t on t.id = r.table_id'],
  },
  {
    why: 'schedules of everybody are run when they are due, and looked after when they have been',
    file: 'src/domain/schedules/',
    says: [
      'from source_schedules s join sources src on src.id = s.source_id where s.next_run_at <=',
      'from source_schedules s left join jobs j on j.uuid = s.job_uuid where s.is_running',
      'update source_schedules s set is_running = false',
      'from source_schedules where notice_at <= now()',
      'from source_schedules',
      'update source_schedules s set notice_at = now()',
    ],
  },
  {
    why: 'a sweep leaves the files alone that jobs have yet to read',
    file: 'src/domain/uploads/uploads.ts',
    says: ["from jobs where jobs.status in ('QUEUED', 'RUNNING')"],
  },
  {
    why: 'a sweep drops uploads that nobody completed',
    file: 'src/domain/uploads/sweep-part-uploads.ts',
    says: [
      'from document_uploads where expires_at <= now()',
      'from collection_links where hash = link_hash',
    ],
  },
  {
    why: 'whoever asks for an upload in parts gives the condition of their own: of a user or of a link',
    file: 'src/domain/uploads/part-uploads.ts',
    says: [
      'from document_uploads where interpolated and uuid',
      'update document_uploads set process_id = $interpolated where interpolated and uuid',
      'update document_uploads set interpolated where interpolated and uuid',
    ],
  },
  {
    why: 'a signed address of a part tells no link; whose it is is known by its object',
    file: 'src/domain/collections/delivery-uploads.ts',
    says: [
      'from document_uploads where bucket = $1 and path = $2 and link_hash is not null',
      'from collection_links where hash = link_hash',
    ],
  },
  {
    why: 'the quota is that of an enterprise, whoever of it uploads',
    file: 'src/domain/uploads/upload-quota.ts',
    says: ['from document_uploads u left join users o'],
  },
  {
    why: 'the quota of documents is that of an enterprise, whoever of it uploads',
    file: 'src/domain/documents/documents-quota.ts',
    says: ['from document_uploads where enterprise_share = $1'],
  },
  {
    why: 'a signed address of a part tells no token; who uploads is known by its object',
    file: 'src/domain/documents/direct-uploads.ts',
    says: ['from document_uploads where bucket = $1 and path = $2'],
  },
  {
    why: 'who owns many documents is asked for afterwards, of those that were found',
    file: 'src/domain/documents/list-documents.ts',
    says: [
      'from folders where deleted_at is not null limit',
      'from folders f cross join lateral ( select from documents d join users_documents o',
      'from documents d where interpolated offset 0',
    ],
  },
  {
    why: 'what was done was done by somebody who reached the thing; the audit trail says whose it is',
    file: 'src/domain/audit/audit.ts',
    says: [
      'from personal_tokens t where t.uuid = $1',
      'from connections c where c.uuid = $1',
      'from folders f where f.uuid = $1',
      'from documents d where d.uuid = $1',
      'from document_uploads u where u.uuid = $1',
      'from workflows w where w.uuid = $1',
      'from sources s where s.uuid = $1',
      'from loads l join sources s on s.table_id = l.table_id where l.uuid = $1',
      'from shapes sh left join sources s on s.id = sh.source_id where sh.uuid = $1',
      'from collections c where c.uuid = $1',
      'from collection_senders s where s.uuid = $1',
      'from collection_slots sl join collections c on c.id = sl.collection_id',
      'from jobs j join users o on o.id = j.owner_id where j.uuid = $1',
    ],
  },
  {
    why: 'a sweep exports and removes what is old of every chain',
    file: 'src/domain/audit/keep-audit.ts',
    says: [
      'from audit_entries a where coalesce(a.enterprise_id, 0) = $1 and a.number > $2',
      'from audit_entries where coalesce(enterprise_id, 0) = $1 and number <= $2',
    ],
  },
  {
    why: 'a command of the operator: follows every chain to its end',
    file: 'src/domain/audit/verify-audit.ts',
    says: [
      'from audit_entries',
      'from audit_entries where coalesce(enterprise_id, 0) = $1',
      'from audit_entries a where coalesce(a.enterprise_id, 0) = $1 and a.number > $2',
    ],
  },
  {
    why: 'whether the master keys are what they were: at a start, and a command of the operator',
    file: 'src/domain/connections/key-checks.ts',
    says: ['from connections where id > $1', 'from connections where api_key_key_id = $1'],
  },
  {
    why: 'a command of the operator: seals the keys of everybody anew',
    file: 'src/domain/connections/rotate-keys.ts',
    says: [
      'from connections group by 1',
      "knex('connections') .where({ api_key_key_id",
      "trx('connections') .where('id', '>', after)",
      "trx('connections').where({ id: row.id })",
    ],
  },
  {
    why: 'a command of the operator: compares the object storage with the database',
    file: 'src/domain/storage-check/',
    says: [
      'from documents where uuid = any($1)',
      'from documents where id > $1 order by id limit $2',
      'from loads l join sources s on s.table_id = l.table_id where l.object_path is not null',
      'from documents where uuid = $1',
      "from jobs where status in ('QUEUED', 'RUNNING') and interpolated is not null and id >",
      "from jobs where uuid = $1 and status in ('QUEUED', 'RUNNING')",
      'from loads l join sources s on s.table_id = l.table_id where s.uuid = $1',
      'from documents',
      'from loads where object_bucket is not null',
      'from document_uploads',
    ],
  },
  {
    why: 'the demo world, before anybody is there',
    file: 'src/demo/start-demo.ts',
    says: ["knex('connections')"],
  },
]

describe('the scope of statements', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  it('is decided for every table', async () => {
    const { rows } = await database.pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'public' order by 1`,
    )
    const known = [...TENANT_TABLES, ...Object.keys(OTHER_TABLES)]
    expect(known).to.include.members(rows.map(({ tablename }) => tablename))
  })

  it('is in every statement about rows of tenants, but for those that are named here', () => {
    const excused = OF_EVERYBODY.flatMap(({ file, says }) => says.map((begin) => ({ file, begin })))
    const unused = new Set(excused)
    const found = unscopedBelow('src')
      .filter(({ file, said }) => {
        const excuses = excused.filter(
          ({ file: folder, begin }) => file.startsWith(folder) && said.startsWith(begin),
        )
        for (const used of excuses) unused.delete(used)
        return excuses.length === 0
      })
      .map(({ file, said }) => `${file}: ${said}`)
    expect(found, 'Put SCOPES.….rows(…) into them, see src/scope.ts').to.deep.equal([])
    expect([...unused], 'These are gone by now').to.deep.equal([])
  })

  describe('is missed', () => {
    for (const statement of [
      'select * from sources where uuid = $1',
      'select * from sources s where s.uuid = $1 and s.enterprise_id = $2',
      'SELECT count(*) FROM jobs',
      'update connections set name = $2 where uuid = $1',
      'delete from workflows where name = $1',
      'select * from folders f where f.deleted_at is null order by f.created_at desc limit 20',
      'select d.* from documents d left join folders f on f.id = d.folder_id where d.uuid = $1',
      'insert into workflow_runs (workflow_id) select id from workflows where uuid = $1',
      'select * from (select id, name from sources) s where s.id = $1',
      'select (select count(*) from jobs) as total, j.* from jobs j where j.id = $1',
      'select * from document_uploads where user_id = $1 or uuid = $2',
      'select * from enterprises e, sources s where s.name = $1',
      'delete from documents d using folders f where f.uuid = $1 and d.folder_id = f.id',
      'select * from folders where id = $1 or name = $2',
      'select * from folders where name = $2 and ($1::bigint is null or id = $1)',
      "select * from jobs where uuid = $1 and ${SCOPES.sources.rows('jobs', '$2')}",
      "select id from sources s where ${SCOPES.sources.rows('s', '$1')} union select id from sources",
    ]) {
      it(`in: ${statement}`, () => expect(unscoped(statement)).not.to.deep.equal([]))
    }
  })

  describe('is found', () => {
    for (const statement of [
      "select * from sources s where s.uuid = $1 and ${SCOPES.sources.rows('s', '$2')}",
      "update jobs set error = $3 where uuid = $1 and ${SCOPES.jobs.rows('jobs', '$2')}",
      "select * from documents d where ${SCOPES.ownDocuments.rows('d', '$1')}",
      'select columns from sources where id = $1',
      'select * from folders f join enterprises e on e.id = f.enterprise_id where f.root_id = $1',
      'delete from documents where id = any($1)',
      'insert into connections (name) values ($1)',
      'select * from users where email = $1',
    ]) {
      it(`in: ${statement}`, () => expect(unscoped(statement)).to.deep.equal([]))
    }
  })

  describe('of models', () => {
    it('keeps a query from running that has none', async () => {
      const { uuid } = await build.connection()
      const connections = () => ConnectionModel.query(database.knex)
      for (const query of [
        () => connections(),
        () => connections().byUuid(uuid),
        () => connections().findById(1),
        () => connections().where({ uuid }).patch({ name: 'Taken' }),
        () => connections().where({ uuid }).delete(),
        () => connections().resultSize(),
        () => DocumentModel.query(database.knex).notDeleted(),
        () => FolderModel.query(database.knex).notDeleted(),
        () => FolderModel.query(database.knex).deleted().resultSize(),
      ]) {
        const refusal = await Promise.resolve(query()).then(
          () => null,
          (error: unknown) => error,
        )
        expect(String(refusal), String(query)).to.match(/has no scope/)
      }
    })

    it('shows an admin what belongs to their enterprise, and a super-admin everything', async () => {
      const admin = await build.user()
      const superAdmin = await build.user({ role: 'super-admin' })
      const homeless = await build.user({ enterprise: null })
      const own = await build.connection({ enterprise: admin.enterprise! })
      const foreign = await build.connection()
      const seenBy = async (actor: typeof admin) => {
        const seen = await ConnectionModel.query(database.knex)
          .visibleTo(actor)
          .whereIn('uuid', [own.uuid, foreign.uuid])
        return seen.map(({ uuid }) => uuid)
      }
      expect(await seenBy(admin)).to.deep.equal([own.uuid])
      expect(await seenBy(superAdmin)).to.have.members([own.uuid, foreign.uuid])
      expect(await seenBy(homeless)).to.deep.equal([])
    })
  })
})

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { until } from '../../support/patience.ts'
import { created, createFromFile, footprint, sourceForm } from '../../support/sources.ts'

describe('rules over all rows', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())
  const reload = (as: TestClient, uuid: string, text: string, fields: object = {}) =>
    as.request('POST', `/sources/${uuid}/reload`, { content: sourceForm({ ...fields }, text) })
  const dataOf = async (as: TestClient, uuid: string) =>
    (await as.get(`/sources/${uuid}/data`)).body.items
  /** A source whose column `Code` has these rules. */
  const sourceWith = async (
    as: TestClient,
    text: string,
    rules: readonly object[],
    ofRows: readonly object[] = [],
  ) => {
    const source = await created(createFromFile(as, text))
    const { body } = await as.get(`/sources/${source.uuid}/shape`)
    const columns = body.columns.map((column: { name: string }) =>
      column.name === 'Code' ? { ...column, rules } : column,
    )
    const { status, text: told } = await as.patch(`/sources/${source.uuid}/shape`, {
      columns,
      rules: ofRows,
    })
    expect(status, told).to.equal(200)
    return source
  }

  it('name every row of a group but the first, and nothing is loaded', async () => {
    const as = await admin()
    const columns = [{ name: 'Code', type: 'text', rules: [{ unique: true }] }]
    const { uuid: shapeUuid } = await created(as.post('/shapes', { name: 'Codes', columns }))
    const text = 'Code\na\nb\na\n\nc\nb\na\n'
    const { status, body } = await createFromFile(as, text, { shapeUuid })
    expect([status, body.code]).to.deep.equal([400, 'SourceDataInvalidException'])
    const values = body.errors.map(({ value, rule }: { value: string; rule: string }) => [
      value,
      rule,
    ])
    expect(values).to.deep.equal([
      ['a', 'unique'],
      ['b', 'unique'],
      ['a', 'unique'],
    ])
    expect(body).to.deep.include({ totalErrors: 3, byRule: [{ rule: 'unique', count: 3 }] })
    expect((await as.get('/sources')).body.total).to.equal(0)
  })

  it('hold together with what is there, and blanks break none', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\n;2\n', [{ unique: true, name: 'un-seul' }])
    expect((await reload(as, uuid, 'Code;N\nb;3\n;4\n', { mode: 'append' })).status).to.equal(200)
    const refused = await reload(as, uuid, 'Code;N\nc;5\na;6\n', { mode: 'append' })
    expect(refused.status).to.equal(400)
    expect(refused.body.errors).to.have.length(1)
    expect(refused.body.errors[0]).to.include({ row: 2, column: 'Code', rule: 'un-seul' })
    expect(await dataOf(as, uuid)).to.have.length(4)
    // What is replaced counts no more.
    expect((await reload(as, uuid, 'Code;N\na;7\n')).status).to.equal(200)
    const upserted = await reload(as, uuid, 'Code;N\na;8\nd;9\n', { mode: 'upsert', key: 'Code' })
    expect(upserted.status, upserted.text).to.equal(200)
  })

  it('of several columns hold for all of them together', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\n', [], [{ unique: ['Code', 'N'] }])
    expect((await reload(as, uuid, 'Code;N\na;1\na;2\n')).status).to.equal(200)
    const { body } = await reload(as, uuid, 'Code;N\na;1\na;1\n')
    expect(body.errors[0]).to.include({ row: 2, value: 'a, 1', rule: 'unique' })
  })

  it('of two appends that are unique alone and not together, one wins', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\n', [{ unique: true }])
    const answers = await Promise.all(
      ['x', 'y'].map((n) => reload(as, uuid, `Code;N\nb;1\n${n};2\n`, { mode: 'append' })),
    )
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
    const codes = (await dataOf(as, uuid)).map(({ Code }: { Code: string }) => Code)
    expect(codes.filter((code: string) => code === 'b')).to.have.length(1)
  })

  it('need not be asked of values that came in order, and are asked of all others', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\nb;2\n', [{ unique: true }])
    const known = async () => {
      const { rows } = await app.database.pool.query<{ distinct_columns: string[] }>(
        `select l.distinct_columns from load_tables l join sources s using (table_id)
         where s.uuid = $1 and l.is_attached order by l.from_row`,
        [uuid],
      )
      return rows.map((row) => row.distinct_columns)
    }
    expect((await reload(as, uuid, 'Code;N\na;1\nb;1\nc;1\n')).status).to.equal(200)
    expect(await known()).to.deep.equal([['code']])
    expect((await reload(as, uuid, 'Code;N\nb;1\na;1\nc;1\n')).status).to.equal(200)
    expect(await known()).to.deep.equal([[]])
    const refused = await reload(as, uuid, 'Code;N\nb;1\na;1\nb;1\n')
    expect(refused.body.errors[0]).to.include({ row: 3, value: 'b', rule: 'unique' })
    // Each part is in order, and both together are not.
    expect((await reload(as, uuid, 'Code;N\na;1\nb;1\n')).status).to.equal(200)
    const added = await reload(as, uuid, 'Code;N\nb;1\nc;1\n', { mode: 'append' })
    expect(added.body.errors[0]).to.include({ row: 1, value: 'b', rule: 'unique' })
  })

  it('are asked again where a staged load is published', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\n', [{ unique: true }])
    const staged = await reload(as, uuid, 'Code;N\nb;1\n', { mode: 'append', publish: false })
    await reload(as, uuid, 'Code;N\nb;2\n', { mode: 'append' })
    const path = `/sources/${uuid}/loads/${staged.body.uuid}/publish`
    const { status, body } = await as.post(path)
    expect([status, body.code]).to.deep.equal([409, 'RuleBrokenException'])
    expect(body.errors[0]).to.include({ value: 'b', rule: 'unique' })
    expect(await dataOf(as, uuid)).to.have.length(2)
  })

  it('are asked again where an earlier state is to be shown', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\na;2\n', [])
    await reload(as, uuid, 'Code;N\na;1\n')
    const { body: shape } = await as.get(`/sources/${uuid}/shape`)
    const columns = shape.columns.map((column: object, at: number) =>
      at === 0 ? { ...column, rules: [{ unique: true }] } : column,
    )
    await as.patch(`/sources/${uuid}/shape`, { columns })
    const { status, body } = await as.post(`/sources/${uuid}/rollback`)
    expect([status, body.code]).to.deep.equal([409, 'RuleBrokenException'])
    expect(await dataOf(as, uuid)).to.have.length(1)
  })

  it('only warn where they are warnings', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\n', [{ unique: true, severity: 'warning' }])
    const { status, body } = await reload(as, uuid, 'Code;N\na;1\na;2\na;3\n')
    expect(status).to.equal(200)
    const warning = body.report.warnings.find(
      ({ code }: { code: string }) => code === 'rule-broken',
    )
    expect(warning).to.include({ rule: 'unique', count: 2, column: 'Code' })
  })

  it('are asked again where an upsert is taken out', async () => {
    const as = await admin()
    const { uuid } = await sourceWith(as, 'Code;N\na;1\na;2\n', [])
    await reload(as, uuid, 'Code;N\nb;2\n', { mode: 'upsert', key: 'N' })
    const { body: shape } = await as.get(`/sources/${uuid}/shape`)
    const columns = shape.columns.map((column: object, at: number) =>
      at === 0 ? { ...column, rules: [{ unique: true }] } : column,
    )
    await as.patch(`/sources/${uuid}/shape`, { columns })
    const { body: loads } = await as.get(`/sources/${uuid}/loads`)
    const { status, body } = await as.delete(`/sources/${uuid}/loads/${loads.items[0].uuid}`)
    expect([status, body.code]).to.deep.equal([409, 'RuleBrokenException'])
    expect((await dataOf(as, uuid)).map(({ Code }: { Code: string }) => Code)).to.include('b')
  })

  describe('are asked by a check', () => {
    const check = (as: TestClient, path: string, text: string, fields: object = {}) =>
      as.request('POST', path, { content: sourceForm({ ...fields }, text) })
    const seen = ({ errors }: { errors: readonly Record<string, unknown>[] }) =>
      errors.map(({ row, line, column, value, rule }) => [row, line, column, value, rule].join(' '))

    it('with the row and line of each, beside what else is wrong, and nothing is left', async () => {
      const user = await app.build.user()
      const as = app.client.as(user)
      const columns = [
        { name: 'Code', type: 'text', rules: [{ unique: true }] },
        { name: 'N', type: 'number', rules: [{ unique: true, severity: 'warning', name: 'seul' }] },
      ]
      const rules = [{ unique: ['Code', 'N'], name: 'paire' }]
      const { uuid: shapeUuid } = await created(as.post('/shapes', { name: 'X', columns, rules }))
      const before = await footprint(app, user.enterprise!.id)
      const text = 'Code;N\na;1\n\nb;x\n"a\na";2\na;1\ntrop;3;4\na;5\n'
      const { status, body } = await check(as, '/sources/check', text, { shapeUuid })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(seen(body)).to.deep.equal([
        '3 4 N x type',
        '5 7 Code a unique',
        '5 7 Code a, 1 paire',
        '6 8   structure',
        '7 9 Code a unique',
      ])
      expect(body).to.include({ valid: false, totalErrors: 5 })
      expect(body.byRule[0]).to.deep.equal({ rule: 'unique', count: 2 })
      const codes = body.warnings.map(({ code }: { code: string }) => code)
      expect(codes).to.deep.equal(['rule-broken'])
      expect(body.warnings[0]).to.include({ code: 'rule-broken', rule: 'seul', count: 1 })
      expect(await footprint(app, user.enterprise!.id)).to.deep.equal(before)
    })

    it('together with the rows that would be there', async () => {
      const as = await admin()
      const { uuid } = await sourceWith(as, 'Code;N\na;1\nb;2\n', [{ unique: true }])
      const path = `/sources/${uuid}/check`
      const text = 'Code;N\nc;3\nb;4\n'
      expect((await check(as, path, text)).body).to.include({ valid: true })
      const appended = await check(as, path, text, { mode: 'append' })
      expect(seen(appended.body)).to.deep.equal(['2 3 Code b unique'])
      const upserted = await check(as, path, `${text}c;5\n`, { mode: 'upsert', key: 'Code' })
      expect(upserted.body).to.include({ valid: true })
      const byNumber = await check(as, path, text, { mode: 'upsert', key: 'N' })
      expect(seen(byNumber.body)).to.deep.equal(['2 3 Code b unique'])
      // Rows that are there already and break it are told of, and are in no line of the file.
      expect(await dataOf(as, uuid)).to.have.length(2)
    })

    it('which agrees with what a load says', async () => {
      const as = await admin()
      const towns = await created(createFromFile(as, 'Insee\n75056\n2A004\n'))
      const rule = { in: { sourceUuid: towns.uuid, column: 'Insee' } }
      const { uuid } = await sourceWith(as, 'Code;N\n75056;1\n2A004;2\n', [rule])
      const text = 'Code;N\n75056;1\n69123;2\n;3\n'
      const { body } = await check(as, `/sources/${uuid}/check`, text)
      const refused = await reload(as, uuid, text)
      expect(seen(body)).to.deep.equal(['2 3 Code 69123 in'])
      expect(refused.body.totalErrors).to.equal(body.totalErrors)
      // A type that turns out too narrow has the rows copied anew.
      const many = Array.from({ length: 12_000 }, (_, at) => `75056;${at}`).join('\n')
      const again = await check(as, `/sources/${uuid}/check`, `Code;N\n${many}\nx;y\n`)
      expect(seen(again.body)).to.deep.equal(['12001 12002 Code x in'])
    })
  })

  it('let a table look into what it would itself become', async () => {
    const as = await admin()
    const source = await created(createFromFile(as, 'Code;Parent\na;\nb;a\n'))
    const { body } = await as.get(`/sources/${source.uuid}/shape`)
    const columns = body.columns.map((column: { name: string }) =>
      column.name === 'Parent'
        ? { ...column, rules: [{ in: { sourceUuid: source.uuid, column: 'Code' } }] }
        : column,
    )
    await as.patch(`/sources/${source.uuid}/shape`, { columns })
    const path = `/sources/${source.uuid}`
    const checked = await as.request('POST', `${path}/check`, {
      content: sourceForm({}, 'Code;Parent\nx;\ny;x\n'),
    })
    expect(checked.body, JSON.stringify(checked.body)).to.include({ valid: true })
    expect((await reload(as, source.uuid, 'Code;Parent\nx;\ny;x\n')).status).to.equal(200)
    expect((await reload(as, source.uuid, 'Code;Parent\nx;\ny;a\n')).status).to.equal(400)
    const appended = await reload(as, source.uuid, 'Code;Parent\nz;x\n', { mode: 'append' })
    await reload(as, source.uuid, 'Code;Parent\nt;z\n', { mode: 'append' })
    const { body: loads } = await as.get(`${path}/loads`)
    expect(appended.status).to.equal(200)
    const { status, body: told } = await as.delete(`${path}/loads/${loads.items[1].uuid}`)
    expect([status, told.code]).to.deep.equal([409, 'RuleBrokenException'])
  })

  describe('look values up in another source', () => {
    it('and refuse those that are not there', async () => {
      const as = await admin()
      const towns = await created(createFromFile(as, 'Insee;Nom\n75056;Paris\n2A004;Ajaccio\n'))
      const rule = { in: { sourceUuid: towns.uuid, column: 'Insee' } }
      const { uuid } = await sourceWith(as, 'Code;N\n75056;1\n2A004;2\n', [rule])
      const { status, body } = await reload(as, uuid, 'Code;N\n75056;1\n69123;2\n;3\n')
      expect(status).to.equal(400)
      expect(body.errors).to.have.length(1)
      expect(body.errors[0]).to.include({ value: '69123', column: 'Code', rule: 'in' })
      await reload(as, towns.uuid, 'Insee;Nom\n69123;Lyon\n2A004;Ajaccio\n')
      expect((await reload(as, uuid, 'Code;N\n69123;2\n2A004;1\n')).status).to.equal(200)
    })

    it('which then cannot be deleted', async () => {
      const as = await admin()
      const towns = await created(createFromFile(as, 'Insee\n75056\n2A004\n'))
      const rule = { in: { sourceUuid: towns.uuid, column: 'insee' } }
      const { uuid } = await sourceWith(as, 'Code;N\n75056;1\n2A004;2\n', [rule])
      const refused = await as.delete(`/sources/${towns.uuid}`)
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'SourceInUseException'])
      await as.delete(`/sources/${uuid}`)
      expect((await as.delete(`/sources/${towns.uuid}`)).status).to.equal(200)
    })

    it('which is then not deleted either while somebody makes such a rule', async () => {
      const user = await app.build.user()
      const as = app.client.as(user)
      const { id } = user.enterprise!
      const towns = await created(createFromFile(as, 'Insee\n75056\n'))
      const columns = [
        {
          name: 'Code',
          type: 'text',
          rules: [{ in: { sourceUuid: towns.uuid, column: 'Insee' } }],
        },
      ]
      // Nobody reads the table while the deletion waits for it.
      const reader = await holdLocks(
        app.database.pool,
        `lock table enterprise_${id}.${towns.tableName} in access share mode`,
      )
      const deleting = as.delete(`/sources/${towns.uuid}`)
      await until('the deletion is under way', async () => {
        const { rowCount } = await app.database.pool.query(
          'select from generated_tables where name = $1 and lease_token is not null',
          [towns.tableName],
        )
        return rowCount === 1
      })
      await reader.run(
        `insert into shapes (enterprise_id, name, columns)
         values (${id}, 'X', '${JSON.stringify(columns)}')`,
      )
      await reader.release()
      const { status, body } = await deleting
      expect([status, body.code]).to.deep.equal([409, 'SourceInUseException'])
    })

    it('which nobody can look into any more while it is deleted', async () => {
      const as = await admin()
      const towns = await created(createFromFile(as, 'Insee\n75056\n'))
      const rules = [{ in: { sourceUuid: towns.uuid, column: 'Insee' } }]
      const deletion = await holdLocks(
        app.database.pool,
        `delete from sources where uuid = '${towns.uuid}'`,
      )
      let isAnswered = false
      const making = as
        .post('/shapes', { name: 'X', columns: [{ name: 'Code', type: 'text', rules }] })
        .finally(() => (isAnswered = true))
      await Promise.race([making, deletion.isRowWaitedFor()])
      expect(isAnswered, 'it waits').to.equal(false)
      await deletion.release()
      const { status, body } = await making
      expect([status, body.code]).to.deep.equal([404, 'SourceNotFoundException'])
    })

    it('of the same enterprise alone, and of columns that it has', async () => {
      const as = await admin()
      const other = await admin()
      const foreign = await created(createFromFile(other, 'Insee\n75056\n'))
      const shape = (sourceUuid: string, column: string) =>
        as.post('/shapes', {
          name: 'X',
          columns: [{ name: 'Code', type: 'text', rules: [{ in: { sourceUuid, column } }] }],
        })
      expect((await shape(foreign.uuid, 'Insee')).status).to.equal(404)
      const own = await created(createFromFile(as, 'Insee\n75056\n'))
      const { status, body } = await shape(own.uuid, 'Rien')
      expect([status, body.errors[0].pointer]).to.deep.equal([400, '/columns/0/rules/0/in/column'])
    })
  })
})

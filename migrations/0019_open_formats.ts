import type { Knex } from 'knex'

/** The part of a stored report that says what was read. */
const INPUT = `report -> 'input'`

/**
 * A format states what a source of it is, so the database need not know which there are. And reports
 * say how rows were laid out in a member of its own, where code had read it out of what people see.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table loads add constraint loads_source_type_check
      check (source_type ~ '^[A-Z][A-Z0-9_]{0,31}$')
  `)
  await knex.raw(
    `
      update loads set report = jsonb_set(report, '{input}',
        (${INPUT}) - 'mended'
        || jsonb_build_object(
             'repaired', coalesce(${INPUT} -> 'mended', '{}'),
             'sourceType', case ${INPUT} ->> 'format'
                             when 'csv' then 'CSV'
                             when 'excel' then 'EXCEL'
                             when 'json' then 'JSON'
                             else 'API_FORM'
                           end,
             'layout', case ${INPUT} ->> 'format'
                         when 'csv' then jsonb_build_object(
                           'kind', 'fields',
                           'delimiter', ${INPUT} #> '{dialect,delimiter,value}',
                           'quote', ${INPUT} #> '{dialect,quote,value}',
                           'headerEnd', coalesce(${INPUT} #> '{dialect,header,row}', '1'))
                         when 'excel' then jsonb_build_object(
                           'kind', 'fields',
                           'delimiter', ',',
                           'quote', '"',
                           'headerEnd', coalesce(${INPUT} #> '{dialect,headerRow}', '1'))
                         else '{"kind": "records"}'
                       end)
        || case when ${INPUT} #> '{dialect,encoding,value}' is null then '{}'
                else jsonb_build_object('encoding', ${INPUT} #> '{dialect,encoding,value}')
           end)
      where jsonb_typeof(${INPUT}) = 'object' and (${INPUT} -> 'layout') is null
    `,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `
      update loads set report = jsonb_set(report, '{input}',
        (${INPUT}) - 'repaired' - 'sourceType' - 'layout' - 'encoding'
        || jsonb_build_object('mended', coalesce(${INPUT} -> 'repaired', '{}')))
      where jsonb_typeof(${INPUT}) = 'object'
    `,
  )
  await knex.raw('alter table loads drop constraint loads_source_type_check')
}

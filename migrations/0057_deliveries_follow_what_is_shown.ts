import type { Knex } from 'knex'

const STATES = ['refused', 'received', 'accepted', 'replaced', 'returned']

/**
 * A delivery whose rows a rollback has taken out is `undone`; one that the table could not take, whatever is in
 * it, is `blocked`. What slots hold is what the table shows: those that a rollback has left behind are put right.
 */
export async function up(knex: Knex): Promise<void> {
  await limitStates(knex, [...STATES, 'undone', 'blocked'])
  await knex.raw(`
    update collection_deliveries d
    set state = case l.state when 'current' then 'replaced' else 'undone' end
    from loads l
    where l.id = d.load_id and d.state = 'accepted' and not (l.state = 'current' and not exists (
      select from loads later
      where later.table_id = l.table_id and later.slot = l.slot and later.state = 'current'
        and later.publication > l.publication))
  `)
  await knex.raw(`
    update collection_deliveries d set state = 'accepted'
    from loads l
    where l.id = d.load_id and d.state in ('replaced', 'undone') and l.state = 'current' and not exists (
      select from loads later
      where later.table_id = l.table_id and later.slot = l.slot and later.state = 'current'
        and later.publication > l.publication)
  `)
  await knex.raw(`
    update collection_slots sl set state = coalesce(
      (select d.state from collection_deliveries d
       where d.slot_id = sl.id and d.state in ('received', 'accepted') order by d.state desc limit 1),
      case sl.state when 'refused' then 'refused' else 'awaited' end)
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from collection_deliveries where state = 'blocked'`)
  await knex.raw(`update collection_deliveries set state = 'replaced' where state = 'undone'`)
  await limitStates(knex, STATES)
}

async function limitStates(knex: Knex, states: readonly string[]): Promise<void> {
  const list = states.map((state) => `'${state}'`).join(', ')
  await knex.raw(
    'alter table collection_deliveries drop constraint collection_deliveries_state_check',
  )
  await knex.raw(`
    alter table collection_deliveries
      add constraint collection_deliveries_state_check check (state in (${list}))
  `)
}

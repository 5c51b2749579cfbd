import type { TestResponse } from '../../support/client.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Collected, Held, Place, Sending, ShownSlot } from './collected.ts'

/** Something that is done to slots. */
export interface SlotDeed {
  readonly name: string
  /** What a slot holds once it is done: one of these. */
  after(slot: string): readonly Held[]
  /** And on its way there, where that takes two transactions. */
  readonly between?: Held
  run(): Promise<TestResponse>
}

const MOST_ROWS = 3_000

/** One that makes sense where the slot holds this. */
export function pickDeed(
  collected: Collected,
  place: Place,
  held: ShownSlot,
  random: SeededRandom,
): SlotDeed {
  const send = () => sendInto(collected, place, held, nextFile(random, MOST_ROWS))
  const path = `/collections/${place.collection}/slots/${place.uuid}`
  const { as, sourceUuid } = collected
  const approve = (): SlotDeed => ({
    name: 'approve',
    after: () => [{ accepted: held.waiting, waiting: null }],
    run: () => as().post(`${path}/approve`),
  })
  const giveBack = (): SlotDeed => ({
    name: 'return',
    after: () => [{ accepted: null, waiting: null }],
    ...(held.waiting !== null && { between: { accepted: held.accepted, waiting: null } }),
    run: () => as().post(`${path}/return`, { message: 'Again, please' }),
  })
  const takeOut = (): SlotDeed => ({
    name: 'take out',
    after: () => [{ accepted: null, waiting: held.waiting }],
    run: () => as().delete(`/sources/${sourceUuid}/loads/${held.loadUuid!}`),
  })
  const choices = [send, send]
  if (held.waiting !== null) choices.push(approve, approve, giveBack)
  if (held.accepted !== null) choices.push(giveBack, takeOut)
  return random.pick(choices)()
}

/** A first file, or one in the place of another. */
export const sendInto = (
  collected: Collected,
  place: Place,
  { accepted }: Held,
  sending: Sending,
): SlotDeed => ({
  name: accepted === null ? 'deliver' : 'replace',
  after: () => [
    place.approval ? { accepted, waiting: sending.tag } : { accepted: sending.tag, waiting: null },
  ],
  run: () => collected.deliver(place, sending),
})

/** The whole table shows what it did before its last publication: of each slot a file that it once held. */
export const rollBack = (
  { as, sourceUuid }: Collected,
  held: ReadonlyMap<string, Held>,
  once: ReadonlyMap<string, ReadonlySet<string>>,
): SlotDeed => ({
  name: 'roll back',
  after: (slot) => {
    const { waiting } = held.get(slot)!
    return [null, ...(once.get(slot) ?? [])].map((accepted) => ({ accepted, waiting }))
  },
  run: () => as().post(`/sources/${sourceUuid}/rollback`),
})

let files = 0

export const nextFile = (random: SeededRandom, mostRows: number): Sending => ({
  tag: `file-${++files}`,
  rows: random.integer(1, mostRows),
})

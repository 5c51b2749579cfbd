import { databaseOfRole } from '../inside/database-of-role.ts'
import { INTRUSIONS } from '../inside/index.ts'
import type { Section } from '../section.ts'
import { openWorld } from '../world.ts'

export const inside: Section = {
  name: 'inside',
  about:
    'what ordinary accounts did from inside the database, by files, and with rights they had lost',
  async run(trials) {
    // The world closes it.
    const service = await databaseOfRole()
    await using world = await openWorld(trials, { database: service })
    for (const intrusion of INTRUSIONS.filter(({ name }) => name.includes(trials.only))) {
      if (trials.signal.aborted) return
      await trials.attempt(intrusion.name, () => intrusion.attempt({ trials, world, service }))
    }
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

import type { Section } from '../section.ts'
import { authorisation } from './authorisation.ts'
import { databaseFaults } from './database-faults.ts'
import { formsFaults } from './forms-faults.ts'
import { hostileRequests } from './hostile-requests.ts'
import { processKills } from './process-kills.ts'
import { secrets } from './secrets.ts'
import { uploads } from './uploads.ts'

/** Every part of the list, in the order in which it runs. */
export const SECTIONS: readonly Section[] = [
  authorisation,
  hostileRequests,
  secrets,
  formsFaults,
  uploads,
  processKills,
  databaseFaults,
]

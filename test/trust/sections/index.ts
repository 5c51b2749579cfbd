import type { Section } from '../section.ts'
import { addresses } from './addresses.ts'
import { atOnce } from './at-once.ts'
import { authorisation } from './authorisation.ts'
import { clocks } from './clocks.ts'
import { cluster } from './cluster.ts'
import { databaseFaults } from './database-faults.ts'
import { databaseStops } from './database-stops.ts'
import { deliveries } from './deliveries.ts'
import { formsFaults } from './forms-faults.ts'
import { fullDisks } from './full-disks.ts'
import { hostileRequests } from './hostile-requests.ts'
import { input } from './input.ts'
import { inside } from './inside.ts'
import { links } from './links.ts'
import { load } from './load.ts'
import { manyProcesses } from './many-processes.ts'
import { others } from './others.ts'
import { outside } from './outside.ts'
import { processKills } from './process-kills.ts'
import { rootDeletions } from './root-deletions.ts'
import { secrets } from './secrets.ts'
import { senders } from './senders.ts'
import { uploads } from './uploads.ts'

/** What is sent to the service by whoever means it no good. */
export const ATTACKS: readonly Section[] = [
  authorisation,
  hostileRequests,
  secrets,
  addresses,
  links,
  inside,
  formsFaults,
  input,
]

/** What breaks under it, or is done to it at once. */
export const FAULTS: readonly Section[] = [
  uploads,
  atOnce,
  senders,
  clocks,
  rootDeletions,
  processKills,
  deliveries,
  databaseFaults,
  databaseStops,
  manyProcesses,
  outside,
  others,
]

/** These want a disk or a cluster of their own, and a machine of their own for their figures. */
const ELSEWHERE: readonly Section[] = [cluster, fullDisks, load]

/** Every part of the list, in the order in which it runs. */
export const SECTIONS: readonly Section[] = [...ATTACKS, ...FAULTS, ...ELSEWHERE]

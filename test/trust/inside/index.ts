import { castingReference } from './casting-reference.ts'
import { connectionsOfSqlUsers } from './connections-of-sql-users.ts'
import { FILES_THAT_EXPAND } from './files-that-expand.ts'
import { crowdedSignIns, guessesFromEverywhere } from './crowded-sign-ins.ts'
import { demoPeopleAmongOthers } from './demo-people-among-others.ts'
import type { Intrusion } from './intrusion.ts'
import { linksOfTheDisabled } from './links-of-the-disabled.ts'
import { passwordsFromOneNetwork } from './passwords-from-one-network.ts'
import { policyOnReference } from './policy-on-reference.ts'
import { REFERENCES_OF_AN_UPSERT } from './references-of-an-upsert.ts'
import { schemaLikeTheRole } from './schema-like-the-role.ts'
import { sessionCalledHousekeeping } from './session-called-housekeeping.ts'
import { THINGS_OF_A_CAST } from './things-of-a-cast.ts'
import { workAfterRightsWereLost } from './work-after-rights-were-lost.ts'

/** Each is a file of its own, and fails on a service that lets it happen. */
export const INTRUSIONS: readonly Intrusion[] = [
  castingReference,
  connectionsOfSqlUsers,
  policyOnReference,
  schemaLikeTheRole,
  sessionCalledHousekeeping,
  workAfterRightsWereLost,
  demoPeopleAmongOthers,
  crowdedSignIns,
  guessesFromEverywhere,
  passwordsFromOneNetwork,
  linksOfTheDisabled,
  ...REFERENCES_OF_AN_UPSERT,
  ...THINGS_OF_A_CAST,
  ...FILES_THAT_EXPAND,
]

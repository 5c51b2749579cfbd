import type { Intrusion } from './intrusion.ts'
import { schemaLikeTheRole } from './schema-like-the-role.ts'

/** Each is a file of its own, and fails on a service that lets it happen. */
export const INTRUSIONS: readonly Intrusion[] = [schemaLikeTheRole]

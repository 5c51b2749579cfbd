import { createConnectionRecords, type RecordsParts } from './connection-records.ts'
import { createRemoteResources, type RemoteParts } from './remote-resources.ts'

/**
 * Connections to remote applications: their records, and the resources behind them. A connection
 * that the actor may not see is an ApiConnectionNotFoundException, as if it did not exist.
 */
export function createConnections(parts: RecordsParts & RemoteParts) {
  return { ...createConnectionRecords(parts), ...createRemoteResources(parts) }
}

export type Connections = ReturnType<typeof createConnections>

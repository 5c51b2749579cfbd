import { createConnectionRecords } from './connection-records.ts'
import type { Connections, ConnectionsParts } from './connections.ts'
import { createRemoteResources } from './remote-resources.ts'

export function createConnections(parts: ConnectionsParts): Connections {
  return { ...createConnectionRecords(parts), ...createRemoteResources(parts) }
}

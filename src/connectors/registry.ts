import type { Connector, ConnectorResource, ResourceType } from './connector.ts'
import { ConnectorError } from './errors.ts'
import { connectorMessages } from './connector-messages.ts'

/** Finds the connector for a resource by the type of the connection. */
export class ConnectorRegistry {
  readonly #byType: ReadonlyMap<string, Connector>

  constructor(connectors: readonly Connector[]) {
    const byType = new Map<string, Connector>()
    for (const connector of connectors) {
      if (byType.has(connector.type)) {
        throw new Error(`Two connectors for the connection type ${connector.type}`)
      }
      byType.set(connector.type, connector)
    }
    this.#byType = byType
  }

  get types(): readonly string[] {
    return [...this.#byType.keys()]
  }

  resource(connectionType: string, resource: ResourceType): ConnectorResource {
    const found = this.#byType.get(connectionType)?.resources[resource]
    if (!found) {
      throw new ConnectorError(
        { kind: 'not-supported', connectionType, resource },
        resource === 'form'
          ? connectorMessages.formNotSupported({ type: connectionType })
          : connectorMessages.cardNotSupported({ type: connectionType }),
      )
    }
    return found
  }
}

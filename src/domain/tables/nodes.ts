/** What a process knows of the nodes of its cluster. */
export interface Nodes {
  /** Throws where the rows of the table lie over the nodes, and one of them is away. */
  requireFor(tableId: number): Promise<void>
}

/** Of a database without nodes, and of commands: a person who waits can end them. */
export const NO_NODES: Nodes = { requireFor: async () => undefined }

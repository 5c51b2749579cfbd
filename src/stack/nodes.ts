/** What a process knows about the nodes of its cluster. */
export interface Nodes {
  /** Throws if the rows of the table are spread over the nodes and one of them is away. */
  requireFor(tableId: number): Promise<void>
}

/** For a database without nodes, and for commands, whose user can interrupt them. */
export const NO_NODES: Nodes = { requireFor: async () => undefined }

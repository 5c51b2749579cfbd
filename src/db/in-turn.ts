import type { QueryResult, QueryResultRow } from 'pg'

export interface Queries {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>
}

/** Shares one connection between several flows of work, whose queries wait for each other. */
export function inTurn(client: Queries): Queries {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query<R extends QueryResultRow>(text: string, values: unknown[] = []) {
      const next = last.then(() => client.query<R>(text, values))
      last = next.catch(() => undefined)
      return next
    },
  }
}

import { serveBare } from '../../../benchmarks/support/serve-bare.ts'
import { findActor } from '../../../src/domain/auth/find-actor.ts'
import { listDocuments } from '../../../src/domain/documents/list-documents.ts'

const { signal } = new AbortController()

// The list of somebody's documents, who asks among it.
serveBare((pool, user) => async ({ query }) => {
  const actor = await findActor(pool, user)
  const { search } = query as { search?: string }
  const found = search === undefined ? {} : { search }
  return listDocuments(pool, actor!, { page: 1, limit: 6, ...found }, signal)
})

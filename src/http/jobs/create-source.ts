import type { FileOrigin } from '../../domain/loads/content.ts'
import type { NewSource } from '../../domain/sources/sources.ts'
import { presentSource } from '../presenters/present-source.ts'
import type { HttpServices } from '../services.ts'
import { defineJob } from './define-job.ts'

export const createSourceJob = defineJob<NewSource>({
  kind: 'source.create',
  run: async (given, actor, context, { sources }) =>
    presentSource(await sources.create(actor, given, context)),
  forget: ({ origin }, { sources }) => sources.forget(origin),
})

/** An upload lives in its request; a job needs it stored. */
export async function storeNewSource(given: NewSource, services: HttpServices): Promise<NewSource> {
  const { origin } = given
  if (origin.kind !== 'upload') return given
  return { ...given, origin: await storeUpload(origin, services) }
}

export async function storeUpload(
  origin: FileOrigin,
  { sources }: HttpServices,
): Promise<FileOrigin> {
  if (origin.kind === 'stored') return origin
  return { kind: 'stored', file: await sources.store(origin.incoming) }
}

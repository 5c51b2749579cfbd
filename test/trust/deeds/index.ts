import type { Undertaking } from './deed.ts'
import { sendDelivery } from './deliveries.ts'
import { uploadDocument } from './documents.ts'
import {
  appendByKey,
  publishStaged,
  rollBackSource,
  takeOutLoad,
  upsertIntoSource,
} from './loads.ts'
import { createSource, createSourceLater, deleteSource, reloadSource } from './sources.ts'
import { launchWorkflow } from './workflows.ts'

export type { Deed, Undertaking } from './deed.ts'
export { MIND_MADE_UP_MS } from './deed.ts'

/** Everything long, or in several steps, that faults are brought upon. */
export const UNDERTAKINGS: readonly Undertaking[] = [
  createSource,
  createSourceLater,
  reloadSource,
  upsertIntoSource,
  appendByKey,
  rollBackSource,
  publishStaged,
  takeOutLoad,
  sendDelivery,
  deleteSource,
  uploadDocument,
  launchWorkflow,
]

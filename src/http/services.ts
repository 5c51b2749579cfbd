import type { Catalogue } from '../../pipelines/index.ts'
import type { Audit } from '../domain/audit/audit.ts'
import type { Auth } from '../domain/auth/auth.ts'
import type { PersonalTokens } from '../domain/auth/personal-tokens.ts'
import type { Collections } from '../domain/collections/create-collections.ts'
import type { DeliveryUploads } from '../domain/collections/delivery-uploads.ts'
import type { Deliveries } from '../domain/collections/create-deliveries.ts'
import type { Receipts } from '../domain/collections/receipts.ts'
import type { Connections } from '../domain/connections/create-connections.ts'
import type { Documents } from '../domain/documents/create-documents.ts'
import type { RootDeletion } from '../domain/folders/delete-root.ts'
import type { Folders } from '../domain/folders/create-folders.ts'
import type { IdempotencyStore } from '../domain/idempotency.ts'
import type { LongWork } from '../domain/long-work.ts'
import type { People } from '../domain/people/people.ts'
import type { Workflows } from '../domain/workflows/create-workflows.ts'
import type { Schedules } from '../domain/schedules/schedules.ts'
import type { Shapes } from '../domain/shapes/create-shapes.ts'
import type { Sources } from '../domain/sources/create-sources.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Health } from '../observability/health.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Traces } from '../observability/traces.ts'
import type { LinkServer } from './links.ts'
import type { HeldPlaces } from './places.ts'

/** What the routes may use. `createServices` builds it; it contains no adapters. */
export interface HttpServices {
  readonly audit: Audit
  readonly auth: Auth
  /** Every text that can be shown to people. */
  readonly catalogue: Catalogue
  readonly personalTokens: PersonalTokens
  readonly people: People
  readonly connections: Connections
  readonly documents: Documents
  readonly folders: Folders
  readonly rootDeletion: RootDeletion
  readonly health: Health
  readonly schema: {
    /** Aborted when a later version has migrated the database: this process must not go on. */
    readonly outdated: AbortSignal
    isOutdated(): Promise<boolean>
  }
  /** Aborted when this process is told to stop, before it does. */
  readonly leaving: AbortSignal
  readonly metrics: Metrics
  /** Null: nobody collects them. */
  readonly traces: Traces | null
  /** Shared by all callers of this process. */
  readonly places: HeldPlaces
  readonly idempotency: IdempotencyStore
  readonly jobs: Jobs<LongWork>
  readonly sources: Sources
  readonly schedules: Schedules
  readonly shapes: Shapes
  readonly collections: Collections
  readonly deliveries: Deliveries
  readonly deliveryUploads: DeliveryUploads
  readonly receipts: Receipts
  /** Null if the object storage serves its links itself. */
  readonly links: LinkServer | null
  readonly workflows: Workflows
  /** Where browsers send the parts of large files; null: to this service. */
  readonly uploadOrigin: () => Promise<string | null>
}

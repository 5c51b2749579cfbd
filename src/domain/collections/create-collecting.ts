import type { SecretBoxProvider } from '../../security/secret-box.ts'
import { type CollectionsParts, createCollections } from './create-collections.ts'
import { createDeliveries, type DeliveriesParts } from './create-deliveries.ts'
import { createDeliveryUploads, type DeliveryUploadsParts } from './delivery-uploads.ts'
import { createReceipts } from './receipts.ts'
import { createTurnsOfTables } from './turns-of-tables.ts'

interface CollectingParts extends Omit<
  CollectionsParts & DeliveriesParts & DeliveryUploadsParts,
  'turns' | 'receipts' | 'deliveryUploads'
> {
  readonly secretBox: SecretBoxProvider
}

/** For those who collect, and for those who send: they take turns at the same tables. */
export function createCollecting(parts: CollectingParts) {
  const turns = createTurnsOfTables(parts.leases)
  const receipts = createReceipts(parts)
  const deliveryUploads = createDeliveryUploads(parts)
  return {
    receipts,
    collections: createCollections({ ...parts, turns, receipts }),
    deliveryUploads,
    deliveries: createDeliveries({ ...parts, turns, receipts, deliveryUploads }),
  }
}

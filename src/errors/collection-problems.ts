import { defineProblem } from './problem.ts'

// Collections.
export const CollectionNotFoundException = defineProblem(
  'CollectionNotFoundException',
  404,
  { en: 'Collection not found', fr: 'Collecte introuvable' },
  'Check the uuid in GET /collections.',
)
export const SenderNotFoundException = defineProblem(
  'SenderNotFoundException',
  404,
  { en: 'Sender not found', fr: 'Expéditeur introuvable' },
  'Check the uuid in GET /collections/:uuid/slots, where each slot names its sender.',
)
export const SlotNotFoundException = defineProblem(
  'SlotNotFoundException',
  404,
  { en: 'Slot not found', fr: 'Case introuvable' },
  'Check the uuid in GET /collections/:uuid/slots.',
)

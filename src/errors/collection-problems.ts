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
export const ReminderConflictException = defineProblem(
  'ReminderConflictException',
  409,
  {
    en: 'The sender cannot be reminded now',
    fr: 'L’expéditeur ne peut pas être relancé maintenant',
  },
  'A sender is reminded while something is awaited of them, and once a day at most.',
)
export const SlotNotFoundException = defineProblem(
  'SlotNotFoundException',
  404,
  { en: 'Slot not found', fr: 'Case introuvable' },
  'Check the uuid in GET /collections/:uuid/slots.',
)

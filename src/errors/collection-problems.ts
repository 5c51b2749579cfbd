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
export const LinkNotValidException = defineProblem(
  'LinkNotValidException',
  401,
  { en: 'The link is not valid, or no longer', fr: 'Le lien n’est pas valable, ou ne l’est plus' },
  'Ask whoever collects the files for a new link; its secret goes in X-Delivery-Token.',
)
export const CollectionClosedException = defineProblem(
  'CollectionClosedException',
  409,
  { en: 'The deadline has passed', fr: 'La date limite est passée' },
  'Ask whoever collects the files whether the deadline can be moved.',
)
export const SlotConflictException = defineProblem(
  'SlotConflictException',
  409,
  {
    en: 'The slot is in another state',
    fr: 'La case est dans un autre état',
  },
  'Look at its `state`: what waits can be approved, and what came can be returned.',
)
export const DeliveryNotUnderstoodException = defineProblem(
  'DeliveryNotUnderstoodException',
  400,
  {
    en: 'Some headers of the file are not understood',
    fr: 'Certains en-têtes du fichier ne sont pas compris',
  },
  'Answer each of `questions` with `mapping`: a header, and its column, or null to leave it out.',
)
export const WrongDeliveryException = defineProblem(
  'WrongDeliveryException',
  400,
  {
    en: 'The file has none of the columns that are asked for',
    fr: 'Le fichier n’a aucune des colonnes demandées',
  },
  'Check that it is the right file; GET /deliveries/template gives one to fill in.',
)
export const DeliveryBlockedException = defineProblem(
  'DeliveryBlockedException',
  409,
  {
    en: 'The table cannot take the file now, though nothing is wrong with it',
    fr: 'La table ne peut pas prendre le fichier maintenant, bien qu’il soit correct',
  },
  'Tell whoever collects the files: their board says what stands in the way, `blocked`. Then send the file again.',
)
export const AskedChangedException = defineProblem(
  'AskedChangedException',
  409,
  {
    en: 'What is asked for has changed since you looked',
    fr: 'Ce qui est demandé a changé depuis que vous l’avez vu',
  },
  'Compare the file with GET /deliveries, and send it again; `errors` names the columns that have changed.',
)

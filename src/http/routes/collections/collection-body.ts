import { Type } from 'typebox'

import { MOST_SENDERS } from '../../../domain/collections/senders.ts'
import { REMIND_PATTERN, senderFields } from '../../../resources/collection.ts'
import { exampleCollection, exampleSlot } from '../../presenters/present-collection.ts'
import { exampleSource } from '../../presenters/present-source.ts'
import { named, nullable, strictObject, trimmedName, uuid } from '../../schemas.ts'

const MOST_PERIODS = 1000

const givenName = trimmedName('1 to 255 characters after trimming', exampleCollection.name)

const sender = named(
  'NewCollectionSender',
  strictObject({
    key: trimmedName(
      'Stands in the rows; 1 to 255 characters, told apart without case and accents',
    ),
    name: trimmedName('1 to 255 characters after trimming'),
    email: Type.String({ format: 'email', description: 'Letters are made small' }),
    language: Type.Optional({
      ...senderFields.language,
      description: 'Of what is written to them; default: that of the service',
    }),
  }),
)

const senders = Type.Array(sender, { minItems: 1, maxItems: MOST_SENDERS })

const periods = Type.Array(trimmedName('A period, as people call it', '2026-10'), {
  maxItems: MOST_PERIODS,
  description: 'For each of them every sender has a slot',
})

const instant = Type.String({ format: 'date-time', examples: [exampleCollection.deadline!] })
const message = Type.String({
  maxLength: 5000,
  format: 'without-nul',
  description: 'Is shown to the senders and stands in their mails',
})

export const seenLoad = Type.Optional(
  uuid(
    'What was looked at; where another file has come since, the answer is 409',
    exampleSlot.loadUuid!,
  ),
)

const policies = {
  closeAtDeadline: Type.Optional(
    Type.Boolean({ description: 'True: nothing is taken after the deadline; default false' }),
  ),
  remind: Type.Optional(
    Type.Array(Type.String({ pattern: REMIND_PATTERN }), {
      maxItems: 10,
      description: 'How long before the deadline senders are reminded: `7d` is seven days',
    }),
  ),
  approval: Type.Optional(
    Type.Boolean({ description: 'True: a file waits until it is approved; default false' }),
  ),
}

const givenSender = {
  key: exampleSlot.sender.key,
  name: exampleSlot.sender.name,
  email: exampleSlot.sender.email,
}

export const newCollection = named(
  'NewCollection',
  strictObject({
    name: givenName,
    sourceUuid: uuid('Whose table the files go to', exampleSource.uuid),
    senders,
    periods: Type.Optional(periods),
    deadline: Type.Optional(instant),
    ...policies,
    labels: Type.Optional(
      strictObject(
        {
          sender: Type.Optional(trimmedName('The column with the key of the sender', 'Boutique')),
          period: Type.Optional(trimmedName('The column with the period', 'Mois')),
        },
        {
          description:
            'Text columns that say of each row who sent it, and for when; one that the table lacks ' +
            'is added. What a file says in them is not read',
        },
      ),
    ),
    message: Type.Optional(message),
  }),
  {
    shops: {
      name: exampleCollection.name,
      sourceUuid: exampleSource.uuid,
      senders: [givenSender],
      periods: [...exampleCollection.periods],
      deadline: exampleCollection.deadline!,
      remind: [...exampleCollection.remind],
      labels: { sender: 'Boutique', period: 'Mois' },
    },
    once: { name: 'Budget', sourceUuid: exampleSource.uuid, senders: [givenSender] },
  },
)

export const collectionChange = named(
  'CollectionChange',
  strictObject(
    {
      name: Type.Optional(givenName),
      deadline: Type.Optional(nullable(instant)),
      ...policies,
      message: Type.Optional(nullable(message)),
    },
    { minProperties: 1 },
  ),
  { later: { deadline: '2026-12-12T22:59:59.000Z' } },
)

export const newSenders = named('NewSenders', strictObject({ senders }), {
  one: { senders: [givenSender] },
})

export const newPeriods = named(
  'NewPeriods',
  strictObject({ periods: { ...periods, minItems: 1 } }),
  { month: { periods: ['2026-12'] } },
)

import { type Static, Type } from 'typebox'

import { delivery, slot } from '../../resources/collection.ts'
import { shapeColumnFields } from '../../resources/shape.ts'
import { named, nullable, spoken, strictObject, timestamp, uuid } from '../schemas.ts'
import { exampleCollection, exampleSlot } from './present-collection.ts'
import { exampleUploadUuid } from './present-document.ts'
import { presenter } from './presenter.ts'

const { uuid: _uuid, loadUuid: _load, reason: _reason, ...ofReceipt } = delivery.shown

const shownReceipt = strictObject({ slot: uuid(), ...ofReceipt })

const [exampleDelivery] = exampleSlot.deliveries
const exampleReceipt: Static<typeof shownReceipt> = {
  slot: exampleSlot.uuid,
  state: 'accepted',
  filename: exampleDelivery!.filename,
  sizeBytes: exampleDelivery!.sizeBytes,
  sha256: exampleDelivery!.sha256,
  rows: exampleDelivery!.rows,
  rejected: exampleDelivery!.rejected,
  isLate: false,
  shapeVersion: exampleDelivery!.shapeVersion,
  receipt: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjdjMWYwYzUyIn0.eyJzbG90IjoiOTBkMmM2YTgifQ.c2lnbmF0dXJl',
  receivedAt: exampleDelivery!.receivedAt,
}

export const receiptSchema = named('DeliveryReceipt', shownReceipt, {
  accepted: exampleReceipt,
  waiting: { ...exampleReceipt, state: 'received', receipt: null },
})

export const presentReceipt = presenter(receiptSchema.properties)

const shownColumn = strictObject({
  ...shapeColumnFields,
  required: Type.Boolean({ description: 'No cell may be blank' }),
  rules: Type.Array(spoken(), { description: 'What is asked of its values, in words' }),
})

const { uuid: slotUuid, period, state, isLate, rows, receivedAt } = slot.shown

const shownDeliveries = strictObject({
  collection: Type.String(),
  sender: strictObject({ key: Type.String(), name: Type.String() }),
  message: nullable(Type.String()),
  deadline: nullable(timestamp()),
  closeAtDeadline: Type.Boolean({ description: 'True: nothing is taken after the deadline' }),
  approval: Type.Boolean({ description: 'True: a file waits until somebody has approved it' }),
  columns: Type.Array(shownColumn),
  shapeVersion: Type.Integer({ description: 'Of what is asked for' }),
  slots: Type.Array(
    strictObject({
      uuid: slotUuid,
      period,
      state,
      isLate,
      rows,
      receivedAt,
      filename: nullable(Type.String({ description: 'Of the file that the slot holds' })),
      receipt: nullable(Type.String({ description: 'A compact JWS' })),
      reason: nullable(spoken('Why the last file was refused or returned')),
    }),
  ),
})

export const deliveriesSchema = named('Deliveries', shownDeliveries, {
  asked: {
    collection: exampleCollection.name,
    sender: { key: exampleSlot.sender.key, name: exampleSlot.sender.name },
    message: exampleCollection.message,
    deadline: exampleCollection.deadline,
    closeAtDeadline: false,
    approval: false,
    columns: [
      { name: 'Client', type: 'text', required: true, rules: ['Required'] },
      {
        name: 'Date de vente',
        type: 'date',
        dateFormat: 'DD/MM/YYYY',
        required: false,
        rules: [],
      },
    ],
    shapeVersion: 3,
    slots: [
      {
        uuid: exampleSlot.uuid,
        period: exampleSlot.period,
        state: 'accepted',
        isLate: false,
        rows: exampleSlot.rows,
        receivedAt: exampleSlot.receivedAt,
        filename: exampleDelivery!.filename,
        receipt: exampleReceipt.receipt,
        reason: null,
      },
    ],
  },
})

export const presentDeliveries = presenter(shownDeliveries.properties)

export const deliveryPath = strictObject({ slot: uuid(undefined, exampleSlot.uuid) })

export const deliveryUploadPath = strictObject({
  ...deliveryPath.properties,
  upload: uuid(undefined, exampleUploadUuid),
})

const { filename, sizeBytes, sha256 } = delivery.shown
const completedUpload = strictObject({ uuid: uuid(), filename, sizeBytes, sha256 })

export const completedUploadSchema = named('CompletedDeliveryUpload', completedUpload, {
  completed: {
    uuid: exampleUploadUuid,
    filename: exampleReceipt.filename,
    sizeBytes: exampleReceipt.sizeBytes,
    sha256: exampleReceipt.sha256,
  },
})

export const presentCompletedUpload = presenter(completedUpload.properties)

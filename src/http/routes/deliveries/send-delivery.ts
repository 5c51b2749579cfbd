import {
  AskedChangedException,
  CollectionClosedException,
  DeliveryBlockedException,
  DeliveryNotUnderstoodException,
  SlotNotFoundException,
  SourceBusyException,
  SourceDataInvalidException,
  TooManyRequestsException,
  UploadIncompleteException,
  UploadNotFoundException,
  WrongDeliveryException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { deliveryPath, presentReceipt, receiptSchema } from '../../presenters/present-delivery.ts'
import { FILE_PROBLEMS } from '../sources/source-problems.ts'
import { DELIVERY_FORM, readDelivery, toldToHolder } from './delivery-form.ts'

export const sendDelivery = defineRoute(
  {
    method: 'put',
    path: '/deliveries/:slot',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Send a file into a slot',
    audit: 'delivery.send',
    recordsItself: true,
    description:
      'Its rows are in the table when this is answered, in the place of those that the slot held; or, ' +
      'where the collection wants approval, they wait. The same file or upload again changes nothing, and ' +
      'is answered the same. What is wrong with a file is told as by a check. At most 30 files an hour are read.',
    params: deliveryPath,
    streams: DELIVERY_FORM,
    responses: { 200: { description: 'The receipt', schema: receiptSchema } },
    problems: [
      SlotNotFoundException,
      UploadNotFoundException,
      UploadIncompleteException,
      AskedChangedException,
      CollectionClosedException,
      DeliveryBlockedException,
      DeliveryNotUnderstoodException,
      WrongDeliveryException,
      SourceDataInvalidException,
      SourceBusyException,
      TooManyRequestsException,
      ...FILE_PROBLEMS,
    ],
    place: 'uploads',
  },
  async (request, { deliveries }) => {
    const { holder, params, record } = request
    const delivery = await deliveries
      .accept(holder, params.slot, { ...(await readDelivery(request)), record })
      .catch((error: unknown) => {
        throw toldToHolder(error)
      })
    return presentReceipt(delivery)
  },
)

import {
  AskedChangedException,
  DeliveryBlockedException,
  FileBackTooLargeException,
  SlotNotFoundException,
  TooManyRequestsException,
  UploadIncompleteException,
  UploadNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { deliveryPath } from '../../presenters/present-delivery.ts'
import { answerCheck, backOf, CHECK_RESPONSE, FILE_BACK_TOLD } from '../sources/answer-check.ts'
import { FILE_PROBLEMS } from '../sources/source-problems.ts'
import { DELIVERY_FORM, readDelivery, toldToHolder } from './delivery-form.ts'

export const checkDelivery = defineRoute(
  {
    method: 'post',
    path: '/deliveries/:slot/check',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Check a file before it is sent',
    description:
      'The whole file is read, and everything that is wrong with it is found at once. Nothing is ' +
      'loaded, and nothing of the file is kept. Counts among the 30 files an hour. ' +
      FILE_BACK_TOLD,
    params: deliveryPath,
    streams: DELIVERY_FORM,
    responses: { 200: CHECK_RESPONSE },
    problems: [
      SlotNotFoundException,
      UploadNotFoundException,
      UploadIncompleteException,
      AskedChangedException,
      DeliveryBlockedException,
      TooManyRequestsException,
      FileBackTooLargeException,
      ...FILE_PROBLEMS,
    ],
    place: 'uploads',
  },
  async (request, { deliveries }) => {
    const { holder, params } = request
    const sent = { ...(await readDelivery(request)), back: backOf(request) }
    const checked = await deliveries.check(holder, params.slot, sent).catch((error: unknown) => {
      throw toldToHolder(error)
    })
    const judgement = { ...checked.judgement, remedies: [] }
    return answerCheck({ ...checked, judgement }, request.language)
  },
)

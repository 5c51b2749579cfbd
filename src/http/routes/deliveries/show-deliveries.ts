import { defineRoute } from '../../define-route.ts'
import { deliveriesSchema, presentDeliveries } from '../../presenters/present-delivery.ts'

export const showDeliveries = defineRoute(
  {
    method: 'get',
    path: '/deliveries',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Show what is asked of the holder of a link',
    description:
      'The columns with their rules in words, the deadline, and the state of each slot of their own. A ' +
      'link that has ended and one that never was are answered alike.',
    responses: { 200: { description: 'What is asked', schema: deliveriesSchema } },
  },
  async ({ holder }, { deliveries }) => {
    const { key, name, slots, ...asked } = await deliveries.show(holder)
    return presentDeliveries({
      ...asked,
      sender: { key, name },
      slots: slots.map((slot) => {
        // What blocks the table is told to whoever collects.
        const last = slot.deliveries.find(({ state }) => state !== 'blocked')
        const held = slot.deliveries.find(
          ({ state }) => state === 'received' || state === 'accepted',
        )
        return {
          ...slot,
          filename: held?.filename ?? null,
          receipt: held?.receipt ?? null,
          reason: last?.reason ?? null,
        }
      }),
    })
  },
)

import { Type, type Static, type TObject, type TProperties } from 'typebox'

/**
 * The data on the wire, defined once: the client checks answers against it, and the published
 * description (docs/formulaires.openapi.yaml) is generated from it. Members that are not named here
 * are ignored.
 */
const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'A UUID of any version',
})
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Moment = Type.String({ maxLength: 64, description: 'ISO 8601 with a zone' })

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const WireColumn = Type.Object({
  key: Type.String({ minLength: 1, description: 'Key of the answer in `values`' }),
  label: orNull(Type.String({ description: 'The question; may be blank, and may repeat' })),
  type: Type.String({ description: 'Kind of question: text, number, date, choice, file ...' }),
})

const itemMembers = {
  uuid: Uuid,
  title: Type.String(),
  publicationStatus: orNull(Type.String()),
  updatedAt: orNull(Moment),
  columns: Type.Array(WireColumn),
}

export const WireForm = Type.Object({ ...itemMembers, responseCount: Count })
export const WireCard = Type.Object({ ...itemMembers, submissionCount: Count })

export const wireList = <P extends TProperties>(item: TObject<P>) =>
  Type.Object({
    items: Type.Array(item),
    total: Count,
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
  })

export const WireFormList = wireList(WireForm)
export const WireCardList = wireList(WireCard)

/** What a page says besides its records. */
export const PageEnd = Type.Object({
  nextCursor: orNull(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Opaque; null on the last page. Stays valid while records arrive.',
    }),
  ),
  total: Count,
})

const WireRecord = Type.Object({
  uuid: Uuid,
  submittedAt: orNull(Moment),
  updatedAt: orNull(Moment),
  values: Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { description: 'Answers by column key; any JSON value' }),
  ),
})

export const WireRecordPage = Type.Object({
  items: Type.Array(WireRecord),
  ...PageEnd.properties,
})

export type PageEnd = Static<typeof PageEnd>
export type WireForm = Static<typeof WireForm>
export type WireCard = Static<typeof WireCard>
export type WireFormList = Static<typeof WireFormList>
export type WireCardList = Static<typeof WireCardList>
export type WireRecordPage = Static<typeof WireRecordPage>

import type { Pool } from 'pg'

import { type Mapping, shownName } from '../../../pipelines/index.ts'
import {
  DeliveryNotUnderstoodException,
  invalidFields,
  WrongDeliveryException,
} from '../../errors/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { readTable } from '../../stack/look.ts'
import type { GeneratedTable } from '../../stack/stack.ts'
import { type Answers, bindColumns, type Expected, expectationOf } from '../shapes/expect.ts'
import { shapeMessages } from '../shapes/shape-messages.ts'
import { questionsInWords } from '../sources/expect-columns.ts'
import { collectionMessages } from './collection-messages.ts'
import type { Holder } from './holder.ts'

interface Asked {
  readonly table: GeneratedTable
  /** The shape, without the columns that the collection fills itself. */
  readonly shape: FileShape
  readonly expects: Expected
}

/**
 * What a delivery has to look like. What is sent by somebody without an account adds no columns, and
 * teaches the shape nothing: its aliases are for the files of all senders.
 */
export async function askedOf(pool: Pool, holder: Holder, mapping: Answers = {}): Promise<Asked> {
  const { sourceId, tableId, senderColumn, periodColumn } = holder
  const expects = await expectationOf(pool, sourceId, { mapping, remember: false })
  const table = await readTable(pool, tableId)
  const bound = bindColumns(expects.shape, table.columns)
  const own = new Set<ShapeColumn | undefined>(
    [senderColumn, periodColumn].map((column) => bound.get(column ?? '')),
  )
  const columns = expects.shape.columns.filter((column) => !own.has(column))
  const { unknown } = expects.shape
  const shape = { ...expects.shape, columns, unknown: unknown === 'add' ? 'leave' : unknown }
  refuseUnasked(shape, mapping)
  return { table, shape, expects: { ...expects, shape } }
}

/** Whether the headers were understood; asked before a row is loaded. */
export function admitDelivery({ columns }: Pick<FileShape, 'columns'>) {
  const names = new Set(columns.map(({ name }) => name))
  return ({ headers, questions }: Mapping): void => {
    if (questions.length > 0) {
      throw new DeliveryNotUnderstoodException(
        shapeMessages.asked({ questions: questionsInWords(questions) }),
        { members: { questions } },
      )
    }
    if (!headers.some(({ column }) => column !== null && names.has(column))) {
      throw new WrongDeliveryException()
    }
  }
}

function refuseUnasked({ columns }: Pick<FileShape, 'columns'>, mapping: Answers): void {
  const names = new Set(columns.flatMap(({ name, column }) => [name, column]))
  const errors = Object.entries(mapping)
    .filter(([, name]) => name !== null && !names.has(name))
    .map(([header, name]) => ({
      pointer: `/mapping/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: collectionMessages.notAsked({ name: shownName(name!) }),
    }))
  if (errors.length > 0) throw invalidFields(errors)
}

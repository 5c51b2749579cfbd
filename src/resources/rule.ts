import { Type } from 'typebox'

import {
  type ColumnRule,
  type RowComparison,
  COMPARISONS,
  type FieldNotation,
  NOTATION_TYPES,
  RULE_FORMATS,
  RULE_SEVERITIES,
  type RowRule,
} from '../../pipelines/index.ts'
import { named, strictObject, uuid } from './schema.ts'

export const MOST_RULES = 100
export const MOST_VALUES = 10_000
export const LONGEST_TEXT = 1000
export const LONGEST_PATTERN = 10_000
export const LONGEST_SIGN = 8
export const LONGEST_LENGTH = 2_147_483_647

const text = (description: string, maxLength = LONGEST_TEXT) =>
  Type.String({ minLength: 1, maxLength, format: 'without-nul', description })

const length = Type.Integer({ minimum: 0, maximum: LONGEST_LENGTH, description: 'In characters' })

const bound = (description: string) =>
  Type.Union([Type.Number(), text('A date, or a number with all of its digits', 1024)], {
    description,
  })

const about = {
  severity: Type.Optional(
    Type.Enum(RULE_SEVERITIES, {
      description: '`error` (default): what breaks it is invalid; `warning`: it is counted',
    }),
  ),
  name: Type.Optional(text('By which it is counted; default: its kind', 255)),
  message: Type.Optional(text('What is said where it is broken, in the place of our own words')),
}

const scalar = Type.Union([
  Type.String({ maxLength: LONGEST_TEXT, format: 'without-nul' }),
  Type.Number(),
  Type.Boolean(),
])

const words = Type.Optional(
  Type.Array(Type.String({ maxLength: LONGEST_TEXT, format: 'without-nul' }), {
    maxItems: MOST_VALUES,
  }),
)
const sign = Type.Optional(
  Type.String({ minLength: 1, maxLength: LONGEST_SIGN, format: 'without-nul' }),
)

const itemNotation = strictObject({
  type: Type.Optional(Type.Enum(['string', 'integer', 'number', 'boolean'] as const)),
  constraints: Type.Optional(
    strictObject({
      enum: Type.Optional(Type.Array(scalar, { minItems: 1, maxItems: MOST_VALUES })),
      pattern: Type.Optional(text('As of `matches`; it holds the whole item', LONGEST_PATTERN)),
      minLength: Type.Optional(length),
      maxLength: Type.Optional(length),
    }),
  ),
})

/** Beside its type and format. */
export const notationMembers = {
  decimalChar: sign,
  groupChar: sign,
  bareNumber: Type.Optional(Type.Boolean()),
  trueValues: words,
  falseValues: words,
  arrayItem: Type.Optional(itemNotation),
  missingValues: words,
}

const fieldNotation = named(
  'FieldNotation',
  Type.Unsafe<FieldNotation>(
    strictObject(
      {
        type: Type.Enum(NOTATION_TYPES),
        format: Type.Optional(text('How moments and points are written', 255)),
        ...notationMembers,
      },
      { description: 'How values are written, in the words of a field of a Table Schema' },
    ),
  ),
  { integer: { type: 'integer' }, amount: { type: 'number', decimalChar: ',', groupChar: ' ' } },
)

const columnRuleSchema = named(
  'ColumnRule',
  Type.Unsafe<ColumnRule>(
    strictObject(
      {
        required: Type.Optional(Type.Literal(true)),
        unique: Type.Optional(Type.Literal(true)),
        written: Type.Optional(fieldNotation),
        oneOf: Type.Optional(Type.Array(scalar, { minItems: 1, maxItems: MOST_VALUES })),
        matches: Type.Optional(
          text(
            'A regular expression in the language of RE2, found anywhere in the value',
            LONGEST_PATTERN,
          ),
        ),
        minimum: Type.Optional(bound('Of a number or a date')),
        maximum: Type.Optional(bound('Of a number or a date; of an instant a whole day')),
        minLength: Type.Optional(length),
        maxLength: Type.Optional(length),
        format: Type.Optional(Type.Enum(RULE_FORMATS)),
        in: Type.Optional(
          strictObject(
            { sourceUuid: uuid(), column: text('Of that source', 1024) },
            { description: 'A value of another source of the enterprise' },
          ),
        ),
        ...about,
      },
      { description: 'Of one kind' },
    ),
  ),
  {
    required: { required: true },
    amount: { minimum: 0, severity: 'warning', name: 'montant-positif' },
  },
)

const names = Type.Array(text('Name of a column', 1024), { minItems: 1, maxItems: MOST_RULES })

const rowRuleSchema = named(
  'RowRule',
  Type.Unsafe<RowRule>(
    strictObject(
      {
        unique: Type.Optional(names),
        compare: Type.Optional(
          Type.Unsafe<readonly [string, RowComparison, string]>({
            type: 'array',
            prefixItems: [
              text('Name of a column', 1024),
              Type.Enum(COMPARISONS),
              text('Of another', 1024),
            ],
            items: false,
            minItems: 3,
            maxItems: 3,
          }),
        ),
        sum: Type.Optional(names),
        equals: Type.Optional(text('With `sum`: the column that has it', 1024)),
        within: Type.Optional(
          Type.Number({ minimum: 0, description: 'With `sum`: how far it may be away' }),
        ),
        ...about,
      },
      { description: 'Of one kind' },
    ),
  ),
  {
    order: { compare: ['Début', '<=', 'Fin'] },
    total: { sum: ['HT', 'TVA'], equals: 'TTC', within: 0.01 },
  },
)

export const columnRules = (description: string) =>
  Type.Array(columnRuleSchema, { maxItems: MOST_RULES, description })

export const rowRules = (description: string) =>
  Type.Array(rowRuleSchema, { maxItems: MOST_RULES, description })

export const byRuleSchema = Type.Array(
  named(
    'RuleCount',
    strictObject({
      rule: Type.String({
        description:
          'Name or kind of a rule; `type`: the value is none of the type of its column; `structure`: ' +
          'the row is broken',
      }),
      count: Type.Integer({ minimum: 1 }),
    }),
  ),
  { description: 'How many invalid cells and rows break which rule, the most frequent first' },
)

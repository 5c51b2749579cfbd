import type { Spoil } from './attack.ts'
import type { Operation, Parameter } from './operations.ts'
import { ADDRESS_TEXTS } from './values.ts'

export const spoilPath: Spoil = (draft, operation, random) => {
  const names = Object.keys(draft.params)
  if (names.length === 0) return false
  const name = random.pick(names)
  const text = random.pick(ADDRESS_TEXTS)
  draft.params[name] = text
  draft.what = `${text.slice(0, 40) || 'nothing'} as ${name}`
  // With nothing there the address is that of the list.
  draft.mustBeRefused = text !== '' && schemaOf(operation, name)['format'] === 'uuid'
  return true
}

const schemaOf = (operation: Operation, name: string) =>
  operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {}

export const spoilQuery: Spoil = (draft, operation, random) => {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  if (parameters.length === 0) return false
  const parameter = random.pick(parameters)
  const text = random.pick(ADDRESS_TEXTS)
  draft.query.push(`${parameter.name}=${text}`)
  draft.what = `${text.slice(0, 40) || 'nothing'} as ?${parameter.name}`
  draft.mustBeRefused = isNoInteger(parameter, text)
  return true
}

const isNoInteger = ({ schema }: Parameter, text: string) =>
  schema['type'] === 'integer' && !/^\d+$/.test(text)

export const strangeQuery: Spoil = (draft, _operation, random) => {
  const [what, query] = random.pick<readonly [string, string]>([
    ['an unknown parameter', 'nonsense=1'],
    ['__proto__', '__proto__=1'],
    ['brackets', 'page[gt]=1&page[]=2'],
    ['a thousand parameters', Array.from({ length: 1000 }, (_, at) => `p${at}=1`).join('&')],
    ['a repeated parameter', 'page=1&page=2'],
    ['equal signs', 'a=b=c==='],
    ['broken escapes', 'a=%E0%A4%A&%=%'],
  ])
  draft.query.push(query)
  draft.what = `query with ${what}`
  draft.mustBeRefused = true
  return true
}

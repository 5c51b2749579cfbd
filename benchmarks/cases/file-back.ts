import { type ColumnRule, createEngine, type IntakeControl } from '../../pipelines/index.ts'
import { columnsGiven } from '../../src/domain/shapes/shape-columns.ts'
import { expectationOfShape } from '../../src/stack/fill/target-columns.ts'
import { bytesOf } from '../support/bytes-of.ts'
import { printMeasured } from '../support/measure.ts'

// One workbook, checked and given back with what is wrong marked, in a process of its own.
const [path, folder, column, rule, errors] = process.argv.slice(2) as [
  path: string,
  folder: string,
  column: string,
  rule: string,
  errors: string,
]
const rules = [JSON.parse(rule) as ColumnRule]
const { columns } = columnsGiven([{ name: column, type: 'text' as const, rules }], null)
const shape = { columns, rules: [], unknown: 'add', missing: 'empty', left: [], heldColumns: [] }
const expectation = expectationOfShape({ shape: shape as never, given: {} })
const signal = AbortSignal.timeout(3_600_000)
const control: IntakeControl = { columns: { kind: 'expected', expectation }, key: null, signal }

const began = performance.now()
const engine = createEngine({ tempDir: folder })
const judge = async () => {
  await using intake = await engine.open(bytesOf(path), { onInvalid: 'skip' }, control)
  return await intake.judge({}, null)
}
const judgement = await judge()
if (judgement.totalErrors !== Number(errors)) throw new Error(`${judgement.totalErrors} errors`)
const back = await engine.giveBack(bytesOf(path), {}, judgement, String, signal)
await back.write(async () => undefined, signal)
await back[Symbol.asyncDispose]()
printMeasured(began)

import type { Judgement } from '../../pipelines/index.ts'
import { describeMisfits } from './describe-misfits.ts'
import { remedyLine, section, table, warningLines } from './terminal-text.ts'

export function describeJudgement({
  rows,
  errors,
  totalErrors,
  byRule,
  warnings,
  remedies,
}: Judgement): string {
  const counts = byRule.map(({ rule, count }) => [rule, String(count)])
  return [
    totalErrors === 0 ? `${rows === 1 ? '1 row' : `${rows} rows`}, nothing is wrong\n` : '',
    totalErrors === 0 ? '' : `${describeMisfits(errors, totalErrors)}\n`,
    counts.length === 0 ? '' : section('By rule', table(['rule', 'count'], counts)),
    section('Warnings', warnings.flatMap(warningLines)),
    section('What would help', remedies.map(remedyLine)),
  ].join('')
}

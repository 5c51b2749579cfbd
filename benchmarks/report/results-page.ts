import { contenderTable, figureTable, type Table } from './describe-case.ts'
import type { Machine, RecordedCase } from './recorded-run.ts'

/** What does not depend on the case. */
const METHOD = `# Benchmark results

<!-- Written by \`npm run bench\`. -->

Read them with care:

- The numbers are of one machine on one day. Ratios inside a table travel better than seconds.
- Load generator, service and database share the same cores.
- The machine may have had other work to do. The spread of the runs tells how much that mattered.

How they are made:

- The data is generated. The same seed makes the same bytes.
- Contenders run in turns (A, B, C, A, B, C …), so that what else the machine does strikes all alike.
- Every contender of ours, and every library, runs in a process of its own. It times itself from its
  first statement to the end of its work, so the start of Node does not count.
- The value of a contender is the median of its runs. The marks in the plots reach from the lowest to
  the highest run. Memory is the highest resident size of the process over all runs.
- Without \`--database-url\` PostgreSQL is the embedded one, with the settings it has in service.
- A figure to reach that was missed is shown as \`FAIL\`.

To repeat them: \`npm run bench\`. To compare with these: \`npm run bench -- --compare
benchmarks/results/latest.json\`. To measure a file of yours on a database of yours:
\`npm run bench -- ingest FILE --database-url URL\`.
`

export function resultsPage(cases: readonly RecordedCase[]): string {
  return [METHOD, ...cases.map(section)].join('\n')
}

function section(recorded: RecordedCase): string {
  const { name, summary, measuredAt, machine, contenders, figures, caveats, input } = recorded
  const runs = contenders[0]?.samples.length ?? 0
  return [
    `## ${name}`,
    '',
    `${capitalised(summary)}. ${capitalised(input)}. ${runs} ${runs === 1 ? 'run' : 'runs'}.`,
    '',
    `![${name}](results/${name}.svg)`,
    '',
    markdown(contenderTable(recorded)),
    ...(figures.length === 0 ? [] : [markdown(figureTable(figures))]),
    ...caveats.map((caveat) => `- ${caveat}`),
    `- Measured on ${measuredAt.slice(0, 10)}: ${describe(machine)}.`,
    '',
  ].join('\n')
}

function describe({ cpu, cores, memoryGiB, platform, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${platform}, Node ${node.replace(/^v/, '')}`
}

function markdown({ titles, words, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = `|${titles.map((_, column) => (column < words ? '---' : '---:')).join('|')}|`
  return [line(titles), rule, ...rows.map(line), ''].join('\n')
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

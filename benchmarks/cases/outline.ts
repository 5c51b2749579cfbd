import { basename, join } from 'node:path'

import type { BenchmarkCase, Figure } from '../benchmark.ts'
import { sniffByDuckDb } from '../outline/duckdb-sniffer.ts'
import { figuresOfInnocents } from '../outline/judge-innocents.ts'
import { type LabelledSheet, readSheets, SHEETS } from '../outline/labelled-sheets.ts'
import { accuracy, MARK_NAMES, type MarkedSheet, markSheet } from '../outline/marks.ts'
import { seeSheet } from '../outline/see-sheet.ts'
import { figuresOfPublished } from '../outline/published.ts'
import { inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'

const HALVES = ['studied', 'held-out'].map((half) => join(SHEETS, half))

/** In per cent. What has no bound here is shown for its own sake. */
const TO_REACH: Readonly<Record<string, number>> = {
  delimiter: 99,
  'header rows': 93,
  'data begins': 95,
  'data ends': 97,
  'column names': 90,
}

/** How often the table in a sheet is seen as people see it; in other folders than ours, if they are named. */
export function outlineCase(folders: readonly string[] = HALVES): BenchmarkCase {
  return {
    name: 'outline',
    summary: 'the table in a sheet, seen as a person sees it, beside DuckDB’s sniffer',
    rows: 0,
    async run({ runs }) {
      const collections = folders.map((folder) => ({
        name: basename(folder),
        sheets: readSheets(folder),
      }))
      const sheets = collections.flatMap((collection) => collection.sheets)
      const paths = pathsOf(sheets)
      const contenders = await inTurns(
        {
          engine: {
            name: `the engine, ${sheets.length} sheets`,
            isOurs: true,
            run: () =>
              time(async () => {
                for (const sheet of sheets) await seeSheet(sheet)
              }),
          },
          duckdb: {
            name: `DuckDB’s sniffer, the ${paths.length} that are texts`,
            run: () =>
              time(async () => {
                await sniffByDuckDb(paths)
              }),
          },
        },
        runs,
      )
      return {
        input: collections
          .map(({ name, sheets: own }) => `${own.length} sheets ${name}`)
          .join(', '),
        rows: null,
        bytes: null,
        contenders: Object.values(contenders),
        figures: [
          ...(
            await Promise.all(collections.map(({ name, sheets: own }) => figuresOf(name, own)))
          ).flat(),
          ...(await figuresOfInnocents()),
          ...(await figuresOfPublished()),
        ],
        caveats: [
          'Figures are per cent of the sheets; of column names, the mean share that is found again.',
          'The half that is held out was not looked at while the rules were made.',
          'DuckDB does not look for titles, notes, or headers of several rows.',
        ],
      }
    },
  }
}

function pathsOf(sheets: readonly LabelledSheet[]): string[] {
  return sheets.flatMap((sheet) => (sheet.form === 'text' ? [sheet.path] : []))
}

async function figuresOf(name: string, sheets: readonly LabelledSheet[]): Promise<Figure[]> {
  const texts = sheets.filter(({ form }) => form === 'text')
  const sniffed = await sniffByDuckDb(pathsOf(texts))
  return [
    ...figures(
      name,
      await Promise.all(sheets.map(async (sheet) => markSheet(sheet, await seeSheet(sheet)))),
      TO_REACH,
    ),
    ...figures(
      `${name}, DuckDB`,
      texts.map((sheet, at) => markSheet(sheet, sniffed[at]!)),
    ),
  ]
}

function figures(
  whose: string,
  marked: readonly MarkedSheet[],
  toReach: Readonly<Record<string, number>> = {},
): Figure[] {
  return MARK_NAMES.flatMap((name) => {
    const found = accuracy(marked, name)
    if (found === null) return []
    const atLeast = toReach[name]
    return { what: `${whose}: ${name}`, found, ...(atLeast === undefined ? {} : { atLeast }) }
  })
}

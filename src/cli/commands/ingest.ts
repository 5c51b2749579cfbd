import { type Command, InvalidArgumentError, Option } from 'commander'

import type { StopRequest } from '../../start/stop-request.ts'
import { calling } from '../calling.ts'
import { wholeNumber } from '../whole-number.ts'

const TABLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/
const MOST_STREAMS = 16

const EXAMPLES = `
Examples:
  cli ingest people.csv --table people
  cli ingest january.csv february.csv --table year --append
  cli ingest https://example.org/towns.csv --table towns
  cli ingest book.xlsx --table clients --options '{"sheet":"Clients"}'
  cli ingest march.csv --table sales --append --shape sales.json --map "Montant TTC=Montant"
  cli ingest people.csv --into crm.person --map "Né le=birthday" --map "Notes="`

export const ingest = (program: Command, stop: StopRequest) =>
  program
    .command('ingest')
    .description('Load files into a typed table')
    .argument('<file...>', 'paths or http(s) addresses of files; - reads standard input')
    .addOption(new Option('--table <name>', 'table to fill').argParser(parseTableName))
    .option('--schema <name>', 'schema of the table; created if absent', parseTableName, 'public')
    .option('--database-url <url>', 'default: DATABASE_URL, else the embedded database')
    .addOption(
      new Option('--data-dir <folder>', 'where the embedded database is')
        .env('DATA_DIR')
        .default('./.data'),
    )
    .option('--options <json>', 'how to read the file')
    .option(
      '--streams <n>',
      'number of parallel COPY streams; default: chosen for the server',
      wholeNumber(1, MOST_STREAMS),
    )
    .option('--append', 'add to the rows of the table instead of replacing them', false)
    .addOption(
      new Option(
        '--upsert <header>',
        'like --append, but rows with the same value of this column are replaced',
      ).conflicts('append'),
    )
    .addOption(
      new Option(
        '--into <schema.table>',
        'add the rows to a table of your own, without altering it; all or nothing',
      )
        .conflicts(['table', 'schema', 'append', 'upsert'])
        .argParser(parseOwnTable),
    )
    .addOption(
      new Option(
        '--map <header=column>',
        'with --into or --shape: the column that a header goes to; nothing after = leaves it out',
      )
        .argParser(parsePair)
        .default([], ''),
    )
    .addOption(
      new Option(
        '--shape <file>',
        'what the files look like, as `shape export` writes it, or a Table Schema; what only people can know refuses the file',
      ).conflicts('into'),
    )
    .option('--json', 'print a JSON report even on a terminal', false)
    .addHelpText('after', EXAMPLES)
    .action(calling(stop, () => import('../actions/ingest.ts')))

function parseTableName(text: string): string {
  if (TABLE_NAME.test(text)) return text
  throw new InvalidArgumentError(
    'It must be 1 to 63 lower-case letters, digits and underscores, and must not begin with a digit.',
  )
}

/**
 * Takes names exactly as they are in the database, with any characters; without a schema, `public`.
 */
function parseOwnTable(text: string): { schema: string; table: string } {
  const [first, ...rest] = text.split('.')
  if (!first || rest.length > 1 || rest[0] === '') {
    throw new InvalidArgumentError('Write schema.table.')
  }
  return rest[0] === undefined
    ? { schema: 'public', table: first }
    : { schema: first, table: rest[0] }
}

function parsePair(text: string, before: readonly [string, string][]): [string, string][] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write header=column.')
  return [...before, [text.slice(0, at), text.slice(at + 1)]]
}

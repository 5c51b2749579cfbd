import type { Command } from 'commander'

import { createProgram } from '../src/cli/run-command.ts'
import { StopRequest } from '../src/start/stop-request.ts'
import { writeOrCheck } from './generated-file.ts'

/** Writes docs/cli.md, or with --check fails when it is not what the commands say. */
const INTRODUCTION = `# The command line

\`npm run cli -- COMMAND\`, or \`npm run --silent cli -- COMMAND\` where its output is read by a program.
npm takes longer to start than most commands: where many are run, \`node_modules/.bin/node src/cli/start.js COMMAND\`
does without it. Commands read the same settings as the service ([configuration.md](configuration.md)) and, where no
\`DATABASE_URL\` is set, use the embedded database of \`DATA_DIR\`, whether the service runs or not. An empty database
gets its schema from any of them. What an earlier version left, and may be at work in, is brought up to date by
\`migrate\`, \`worker\` and the start of the service alone; other commands say so and end with 4.

| It ends with | when |
| ------------ | ---- |
| 0 | it is done |
| 1 | the program has a fault (\`--verbose\` shows where), or a check has found something |
| 2 | arguments, options, settings, files or folders are not as they should be |
| 3 | the data of a file cannot be loaded, or a table of yours does not take it |
| 4 | the database, the storage or the address of a file cannot be reached, or refuses |
| 130, 143 | it was interrupted (Ctrl-C, SIGTERM): the file under way was not loaded |

\`ingest\` and \`inspect\` say what is wrong as one JSON document on standard error, and \`ingest\` prints its
report as one JSON document for each file; on a terminal both are sentences, and \`--json\` asks for a JSON report
there too. Of several files each is loaded as a whole: those before the one that is wrong stay, and the complaint
names it. All of it is English, on purpose, whatever \`LANG\` and \`LANGUAGE\` say: options, help and logs are.
An address that begins with \`http://\` or \`https://\` is fetched from where the command runs;
\`inspect\` reads no more of it than it looks at. What \`--options\` may say of a file is in
[ingestion.md](ingestion.md#what-the-file-is).

\`ingest --table\` makes the table, and its schema where there is none; a role needs the right to create in the schema
alone. \`ingest --into\` adds to a table that you have made: its constraints, defaults and triggers count, and all rows
of a file come in one transaction. The role needs \`insert\` and \`select\` on the table, and \`create\` in its schema,
where the rows wait until they are complete.

This page is written by \`npx node scripts/write-cli.ts\`.
`

const WIDTH = 100

function section(command: Command, path: readonly string[]): string {
  if (command.commands.length > 0) {
    return command.commands.map((child) => section(child, [...path, child.name()])).join('')
  }
  let help = ''
  command
    .configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => WIDTH })
    .outputHelp()
  return `\n## ${path.join(' ')}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`
}

const program = await createProgram(new StopRequest({ runsUntilStopped: false }))
writeOrCheck('docs/cli.md', INTRODUCTION + section(program, []))

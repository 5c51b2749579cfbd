import { SETTINGS, type Setting } from '../src/config/settings.ts'
import { writeOrCheck } from './generated-file.ts'

/** The table of all settings, from the place where they are defined. */
const rows = Object.entries(SETTINGS as Readonly<Record<string, Setting<unknown>>>).map(
  ([name, { default: text, about }]) =>
    `| \`${name}\` | ${text ? `\`${text}\`` : ''} | ${cell(about)} |`,
)

writeOrCheck(
  'docs/configuration.md',
  `# Configuration

<!-- Written by scripts/write-configuration.ts from src/config/settings.ts. -->

Settings are environment variables. They are read and checked once, at the start. A wrong one stops
the start; the message names every wrong setting and what it should be:

\`\`\`
$ PORT=http npm start
These settings are wrong:
  PORT should be a whole number from 0 to 65535
\`\`\`

None is needed for a first start. A variable that is empty counts as not set. \`example.env\` lists
all of them; \`node_modules/.bin/node --env-file=.env src/start.js\` reads such a file.

- Durations are written \`500ms\`, \`10s\`, \`5m\`, \`8h\`; sizes \`512KB\`, \`50MB\`, \`10GB\`.
- Lists are separated by commas.
- Every setting can be read from a file: \`AUTH_SECRET_FILE=/run/secrets/auth\` in the place of
  \`AUTH_SECRET\`. A line break at the end of the file does not count.
- With \`DATABASE_URL\` set, \`ENCRYPTION_KEYS\` is required, and so is \`AUTH_SECRET\` or
  \`AUTH_JWKS_URL\`. Without it they are made once and kept in \`DATA_DIR\`.
- What to set in production is told in [production](production.md).

| Setting | Default | What it is |
|---|---|---|
${rows.join('\n')}
`,
)

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

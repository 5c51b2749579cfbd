import { Catalogue, type Language, type Message } from '../pipelines/index.ts'
import { PROBLEMS } from '../src/errors/index.ts'
import { writeOrCheck } from './generated-file.ts'

const sayIn = (text: Message, language: Language) => Catalogue.empty.say(text, language)

/** What every problem code means and what to do, from the catalogue of problems. */
const statuses = [...new Set(PROBLEMS.map(({ status }) => status))].toSorted((a, b) => a - b)

const sections = statuses.map((status) => {
  const rows = PROBLEMS.filter((problem) => problem.status === status)
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(
      ({ code, title, remedy }) =>
        `| \`${code}\` | ${sayIn(title, 'en')} | ${sayIn(title, 'fr')} | ${remedy} |`,
    )
  return `## ${status}\n\n| Code | What it means | En français | What to do |\n|---|---|---|---|\n${rows.join('\n')}\n`
})

writeOrCheck(
  'docs/troubleshooting.md',
  `# Troubleshooting by error code

<!-- Written by scripts/write-troubleshooting.ts from src/errors/catalogue.ts. -->

Every refusal is a problem document (RFC 9457, \`application/problem+json\`). Its \`code\` is stable;
look it up here. \`title\` and the other texts are French or English, as \`Accept-Language\` asks; the codes
never change. \`detail\` says what was wrong this time, \`errors\` names the fields or the cells.

\`\`\`json
{
  "type": "urn:administration-service:problem:FolderNotFoundException",
  "title": "Folder not found",
  "status": 404,
  "code": "FolderNotFoundException",
  "detail": "Folder not found",
  "requestId": "7f3c1c1e-5a2e-4f0e-9d3c-2b5b8f6f0a11"
}
\`\`\`

- \`requestId\` is also in the answer's \`X-Request-Id\` header and in every log line of the request:
  search the log for it. A 500 does not show its cause; the log does.
- Anything that you may not see answers as if it did not exist: 404 with the same body.
- Failed jobs (\`GET /jobs/:uuid\`) carry the same document in \`error\`.

${sections.join('\n')}`,
)

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { SCOPES } from '../../src/scope.ts'

/**
 * Finds statements on tenants' data that name rows without a scope. A statement may also name rows
 * by a key of the inside, since only who found a row in scope knows it: no request carries one.
 */

/** Keys of the inside, by table. The tables without a scope of their own belong to rows of others. */
const INNER_KEYS: Readonly<Record<string, readonly string[]>> = {
  collection_deliveries: ['id', 'slot_id', 'load_id'],
  // Nobody knows a hash but who has the secret.
  collection_links: ['hash', 'sender_id'],
  collection_mails: ['id', 'sender_id', 'delivery_id'],
  collection_periods: ['id', 'collection_id'],
  collection_senders: ['id', 'collection_id'],
  collection_slots: ['id', 'collection_id', 'sender_id', 'period_id'],
  collection_tries: ['id', 'sender_id'],
  collections: ['id', 'source_id'],
  audit_entries: ['id'],
  connections: ['id'],
  documents: ['id', 'folder_id', 'path'],
  document_uploads: ['id', 'link_hash'],
  folders: ['id', 'root_id', 'parent_id'],
  generated_tables: ['id'],
  // The attempt fences off a run: only the worker that has it knows both.
  jobs: ['id', 'attempt'],
  load_gaps: ['load_id'],
  load_tables: ['id', 'table_id'],
  loads: ['id', 'table_id', 'root_id', 'parent_id', 'partition_id', 'shown_load_id'],
  personal_tokens: ['id', 'user_id'],
  root_deletions: ['job_uuid'],
  source_schedules: ['source_id'],
  shape_aliases: ['shape_id'],
  shape_changes: ['shape_id'],
  shapes: ['id', 'source_id'],
  sources: ['id', 'table_id', 'shape_id'],
  users_documents: ['document_id'],
  workflow_runs: ['id', 'workflow_id'],
  workflows: ['id'],
}

export const TENANT_TABLES = Object.keys(INNER_KEYS)

const WORDS_OF_SQL =
  'cross|for|full|group|inner|join|lateral|left|limit|natural|offset|on|order|returning|right|set|union|using|values|where'
const MENTION = new RegExp(
  String.raw`(?:\b(?:from|join|update|into|using)|(?<=\b(?:from|using)\b[^();]*),)\s+(?:only\s+)?(?:public\.)?"?(${TENANT_TABLES.join('|')})\b"?(?![.\w])` +
    String.raw`(?:\s+(?:as\s+)?(?!(?:${WORDS_OF_SQL})\b)(\w+))?`,
  'gi',
)

/** What a statement says from the name of a table on, for each that is named without a scope. */
export function unscoped(statement: string): string[] {
  const text = withoutInterpolations(statement)
  return [...text.matchAll(MENTION)]
    .filter(([said]) => !/^into\b/i.test(said))
    .filter(({ 1: table = '', 2: alias = table, index }) => {
      return !isScoped(restOfQuery(text.slice(index)), table.toLowerCase(), alias.toLowerCase())
    })
    .map(({ index }) => restOfQuery(text.slice(index)).trim().replaceAll(/\s+/g, ' '))
}

/** As far as it can be about the rows that it begins with: to the end of the query that names them. */
function restOfQuery(text: string): string {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/[();]|\b(?:union|intersect|except)\b/gi)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    if (depth < 0 || (depth === 0 && !'()'.includes(token))) return text.slice(0, index)
  }
  return text
}

function isScoped(query: string, table: string, row: string): boolean {
  const scopes = Object.values(SCOPES).filter((scope) => scope.table === table)
  if (scopes.some((scope) => patternOf(scope.rows(row, PARAMETER)).test(query))) return true
  const own = `(?:(?<![.\\w])|\\b${row}\\.)`
  const key = `${own}(?:${INNER_KEYS[table]!.join('|')})\\s*(?:=\\s*(?:\\$|any\\b|\\?|interpolated\\b)|in\\s*subquery\\b)`
  // Rows that hang on those of another table, which is asked for its scope itself.
  const joined = `${own}\\w+\\s*=\\s*(?!${row}\\.)[a-z]\\w*\\.\\w+`
  const isTied = new RegExp(`${key}|${joined}`, 'i')
  return ownConditions(query)
    .split(/\bor\b/i)
    .every((alternative) => isTied.test(alternative))
}

/** Without subqueries, whose conditions are about other rows, and without what need not all hold. */
function ownConditions(query: string): string {
  const innermost = /\(([^()]*)\)/g
  const less = query.replaceAll(innermost, (_, inside: string) => {
    if (/^\s*(?:select|with|update|delete)\b/i.test(inside)) return ' subquery '
    return /\bor\b/i.test(inside) ? ' alternatives ' : ` ${inside} `
  })
  return less === query ? query : ownConditions(less)
}

const PARAMETER = '«parameter»'

const patternOf = (condition: string) =>
  new RegExp(
    condition
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\s+/g, String.raw`\s+`)
      .replaceAll(PARAMETER, String.raw`(?:\$\d+|\?|owner)`),
    'i',
  )

/** `${SCOPES.x.rows('f', '$1')}` becomes what it writes; what else stands there, a name. */
function withoutInterpolations(statement: string): string {
  const scoped = /\$\{SCOPES\.(\w+)\.rows\('(\w+)', (?:'([^']+)'|\w+)\)\}/g
  return statement
    .replaceAll(scoped, (written, name: string, row: string, parameter = '$0') => {
      const scope = Object.entries(SCOPES).find(([known]) => known === name)?.[1]
      return scope?.rows(row, parameter) ?? written
    })
    .replaceAll(/\$\{[^{}]*\}/g, 'interpolated')
}

/** In all files below a folder; queries that Knex builds for a table, from its name on, too. */
export function unscopedBelow(folder: string): { file: string; said: string }[] {
  const root = resolve(import.meta.dirname, '../..')
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const said = [...textsOf(source).flatMap(unscoped), ...builtByKnex(source)]
      return said.map((what) => ({ file, said: what }))
    })
}

const BUILT = new RegExp(
  String.raw`\b(?:knex|trx|from|into|table)\('(?:${TENANT_TABLES.join('|')})'\)[^\n]*(?:\n\s*\.[^\n]*)*`,
  'g',
)

const builtByKnex = (source: string) =>
  [...source.matchAll(BUILT)].map(([said]) => said.replaceAll(/\s+/g, ' '))

/** Comments, strings, templates and regular expressions, in the order in which they begin. */
const LITERALS = new RegExp(
  [
    String.raw`\/\/[^\n]*`,
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`'(?:[^'\\\n]|\\.)*'`,
    String.raw`"(?:[^"\\\n]|\\.)*"`,
    String.raw`(?<=[(,=:[!&|?{};\n]\s*|return )\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`,
    '`',
  ].join('|'),
  'g',
)

function textsOf(source: string): string[] {
  const found: string[] = []
  const literals = new RegExp(LITERALS)
  for (let match = literals.exec(source); match; match = literals.exec(source)) {
    const [literal] = match
    if (literal === '`') {
      const { end, inner } = template(source, match.index)
      found.push(source.slice(match.index + 1, end), ...inner)
      literals.lastIndex = end + 1
    } else if (literal.startsWith("'") || literal.startsWith('"')) {
      found.push(literal.slice(1, -1))
    }
  }
  return found
}

/** Where a template ends, and the texts that stand in its interpolations. */
function template(source: string, start: number): { end: number; inner: string[] } {
  const inner: string[] = []
  let at = start + 1
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') at += 2
    else if (source.startsWith('${', at)) {
      const end = closingBrace(source, at + 2)
      inner.push(...textsOf(source.slice(at + 2, end)))
      at = end + 1
    } else at++
  }
  return { end: at, inner }
}

function closingBrace(source: string, start: number): number {
  let depth = 1
  for (let at = start; at < source.length; at++) {
    if (source[at] === '`') at = template(source, at).end
    else if (source[at] === '{') depth++
    else if (source[at] === '}' && --depth === 0) return at
  }
  return source.length
}

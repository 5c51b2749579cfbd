import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

// Stands in for curl where a machine has none: the options of the guides' tours, and no others.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'no-buffer': { type: 'boolean', short: 'N' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    form: { type: 'string', short: 'F', multiple: true, default: [] },
    'form-string': { type: 'string', multiple: true, default: [] },
  },
})

const headers = new Headers(
  values.header.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  }),
)
const body = values.form.length > 0 ? formOf(values.form, values['form-string']) : values.data
const response = await fetch(positionals[0]!, {
  headers,
  method: body === undefined ? 'GET' : 'POST',
  ...(body === undefined ? {} : { body }),
})
// Written, not piped: ending it would end it for the shell that shares it.
for await (const chunk of response.body!) process.stdout.write(chunk)

/** Texts stand before files, as the service wants its fields. */
function formOf(parts: readonly string[], texts: readonly string[]): FormData {
  const form = new FormData()
  for (const [name, value] of texts.map(fieldOf)) form.append(name, value)
  for (const [name, value] of parts.map(fieldOf)) {
    if (value.startsWith('@')) form.append(name, ...fileOf(value.slice(1)))
    else if (value.startsWith('<')) form.append(name, readFileSync(value.slice(1), 'utf8'))
    else form.append(name, value)
  }
  return form
}

function fieldOf(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  return [part.slice(0, equals), part.slice(equals + 1)]
}

/** `PATH` or `PATH;filename=NAME`; the path `-` is standard input. */
function fileOf(text: string): [file: Blob, name: string] {
  const [path, filename] = text.split(';filename=') as [string, string?]
  const bytes = readFileSync(path === '-' ? 0 : path)
  return [new Blob([bytes]), filename ?? basename(path)]
}

import { readFileSync } from 'node:fs'

import { expect } from 'chai'

import type { TestClient, TestResponse } from '../support/client.ts'
import { expectShown } from '../support/readme-tour.ts'
import { sourceForm } from '../support/sources.ts'

interface Request {
  readonly text: string
  /** What the guide shows of the answer. */
  readonly shown: string | null
}

export function readRequests(guide: string): Request[] {
  const text = readFileSync(new URL(`../../docs/${guide}`, import.meta.url), 'utf8')
  const pattern = /```request\n([^]*?)```(?:\n\n```json\n([^]*?)```)?/g
  return [...text.matchAll(pattern)].map(([, asked, shown]) => ({
    text: asked!,
    shown: shown ?? null,
  }))
}

/** The first line says what is asked; then come headers, then fields and a file, or JSON. */
async function send(client: TestClient, text: string): Promise<TestResponse> {
  const [line, ...rest] = text.split('\n')
  const [method, path] = line!.split(' ')
  const isHeader = (each: string) => /^X-[\w-]+: /.test(each)
  const headers = rest.filter(isHeader).map((each) => each.split(': ') as [string, string])
  const as = client.withHeaders(Object.fromEntries(headers))
  const body = rest.filter((each) => !isHeader(each)).join('\n')
  const file = /^file: (.*)\n([^]*)$/m.exec(body)
  if (file === null) {
    const json = { content: body, type: 'application/json' }
    return as.request(method!, path!, body.trim() === '' ? undefined : json)
  }
  const fields = [...body.slice(0, file.index).matchAll(/^(\w+): (.*)$/gm)]
  const given = Object.fromEntries(fields.map(([, name, value]) => [name!, value!]))
  return as.request(method!, path!, { content: sourceForm(given, file[2]!, file[1]) })
}

/** Sends them one after the other. `→ name` gives a name to the uuid that was answered; `learn` knows more names. */
export async function runRequests(
  client: TestClient,
  requests: readonly Request[],
  learn: (body: TestResponse['body']) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  const named = new Map<string, string>()
  for (const { text, shown } of requests) {
    const known = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => named.get(name)!)
    const answer = await send(client, known)
    expect(answer.status, `${text}\n${answer.text}`).to.be.within(200, 201)
    const name = /→ (\w+)/.exec(text)?.[1]
    if (name !== undefined) named.set(name, answer.body.uuid)
    for (const [more, value] of Object.entries(learn(answer.body))) named.set(more, value)
    if (shown !== null) expectShown({ language: 'json', text: shown }, answer.text)
  }
}

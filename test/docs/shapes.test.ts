import { readFileSync } from 'node:fs'

import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import type { TestClient, TestResponse } from '../support/client.ts'
import { expectShown } from '../support/readme-tour.ts'
import { sourceForm } from '../support/sources.ts'

interface Request {
  readonly text: string
  /** What the guide shows of the answer. */
  readonly shown: string | null
}

function readRequests(): Request[] {
  const guide = readFileSync(new URL('../../docs/shapes.md', import.meta.url), 'utf8')
  const pattern = /```request\n([^]*?)```(?:\n\n```json\n([^]*?)```)?/g
  return [...guide.matchAll(pattern)].map(([, text, shown]) => ({
    text: text!,
    shown: shown ?? null,
  }))
}

/** The first line says what is asked; then come fields and a file, or JSON. */
async function send(client: TestClient, text: string): Promise<TestResponse> {
  const [line, ...rest] = text.split('\n')
  const [method, path] = line!.split(' ')
  const body = rest.join('\n')
  const file = /^file: (.*)\n([^]*)$/m.exec(body)
  if (file === null) {
    const json = { content: body, type: 'application/json' }
    return client.request(method!, path!, body.trim() === '' ? undefined : json)
  }
  const fields = [...body.slice(0, file.index).matchAll(/^(\w+): (.*)$/gm)]
  const given = Object.fromEntries(fields.map(([, name, value]) => [name!, value!]))
  return client.request(method!, path!, { content: sourceForm(given, file[2]!, file[1]) })
}

describe('the guide to shapes', () => {
  const app = useApp()

  it('has requests that are answered as it shows', async () => {
    const client = app.client.as(await app.build.user())
    const requests = readRequests()
    expect(requests.length).to.be.at.least(12)
    const named = new Map<string, string>()
    for (const { text, shown } of requests) {
      const known = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => named.get(name)!)
      const answer = await send(client, known)
      expect(answer.status, `${text}\n${answer.text}`).to.be.within(200, 201)
      const name = /→ (\w+)/.exec(text)?.[1]
      if (name !== undefined) named.set(name, answer.body.uuid)
      if (shown !== null) expectShown({ language: 'json', text: shown }, answer.text)
    }
  })
})

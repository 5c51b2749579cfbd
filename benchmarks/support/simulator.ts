import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const CLI = new URL('../../src/cli/start.js', import.meta.url)

export interface Simulator extends AsyncDisposable {
  readonly url: string
  readonly apiKey: string
  /** Its one form. */
  readonly form: string
}

/** The simulated forms application in a process of its own, with one form of so many responses. */
export async function startSimulator(responses: number): Promise<Simulator> {
  const child = spawn(
    process.execPath,
    [CLI.pathname, 'formulaires', '--forms', '1', '--responses', String(responses)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  try {
    const { url, apiKey } = await readBanner(createInterface({ input: child.stdout }))
    const answer = await fetch(`${url}/api/v1/forms`, { headers: { 'x-api-key': apiKey } })
    const { items } = (await answer.json()) as { items: readonly { uuid: string }[] }
    return { url, apiKey, form: items[0]!.uuid, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readBanner(lines: AsyncIterable<string>): Promise<{ url: string; apiKey: string }> {
  let url = ''
  for await (const line of lines) {
    const [, name, value] = /^(Address|API key): (.+)$/.exec(line) ?? []
    if (name === 'Address') url = value!
    if (name === 'API key') return { url, apiKey: value! }
  }
  throw new Error('The simulator did not start')
}

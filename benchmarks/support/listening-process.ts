import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ListeningProcess extends AsyncDisposable {
  readonly address: string
  readonly pid: number
  /** From its spawning to the line that tells its address. */
  readonly startedInMs: number
  kill(): Promise<void>
}

/** A server in a process of its own, which prints `Listening on <address>`. */
export async function listeningProcess(
  script: URL,
  environment: Readonly<Record<string, string>>,
): Promise<ListeningProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, [script.pathname], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...environment },
    // The log is written as in service, to nowhere.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Listening on (\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    // Whatever else it prints must not fill the pipe.
    child.stdout.resume()
    return {
      address,
      pid: child.pid!,
      startedInMs: performance.now() - began,
      kill: () => end('SIGKILL'),
      [Symbol.asyncDispose]: () => end('SIGTERM'),
    }
  }
  throw new Error(`${script.pathname} did not listen`)
}

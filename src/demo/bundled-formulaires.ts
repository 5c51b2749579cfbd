import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { hasCode, unlessGone } from '../errors/system-codes.ts'
import { type Formulaires, startFormulaires } from '../simulator/formulaires.ts'

/**
 * The simulated forms application that runs beside an embedded service. Its address is kept in
 * DATA_DIR, so that the connections that lead to it stay valid over restarts.
 */
interface BundledFormulaires {
  readonly url: string
  readonly apiKey: string
  /** Where connections made before may still lead to. */
  readonly formerUrl: string
  close(): Promise<void>
}

/** Where it listens unless something else does. */
const USUAL_FORMULAIRES_URL = 'http://127.0.0.1:4117'

const ADDRESS_FILE = 'formulaires-address'
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d{1,5}$/

export async function startBundledFormulaires(
  dataDir: string,
  /** The service is about to listen there itself. */
  portOfService: number,
): Promise<BundledFormulaires> {
  const formerUrl = await bundledFormulairesUrl(dataDir)
  const port = Number(new URL(formerUrl).port)
  const simulator = await startAt(port === portOfService ? 0 : port)
  try {
    await mkdir(dataDir, { recursive: true })
    await writeFile(join(dataDir, ADDRESS_FILE), simulator.url)
  } catch (error) {
    await simulator.close()
    throw error
  }
  const { url, apiKey } = simulator
  return { url, apiKey, formerUrl, close: () => simulator.close() }
}

/** The address that is kept, whether it runs at this moment or not. */
export async function bundledFormulairesUrl(dataDir: string): Promise<string> {
  const kept = (await unlessGone(readFile(join(dataDir, ADDRESS_FILE), 'utf8')))?.trim() ?? ''
  // A crash may have cut the file short.
  return ADDRESS.test(kept) ? kept : USUAL_FORMULAIRES_URL
}

async function startAt(port: number): Promise<Formulaires> {
  try {
    return await startFormulaires({ port })
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error
    return startFormulaires({ port: 0 })
  }
}

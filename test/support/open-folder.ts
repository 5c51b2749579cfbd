import { temporaryFolder } from '../../benchmarks/support/temporary-folder.ts'

/** For whoever removes it themselves, after what runs in it. */
export async function makeOpenFolder(name: string): Promise<string> {
  return (await temporaryFolder(name)).path
}

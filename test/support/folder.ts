import { type TemporaryFolder, temporaryFolder } from '../../benchmarks/support/temporary-folder.ts'

/** A folder for the tests of a `describe`: one for all of them, or a new one for each. */
export function useFolder(
  name: string,
  lasts: 'for all' | 'for each' = 'for all',
): { readonly path: string } {
  let folder: TemporaryFolder
  const [open, close] = lasts === 'for all' ? [before, after] : [beforeEach, afterEach]
  open('makes a folder', async () => {
    folder = await temporaryFolder(name)
  })
  close('removes the folder', () => folder[Symbol.asyncDispose]())
  return {
    get path() {
      return folder.path
    },
  }
}

/** For whoever removes it themselves, after what works in it. */
export async function makeFolder(name: string): Promise<string> {
  return (await temporaryFolder(name)).path
}

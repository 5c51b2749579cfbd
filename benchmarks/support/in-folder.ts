import { temporaryFolder } from './temporary-folder.ts'

/** Works in a folder that is gone afterwards, with a database that was made in it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await using folder = await temporaryFolder('bench')
  return await work(folder.path)
}

import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { unlessGone } from '../../errors/system-codes.ts'
import type { ObjectSummary } from '../object-store.ts'
import { factsOf } from './file-facts.ts'
import { escapeKey, keyOfEscaped, type StoreLayout, meaningOf } from './files.ts'

const DEFAULT_PAGE_SIZE = 1000

/** Walks the folders with a stack, entering only those that can hold the prefix. */
export async function* listObjects(
  layout: StoreLayout,
  bucket: string,
  prefix: string,
  options: { readonly pageSize?: number; readonly signal?: AbortSignal },
): AsyncGenerator<ObjectSummary[]> {
  const { pageSize = DEFAULT_PAGE_SIZE, signal } = options
  const wanted = escapeKey(prefix)
  const folders = [{ path: layout.bucketFolder(bucket), escaped: '' }]
  let page: ObjectSummary[] = []

  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    for await (const name of namesIn(folder.path)) {
      signal?.throwIfAborted()
      const meaning = meaningOf(name)
      if (!meaning) continue
      const path = join(folder.path, name)
      const escaped = folder.escaped + meaning.text
      if (meaning.kind === 'folder') {
        if (escaped.startsWith(wanted) || wanted.startsWith(escaped))
          folders.push({ path, escaped })
      } else if (escaped.startsWith(wanted)) {
        const stats = await unlessGone(stat(path, { bigint: true }))
        if (stats) page.push({ key: keyOfEscaped(escaped), ...factsOf(stats) })
      }
      if (page.length >= pageSize) {
        yield page
        page = []
      }
    }
  }
  if (page.length > 0) yield page
}

async function* namesIn(path: string): AsyncGenerator<string> {
  const folder = await unlessGone(opendir(path))
  if (!folder) return
  for await (const { name } of folder) yield name
}

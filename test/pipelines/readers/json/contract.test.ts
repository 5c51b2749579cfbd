import { readdirSync, readFileSync } from 'node:fs'

import type { IngestOptions } from '../../../../pipelines/index.ts'
import { createJsonReader } from '../../../../pipelines/readers/json/json-reader.ts'
import { describeReader, type ReaderInput } from '../../../contracts/reader.ts'

const FOLDER = new URL('../../../fixtures/json/', import.meta.url)

/** Every fixture is an input of the shared suite too. */
function fixtures(): ReaderInput[] {
  const names = readdirSync(FOLDER)
  return names
    .filter((name) => !/\.(?:table|options)\.json$/.test(name))
    .map((name) => {
      const options = name.replace(/\.(?:nd)?json$/, '.options.json')
      return {
        name,
        bytes: readFileSync(new URL(name, FOLDER)),
        options: names.includes(options) ? readOptions(options) : {},
      }
    })
}

function readOptions(name: string): IngestOptions {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as IngestOptions
}

function large(): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, k) => ({ id: k, note: `n° ${k}\n`, tags: [k] }))
  return Buffer.from(JSON.stringify(rows))
}

describeReader('The JSON reader', { reader: createJsonReader(), inputs: fixtures(), large })

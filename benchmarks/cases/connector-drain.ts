import { printMeasured } from '../support/measure.ts'

// A form's responses through plain fetches and nothing else: address, key, form, responses.
const [address, key, form, expected] = process.argv.slice(2) as [string, string, string, string]
const PAGE_SIZE = 1000

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

const began = performance.now()
let fetched = 0
for (let cursor: string | null = ''; cursor !== null;) {
  const url = `${address}/api/v1/forms/${form}/responses?limit=${PAGE_SIZE}`
  const answer = await fetch(cursor === '' ? url : `${url}&cursor=${encodeURIComponent(cursor)}`, {
    headers: { 'x-api-key': key },
  })
  const page = (await answer.json()) as Page
  fetched += page.items.length
  cursor = page.nextCursor
}
if (fetched !== Number(expected)) throw new Error(`${fetched} responses of ${expected}`)
printMeasured(began)

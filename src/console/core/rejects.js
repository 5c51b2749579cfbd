import { ask, get, sendForm } from './api.js'
import { readCsv, writeCsv } from './csv.js'
import { asJob } from './jobs.js'
import { onlyIf } from './mapping.js'

/** Columns of the file that are about the reject, before those of its row. */
export const ABOUT = 2
/** The second of them is the number of the reject. */
const NUMBER = 1

/** So many are shown with the cell that was refused; the others with their reason alone. */
const PAGES_MARKED = 5
const PAGE = 100

/** The rows that were set aside as their file has them, and of the first of them what is wrong. */
export async function askRejects({ uuid, rejectedCount }, signal) {
  const path = `/sources/${uuid}/rejects`
  const pages = Math.min(PAGES_MARKED, Math.ceil(rejectedCount / PAGE))
  const [shape, response, ...marked] = await Promise.all([
    get(`/sources/${uuid}/shape`, {}, signal),
    ask('GET', path, { query: { format: 'csv' }, signal }),
    ...Array.from({ length: pages }, (_, at) => get(path, { page: at + 1, limit: PAGE }, signal)),
  ])
  const [head, ...rows] = readCsv((await response.text()).replace(/^\uFEFF/, ''))
  const items = marked.flatMap((page) => page.items)
  return { shape, head, rows, faulty: new Map(items.map((item) => [String(item.id), item])) }
}

export const numberOf = (row) => row[NUMBER]

/** Sends corrected rows of that file, as a job, unless the shape has moved on since they were shown. */
export function sendCorrections({ uuid, tableName }, { head, shape }, rows) {
  const file = new File([writeCsv([head, ...rows])], `${tableName}-rejects.csv`, {
    type: 'text/csv',
  })
  return correctionsIn({ uuid }, file, onlyIf(shape))
}

export const correctionsIn =
  ({ uuid }, file, headers) =>
  (sending) => {
    const form = new FormData()
    form.append('file', file, file.name)
    return sendForm(`/sources/${uuid}/rejects`, form, {
      headers: { ...asJob, ...headers },
      ...sending,
    })
  }

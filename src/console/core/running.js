import { get } from './api.js'
import { isAdmin, session } from './session.js'
import { effect, signal } from './ui.js'

/** How soon is asked again while something runs, and while nothing does. */
const SOON_MS = 1500
const LATER_MS = 15_000

const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELLED']
export const hasEnded = (job) => ENDED.includes(job.status)

/** The jobs of this person that have not ended, whichever tab or page has begun them. */
export const running = signal([])

let timer = null
let asked = 0

async function look() {
  clearTimeout(timer)
  const own = ++asked
  if (session.value === null || !isAdmin()) {
    running.value = []
    return
  }
  if (!document.hidden) {
    // What cannot be asked now is asked again; whoever acts is told of what is wrong.
    const { items } = await get('/jobs').catch(() => ({ items: running.value }))
    if (own !== asked) return
    running.value = items.filter((job) => !hasEnded(job))
  }
  timer = setTimeout(lookForJobs, running.value.length > 0 ? SOON_MS : LATER_MS)
}

/** Something was begun, or has ended. */
export const lookForJobs = () => void look()

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) lookForJobs()
})

effect(() => {
  if (session.value !== null) queueMicrotask(lookForJobs)
  else running.value = []
})

import { setTimeout as sleep } from 'node:timers/promises'

import { tuneMemory } from '../../src/memory.ts'

// Grows its heap as a crowd of requests does, idles, and tells what it held before and afterwards.
const LONGER_THAN_IT_TAKES_MS = 7_500

using _ = tuneMemory()
const garbage: object[][] = []
for (let round = 0; round < 200; round++) {
  garbage[0] = Array.from({ length: 30_000 }, (__, at) => ({ at, pair: [round, at] }))
}
const most = process.memoryUsage.rss()
garbage.length = 0
await sleep(LONGER_THAN_IT_TAKES_MS)
process.stdout.write(JSON.stringify({ most, idle: process.memoryUsage.rss() }))

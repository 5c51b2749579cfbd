// Loaded before a process of the product: says on its third channel which module it loads next.
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

const CHANNEL = 3

registerHooks({
  load(url, context, nextLoad) {
    writeSync(CHANNEL, `${url}\n`)
    return nextLoad(url, context)
  },
})

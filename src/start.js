// Where the service begins. JavaScript: a Node that is too old understands it as well, and what compiles
// TypeScript is not loaded for a file that was compiled before.
import './start/require-node-24.js'
import './start/keep-compiled.js'
import './start/find-own-files.js'

await import('./main.ts')

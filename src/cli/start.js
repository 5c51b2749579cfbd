// Where every command begins; why in JavaScript is said in ../start.js.
import '../start/require-node-24.js'
import '../start/keep-compiled.js'

await import('./main.ts')

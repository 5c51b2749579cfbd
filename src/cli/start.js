// Where every command begins; why in JavaScript is said in ../start.js.
import '../require-node-24.js'
import '../keep-compiled.js'

await import('./main.ts')

// The entry point of every command. Why it is JavaScript is explained in ../start.js.
import '../start/require-node-24.js'
import '../start/keep-compiled.js'
import '../start/find-own-files.js'

await import('./main.ts')

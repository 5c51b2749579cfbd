// The second start of the process finds its modules compiled. Loaded before the first TypeScript
// file, so that neither that file nor the compiler itself needs to be loaded and compiled again. A process
// that may be killed keeps it before its end (../load-rooms.ts).
import module from 'node:module'
import { join } from 'node:path'

// Next to the code: those who can write here can change the code as well. If nobody can, nothing is
// cached.
module.enableCompileCache(join(import.meta.dirname, '..', '..', '.compile-cache'))

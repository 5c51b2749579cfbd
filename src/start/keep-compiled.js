// The second start of a process finds its modules compiled. Loaded before the first file of TypeScript, so
// that not even that one needs to be compiled again, nor what compiles it to be loaded.
import module from 'node:module'
import { join } from 'node:path'

// Beside what is compiled: whoever may write here may change that as well. Where nobody may, nothing is kept.
module.enableCompileCache(join(import.meta.dirname, '..', '..', '.compile-cache'))

// The second call of a command finds its modules compiled. Loaded before the first file of TypeScript, so
// that not even that one needs to be compiled again, nor what compiles it to be loaded.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'

// Node would make the folder that is missing.
if (existsSync(tmpdir())) enableCompileCache()

import {
  randomBytes,
  scrypt as scryptCallback,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto'

/** About 50 ms and 32 MiB per hash: expensive to guess, cheap enough to log in. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const
const KEY_BYTES = 32
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

export function createPasswords() {
  const nobody = Promise.withResolvers<string>()
  let nobodyBegun = false
  const hashOfNobody = () => {
    if (!nobodyBegun) {
      nobodyBegun = true
      hash(randomBytes(16).toString('hex')).then(nobody.resolve, nobody.reject)
    }
    return nobody.promise
  }

  return {
    hash,
    /** Takes the same time for an account that does not exist (`null`) as for one that does. */
    async matches(password: string, stored: string | null): Promise<boolean> {
      const parsed = parse(stored ?? (await hashOfNobody()))
      const key = await scrypt(password, parsed.salt, parsed.key.length, parsed.cost)
      return timingSafeEqual(key, parsed.key) && stored !== null
    },
  }
}

export type Passwords = ReturnType<typeof createPasswords>

async function hash(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await scrypt(password, salt, KEY_BYTES, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join(
    '$',
  )
}

function parse(stored: string) {
  const [scheme, N, r, p, salt, key] = stored.split('$')
  if (scheme !== 'scrypt' || !salt || !key) throw new Error('A stored password hash is not scrypt')
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}

function scrypt(
  password: string,
  salt: Buffer,
  bytes: number,
  cost: ScryptOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: MAX_MEMORY_BYTES }
    scryptCallback(password.normalize('NFKC'), salt, bytes, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

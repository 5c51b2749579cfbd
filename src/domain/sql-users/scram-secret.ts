import { createHmac, hash, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

/** The same values as PostgreSQL itself uses. */
const ITERATIONS = 4096
const SALT_BYTES = 16
const KEY_BYTES = 32

/**
 * What PostgreSQL stores of a password. It is sent instead of the password, which therefore appears
 * in no statement and in no log of the server.
 */
export async function scramSecret(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, KEY_BYTES, 'sha256')
  const keyFor = (purpose: string) => createHmac('sha256', salted).update(purpose).digest()
  const storedKey = hash('sha256', keyFor('Client Key'), 'buffer')
  const [saltText, stored, server] = [salt, storedKey, keyFor('Server Key')].map((bytes) =>
    bytes.toString('base64'),
  )
  return `SCRAM-SHA-256$${ITERATIONS}:${saltText}$${stored}:${server}`
}

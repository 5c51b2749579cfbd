import { createPrivateKey, generateKeyPairSync } from 'node:crypto'

import { CompactSign, compactVerify, decodeProtectedHeader, errors, importJWK } from 'jose'

/** What a sender can show of a file that was taken. */
export interface Receipt {
  /** Its uuid. */
  readonly slot: string
  readonly filename: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly rows: number
  readonly rejected: number
  readonly receivedAt: string
  readonly shapeVersion: number | null
}

/** The public half of a key, as a JWK. */
export interface VerifyingKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly alg: 'EdDSA'
  readonly use: 'sig'
  readonly kid: string
  readonly x: string
}

export const verifyingKey = (kid: string, x: string): VerifyingKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  alg: 'EdDSA',
  use: 'sig',
  kid,
  x,
})

/** A new pair: the `x` of the public JWK, and the private key as PEM. */
export function makeSigningKey(): { readonly x: string; readonly pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    x: publicKey.export({ format: 'jwk' }).x!,
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

/** As a compact JWS. */
export const signReceipt = (receipt: Receipt, kid: string, pem: string): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(receipt)))
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .sign(createPrivateKey(pem))

type Verified =
  | { readonly kind: 'genuine'; readonly receipt: Receipt }
  /** `unreadable`: it is no receipt at all. `unknown-key`: none of the keys has signed it. */
  | { readonly kind: 'unreadable' | 'unknown-key' | 'altered' }

/** The keys alone decide how it is verified: what the receipt says of itself only names one of them. */
export async function verifyReceipt(jws: string, keys: readonly VerifyingKey[]): Promise<Verified> {
  const kid = kidOf(jws)
  if (kid === null) return { kind: 'unreadable' }
  const key = keys.find((each) => each.kid === kid)
  if (key === undefined) return { kind: 'unknown-key' }
  try {
    const own = await importJWK({ ...key }, 'EdDSA')
    const { payload } = await compactVerify(jws, own, { algorithms: ['EdDSA'] })
    return { kind: 'genuine', receipt: JSON.parse(Buffer.from(payload).toString()) as Receipt }
  } catch (error) {
    if (error instanceof errors.JOSEError) return { kind: 'altered' }
    throw error
  }
}

function kidOf(jws: string): string | null {
  try {
    return decodeProtectedHeader(jws).kid ?? null
  } catch {
    return null
  }
}

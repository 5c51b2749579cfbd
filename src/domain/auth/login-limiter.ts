import type { Pool } from 'pg'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'

import { TooManyRequestsException } from '../../errors/index.ts'
import { networkOf } from '../../security/client-network.ts'
import { countAttempts, keyOfAttempts, tooManyAttempts } from './attempt-counts.ts'
import { authMessages } from './auth-messages.ts'
import { Turns, WaitingLines } from './waiting-lines.ts'

/** Attempts of one account, and from one address, that are under way at once, with the one at work. */
const LONGEST_LINES = { account: 20, address: 40 }

/** Hashing takes a thread of Node's four, which files need as well. */
const AT_ONCE = 2
/** Of those who wait for such a thread, two seconds' work. */
const LONGEST_WAIT = 80

/** For so long, whoever has signed in from an address goes before those who have not. */
const KNOWN_SECONDS = 90 * 24 * 60 * 60

interface Attempt {
  readonly account: string
  /** The network of the client; see `networkOf`. */
  readonly network: string
}

interface Count {
  readonly name: string
  /** The number of allowed failures, as a multiple of LOGIN_LIMIT. */
  readonly allowance: number
  /** A successful sign-in shows that the failures before it were the user's own. */
  readonly isClearedBySuccess: boolean
  keyOf(attempt: Attempt): string
}

/**
 * The keys by which failed sign-ins are counted. A few failures from one address only lock the
 * account for that address, so that nobody can lock out somebody else; the wider counts stop
 * attackers who try many accounts, or come from many addresses. A success does not clear the count
 * of its address, since knowing one password does not help to guess others.
 */
const COUNTS: readonly Count[] = [
  {
    name: 'account and address',
    allowance: 1,
    isClearedBySuccess: true,
    keyOf: ({ account, network }) => `${network} ${account}`,
  },
  {
    name: 'address',
    allowance: 5,
    isClearedBySuccess: false,
    keyOf: ({ network }) => network,
  },
  {
    name: 'account',
    allowance: 10,
    isClearedBySuccess: true,
    keyOf: ({ account }) => account,
  },
]

export function createLoginLimiter(pool: Pool, loginLimit: number) {
  const counters = COUNTS.map((count) => {
    const failures = loginLimit * count.allowance
    return {
      ...count,
      failures,
      limiter: countAttempts(pool, { name: count.name, points: failures }),
    }
  })
  // Whether an attempt counts is only known at its end, so simultaneous attempts wait for each
  // other; otherwise many would slip through. One account never has more than one of them in the
  // line of its address, so it keeps no other account of that address waiting.
  const ofAccount = new WaitingLines(LONGEST_LINES.account, lineIsFull)
  const ofAddress = new WaitingLines(LONGEST_LINES.address, lineIsFull)
  // Whoever tries many accounts from many addresses keeps nobody out who has been here before:
  // not of their account's line, and not of the threads that hash.
  const ofKnown = new WaitingLines(LONGEST_LINES.account, lineIsFull)
  const turns = new Turns({ atOnce: AT_ONCE, longest: LONGEST_WAIT }, lineIsFull)
  const known = countAttempts(pool, { name: 'signed in', points: 1, seconds: KNOWN_SECONDS })

  async function decide<R>(asked: Attempt, login: () => Promise<R | null>): Promise<R | null> {
    const counted = counters.map((counter) => ({
      ...counter,
      key: keyOfAttempts(counter.keyOf(asked)),
    }))
    for (const { limiter, failures, key } of counted) await refuseAfter(failures, limiter, key)
    const result = await login()
    for (const { limiter, key, isClearedBySuccess } of counted) {
      if (result === null) await limiter.penalty(key)
      else if (isClearedBySuccess) await limiter.delete(key)
    }
    if (result !== null) await known.set(pairOf(asked), 1, KNOWN_SECONDS)
    return result
  }

  return {
    /** Makes the attempt unless there were too many failures. A result of null is a failure. */
    async attempt<R>(
      account: string,
      clientAddress: string,
      login: () => Promise<R | null>,
    ): Promise<R | null> {
      const asked = { account, network: networkOf(clientAddress) }
      const pair = pairOf(asked)
      const isKnown = (await known.get(pair)) !== null
      const inTurn = () => turns.take(isKnown, () => decide(asked, login))
      if (isKnown) return ofKnown.take(pair, inTurn)
      return ofAccount.take(account, () => ofAddress.take(asked.network, inTurn))
    },
  }
}

export type LoginLimiter = ReturnType<typeof createLoginLimiter>

const pairOf = ({ account, network }: Attempt): string => keyOfAttempts(`${network} ${account}`)

const lineIsFull = () =>
  new TooManyRequestsException(authMessages.manyAtOnce(), { headers: { 'retry-after': '1' } })

async function refuseAfter(
  failures: number,
  limiter: RateLimiterPostgres,
  key: string,
): Promise<void> {
  const counted = await limiter.get(key)
  if (counted === null || counted.consumedPoints < failures) return
  throw tooManyAttempts(counted)
}

import { hash, type Options, verify } from '@node-rs/argon2'
import { BadUserInput, RateLimited } from '../../platform/errors.js'
import { FairQueue } from '../../platform/fairness/fair-queue.js'
import { shareOf } from '../../platform/fairness/share.js'

export const PASSWORD_CHARS_MIN = 8
export const PASSWORD_CHARS_MAX = 200

/** argon2id with 19 MiB, two passes, one thread: about 20 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
const ALGORITHM = 2 satisfies 2 /* Algorithm.Argon2id, a const enum */

export type PasswordCost = Readonly<Pick<Options, 'memoryCost' | 'timeCost'>>

/** A hash in RFC 9106's string form of this cost, with an empty salt and a tag that no password produces. */
function hashOfNobody({ memoryCost, timeCost, parallelism }: Options): string {
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return ['', 'argon2id', 'v=19', parameters, 'A'.repeat(22), 'A'.repeat(43)].join('$')
}

export interface PasswordHasherOptions {
  /** Hashes computed at once; each takes 19 MiB and one of the four threads that DNS and file access share. */
  concurrency?: number
  /** Maximum number of waiting callers of one origin, and of all unknown ones; further ones are refused. */
  waitingMax?: number
  unknownWaitingMax?: number
  /** Called with how long each password waited for its turn, and whether its origin is known. */
  observeWait?: (ms: number, origin: string) => void
  /** The comparison, which a test counts. */
  compare?: typeof verify
  /** A lower cost, for tests that look at something else. Never a setting: nobody may weaken a server. */
  cost?: PasswordCost | undefined
}

/** Origin of a password that is tried. */
export interface PasswordOrigin {
  network: string
  /** True if its user signed in from this network before. */
  isKnown: boolean
}

export interface PasswordHasher {
  /** For a caller with credentials, or with a link that was sent to it. @throws RateLimited when too many wait */
  hash(password: string): Promise<string>
  /**
   * Tells whether the password matches the hash. Without a hash (no such user, or a user without a password) it does
   * the same work and returns false, so that the time reveals nothing.
   * @param origin absent for a caller with credentials
   * @throws RateLimited when too many callers wait
   */
  verify(hashed: string | null | undefined, password: string, origin?: PasswordOrigin): Promise<boolean>
}

/**
 * Creates a hasher with bounded memory. During a flood of sign-ins, networks take turns, and those from which the user
 * signed in before have half of the slots, however many others there are. One per server.
 */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { concurrency = 2, waitingMax = 64, unknownWaitingMax = 1_000, observeWait, compare = verify } = options
  const costs: Options = { ...COST, ...options.cost, algorithm: ALGORITHM }
  const nobody = hashOfNobody(costs)
  const limits = { total: concurrency, perTenant: concurrency, perCaller: concurrency, waitingPerCaller: waitingMax }
  const queue = new FairQueue({ name: 'sign-ins', limits, ...(observeWait && { observeWait }) })
  let unknown = 0

  async function inTurn<T>(origin: PasswordOrigin | undefined, work: () => Promise<T>): Promise<T> {
    if (!origin) return queue.run(shareOf(['known'], 'signed in'), work)
    const { network, isKnown } = origin
    if (isKnown) return queue.run(shareOf(['known'], network), work)
    if (unknown >= unknownWaitingMax) throw new RateLimited('too many concurrent sign-ins', 1)
    unknown++
    try {
      return await queue.run(shareOf(['unknown'], network), work)
    } finally {
      unknown--
    }
  }

  return {
    hash: (password) => inTurn(undefined, () => hash(normalised(password), costs)),
    async verify(hashed, password, origin) {
      const isRight = await inTurn(origin, () => compare(hashed ?? nobody, normalised(password)))
      return isRight && Boolean(hashed)
    },
  }
}

/** Parses a new password. Messages never contain it. @throws BadUserInput */
export function parsePassword(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new BadUserInput(field, `${field} must be a string`)
  if (value.length < PASSWORD_CHARS_MIN || value.length > PASSWORD_CHARS_MAX) {
    const rule = `must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`
    throw new BadUserInput(field, `${field} ${rule}, not ${value.length}`)
  }
  return value
}

/** Keyboards differ in whether é is one code point or two: both are the same password. */
export function normalised(password: string): string {
  return password.normalize('NFKC')
}

import { hash, type Options, verify } from '@node-rs/argon2'
import { BadUserInput, RateLimited } from '../errors.js'

export const PASSWORD_CHARS_MIN = 8
export const PASSWORD_CHARS_MAX = 200

/** argon2id with 19 MiB, two passes, one thread: about 20 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
const OPTIONS: Options = { ...COST, algorithm: 2 satisfies 2 /* Algorithm.Argon2id, a const enum */ }
/** A hash in RFC 9106's string form with the same cost, an empty salt and a tag that no password produces. */
const PARAMETERS = `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`
const NOBODY = ['', 'argon2id', 'v=19', PARAMETERS, 'A'.repeat(22), 'A'.repeat(43)].join('$')

export interface PasswordHasherOptions {
  /** Hashes computed at once; each takes 19 MiB and one of the four threads that DNS and file access share. */
  concurrency?: number
  /** Maximum number of waiting callers; further ones are refused. */
  waitingMax?: number
}

export interface PasswordHasher {
  /** @throws RateLimited when too many callers wait */
  hash(password: string): Promise<string>
  /**
   * Whether the password matches the hash. Without a hash (no such user, or a user without a password) it does the same
   * work and returns false, so that the time reveals nothing.
   * @throws RateLimited when too many callers wait
   */
  verify(hashed: string | null | undefined, password: string): Promise<boolean>
}

/**
 * Creates a hasher with bounded memory: during a flood of sign-ins, a few wait and the others are refused. One per
 * server.
 */
export function createPasswordHasher({ concurrency = 2, waitingMax = 64 }: PasswordHasherOptions = {}): PasswordHasher {
  let running = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < concurrency) running++
    else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new RateLimited('too many concurrent sign-ins', 1)
    try {
      return await work()
    } finally {
      // The slot is handed over; `running` is only decremented when nobody waits.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) => inTurn(() => hash(normalised(password), OPTIONS)),
    async verify(hashed, password) {
      const isRight = await inTurn(() => verify(hashed ?? NOBODY, normalised(password)))
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
function normalised(password: string): string {
  return password.normalize('NFKC')
}

import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { Field, Int, ObjectType } from 'type-graphql'
import { addMutationEntry } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import { isAbsent, parseText } from '../../platform/input.js'
import { sharedLimiter, spend } from '../../platform/limits/shared-limiter.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { CheckCodeEnum, type CheckCode } from './service-check.js'
import { findingsOf, type ServiceKinds } from './service-kinds.js'
import { redactSecrets } from './redact-secrets.js'
import { Service } from './service.js'
import { openParams } from './stored-params.js'

@ObjectType({ simpleResolvers: true, description: 'Result of testing a service.' })
export class ServiceTest {
  @Field(() => Boolean, { description: 'Whether the service works as it is stored.' })
  ok!: boolean

  @Field(() => String, { description: 'Findings for an administrator, without secrets.' })
  message!: string

  @Field(() => CheckCodeEnum, { nullable: true, description: 'Reason for which it does not work; null if it does.' })
  code!: CheckCode | null

  @Field(() => String, {
    nullable: true,
    description:
      'Address at which the caller tries what a server cannot: a sign-in by a provider. It works once, within two minutes.',
  })
  url!: string | null

  @Field(() => Int, { description: 'Duration of the test, in milliseconds.' })
  durationMs!: number
}

/** A service does not work; the message says why, for an administrator. */
export class ServiceTestFailed extends Error {
  constructor(
    message: string,
    readonly code: CheckCode = 'refused',
  ) {
    super(message)
  }
}

/** An administrator waits for it. */
const TEST_MS_MAX = 15_000
/** Per service: a test may send a message, or ask somebody else's server. */
const TESTS_PER_HOUR = 30
const TO_CHARS_MAX = 100
const MESSAGE_CHARS_MAX = 500

/** Tries services out as they are stored. Nothing is written. */
export class ServiceTests {
  readonly #limiter: RateLimiterAbstract

  constructor(private readonly options: { kinds: ServiceKinds; sealer: Sealer; redis: RedisClient | undefined }) {
    this.#limiter = sharedLimiter({ keyPrefix: 'service-test', points: TESTS_PER_HOUR, duration: 3_600 }, options.redis)
  }

  /**
   * @param to whom to send to, where the type of service sends to anybody
   * @throws NotFound, BadUserInput; Unprocessable for a type without a test; RateLimited
   */
  async run(ctx: Context, id: string, to: string | null | undefined): Promise<ServiceTest> {
    const stored = await fetchRecord(ctx, Service, id)
    const kind = this.options.kinds.get(stored.type)
    if (!kind?.test)
      throw new Unprocessable(`a service of type ${stored.type} cannot be tested`, { reason: 'NOT_TESTABLE' })
    const recipient = isAbsent(to) ? null : parseText(to, 'to', { min: 1, max: TO_CHARS_MAX }).trim()
    const service = { id: stored.id, name: stored.name, params: openParams(this.options.sealer, stored) }
    await spend(this.#limiter, service.id, 1, `more than ${TESTS_PER_HOUR} tests an hour of this service`)
    await ctx.database.sqlTransaction((sql) => addMutationEntry(sql, ctx))
    const since = performance.now()
    const signal = AbortSignal.timeout(TEST_MS_MAX)
    const { user, email } = ctx.userCaller
    const { code, said, url } = await kind
      .test({ service, to: recipient, ctx, user, email, now: ctx.now(), signal })
      .then(
        (found) => {
          const { message: said, url = null } = findingsOf(found)
          return { code: null, said, url }
        },
        (error: unknown) => {
          if (error instanceof ServiceTestFailed) return { code: error.code, said: error.message, url: null }
          throw error
        },
      )
    const message = redactSecrets(said, service.params).slice(0, MESSAGE_CHARS_MAX)
    return { ok: code === null, message, code, url, durationMs: Math.round(performance.now() - since) }
  }
}

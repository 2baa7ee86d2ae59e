import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { isAbsent, parseFields, parseInteger } from '../../platform/input.js'

const SECONDS_MAX = 86_400
const DEFAULTS = { answerSeconds: 20, shortAbandonSeconds: 5 }

@InputType('ChannelServiceLevelInput', { description: 'Settings that are not given have their defaults.' })
@ObjectType('ChannelServiceLevel', {
  simpleResolvers: true,
  description: 'Seconds by which an answer is in time, and by which giving up is too early to count.',
})
export class ChannelServiceLevel {
  @Field(() => Int, {
    nullable: true,
    description: `Seconds within which an agent accepts in time: 1 to ${SECONDS_MAX}, ${DEFAULTS.answerSeconds} by default.`,
  })
  answerSeconds?: number

  @Field(() => Int, {
    nullable: true,
    description: `Seconds before which giving up is not counted: 0 to ${SECONDS_MAX}, ${DEFAULTS.shortAbandonSeconds} by default.`,
  })
  shortAbandonSeconds?: number
}

/** @throws BadUserInput naming the field: `serviceLevel.answerSeconds` */
export function parseServiceLevel(value: unknown, field: string): Required<ChannelServiceLevel> | null {
  if (isAbsent(value)) return null
  const known = ['answerSeconds', 'shortAbandonSeconds'] as const
  const given = parseFields(value instanceof ChannelServiceLevel ? { ...value } : value, field, known)
  const seconds = (key: (typeof known)[number], min: number): number =>
    given[key] === undefined ? DEFAULTS[key] : parseInteger(given[key], `${field}.${key}`, min, SECONDS_MAX)
  return { answerSeconds: seconds('answerSeconds', 1), shortAbandonSeconds: seconds('shortAbandonSeconds', 0) }
}

/** Words for how long a consumer waited, in the details of `accepted` and `abandoned`. */
export const WAITED = { inTime: 'inTime', late: 'late', short: 'short', long: 'long' } as const

/**
 * SQL of one of these words, by the strictest of the channels as they are set now; null for other kinds, and for somebody
 * who did not wait.
 */
export function waitedSql({ kind, ms, channels }: Record<'kind' | 'ms' | 'channels', string>): string {
  const secondsOf = (key: keyof typeof DEFAULTS): string => `coalesce((
    select min(coalesce((c.service_level ->> '${key}')::int, ${DEFAULTS[key]})) from channel c where c.id = any(${channels})), ${DEFAULTS[key]})`
  return `case when ${ms} is null then null
    when ${kind} = 'accepted' then case when ${ms} <= 1000::int8 * ${secondsOf('answerSeconds')} then '${WAITED.inTime}' else '${WAITED.late}' end
    when ${kind} = 'abandoned' then case when ${ms} < 1000::int8 * ${secondsOf('shortAbandonSeconds')} then '${WAITED.short}' else '${WAITED.long}' end
  end`
}

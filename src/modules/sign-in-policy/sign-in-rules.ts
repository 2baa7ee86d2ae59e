import { LRUCache } from 'lru-cache'
import type { Sql } from '../../platform/db/database.js'
import { Forbidden } from '../../platform/errors.js'
import { AddressRanges, commonNetworks, plainAddress } from '../../platform/limits/address-ranges.js'

/** Rules of sign-ins, of one organization or of a path; null: there is no rule. */
export interface SignInRules {
  passwordMinLength: number | null
  maxSessionHours: number | null
  /** From where users sign in and use their sessions. */
  allowedNetworks: string[] | null
  /** From where API tokens are used. */
  apiTokenNetworks: string[] | null
  /** Days from its creation for which an API token works. */
  apiTokenMaxDays: number | null
  /** Minutes without use after which a session of a person ends. */
  idleMinutes: number | null
  /** False: people sign in by a provider only. */
  passwordLogin: boolean | null
  /** People who must have a second factor, and the days in which to enrol one. */
  secondFactor: 'off' | 'admins' | 'all' | null
  graceDays: number | null
}

type Rule = keyof SignInRules

/** Demands of a second factor, the stricter later. */
const DEMANDS = ['off', 'admins', 'all'] as const

/** Each rule with its column, and how the stricter of two is found. */
const RULE: { readonly [R in Rule]: readonly [column: string, stricter: Stricter<SignInRules[R]>] } = {
  passwordMinLength: ['password_min_length', Math.max],
  maxSessionHours: ['max_session_hours', Math.min],
  allowedNetworks: ['allowed_networks', commonNetworks],
  apiTokenNetworks: ['api_token_networks', commonNetworks],
  apiTokenMaxDays: ['api_token_max_days', Math.min],
  idleMinutes: ['idle_minutes', Math.min],
  passwordLogin: ['password_login', (one, other) => one && other],
  secondFactor: ['second_factor', (one, other) => DEMANDS[Math.max(DEMANDS.indexOf(one), DEMANDS.indexOf(other))]!],
  graceDays: ['grace_days', Math.min],
}
type Stricter<T> = (one: NonNullable<T>, other: NonNullable<T>) => NonNullable<T>

export const RULES = Object.keys(RULE) as Rule[]

function rulesFrom(valueOf: <R extends Rule>(rule: R) => SignInRules[R]): SignInRules {
  return Object.fromEntries(RULES.map((rule) => [rule, valueOf(rule)])) as unknown as SignInRules
}

export const NO_RULES: SignInRules = Object.freeze(rulesFrom(() => null as never))

/** Returns the rules of a record that has more. */
export const rulesOf = (from: SignInRules): SignInRules => rulesFrom((rule) => from[rule])

/** SQL: the rules of the policy at `alias`, as JSON. */
export const ownRulesSql = (alias: string): string =>
  `jsonb_build_object(${RULES.map((rule) => `'${rule}', ${alias}.${RULE[rule][0]}`).join(', ')})`

/** SQL: the rules of the organizations of a row's path, as a list in JSON; null without any. @param alias of a table with `org1` to `org3` */
export const rulesSql = (alias: string): string => `(
  select jsonb_agg(${ownRulesSql('p')})
  from sign_in_policy p where p.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3))`

/** Returns the strictest of each rule: no organization weakens one above it. */
export function strictest(all: readonly SignInRules[] | null): SignInRules {
  if (all === null || all.length === 0) return NO_RULES
  return all.reduce((one, other) => rulesFrom((rule) => stricterOf(rule, one[rule], other[rule])))
}

function stricterOf<R extends Rule>(rule: R, one: SignInRules[R], other: SignInRules[R]): SignInRules[R] {
  return chosen(RULE[rule][1], one, other)
}

function chosen<T>(choose: Stricter<T>, one: T, other: T): T {
  return one === null ? other : other === null ? one : choose(one!, other!)
}

/** Reads the rules that hold in an organization. @param path from the contact center downwards */
export async function readRulesOfPath(
  sql: Pick<Sql, 'query'>,
  path: readonly (string | undefined)[],
): Promise<SignInRules> {
  const [row] = await sql.query<{ rules: SignInRules[] | null }>(
    `select ${rulesSql('x')} as rules from (values ($1::uuid, $2::uuid, $3::uuid)) as x(org1, org2, org3)`,
    [path[0] ?? null, path[1] ?? null, path[2] ?? null],
    'sign-in-rules-of-path',
  )
  return strictest(row?.rules ?? null)
}

/** Callers of one organization share what is remembered of addresses. */
const RANGES = new LRUCache<string, AddressRanges>({ max: 1_000 })

/** Returns the networks from which somebody may come; undefined where any will do. */
export function rangesOf(networks: readonly string[] | null): AddressRanges | undefined {
  if (networks === null) return undefined
  const key = networks.join(' ')
  let ranges = RANGES.get(key)
  if (!ranges) RANGES.set(key, (ranges = new AddressRanges(networks)))
  return ranges
}

/** @throws Forbidden for an address outside of the networks */
export function requireNetwork(ranges: Pick<AddressRanges, 'has'> | undefined, address: string | null): void {
  if (ranges && !ranges.has(address)) throw networkNotAllowed(address)
}

function networkNotAllowed(address: string | null): Forbidden {
  const from = plainAddress(address) ?? 'an unknown address'
  return new Forbidden(`the sign-in policy of the organization does not allow ${from}`, {
    reason: 'NETWORK_NOT_ALLOWED',
    network: from,
  })
}

/** Minutes by which the stored time of a session's last use may be late: it is written every five, and pages tell of a use each minute. */
export const IDLE_SLACK_MINUTES = 6

/** SQL: when a session was last used. */
const usedSql = (alias: string): string => `coalesce(${alias}.seen_at, ${alias}.created_at)`

/** SQL: the policies that hold for the user of the session at `alias`. Bots are no people: they may be idle. */
const OF_SESSION = (alias: string): string => `
  from app_user of_session join sign_in_policy p
    on p.organization_id in (of_session.org1, of_session.org2, of_session.org3)
  where of_session.id = ${alias}.user_id`
const IDLE = `case when of_session.role <> 'bot' then make_interval(mins => p.idle_minutes + ${IDLE_SLACK_MINUTES}) end`

/** SQL: the rules about second factors that hold for the user at `alias`: since when, and with how many days. @param among SQL of the policies */
const DEMANDED = (alias: string, among = 'sign_in_policy'): string => `(
  select case when ${alias}.role in ('admin', 'owner') then demand.admins_factor_since else demand.all_factor_since end as since,
    demand.grace_days as days
  from ${among} demand where demand.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3))`

/** SQL: whether a user has a second factor: an authenticator app, or a passkey. @param user SQL of the user's id */
export const hasFactorSql = (user: string): string =>
  `(exists (select from user_factor f where f.user_id = ${user} and f.confirmed_at is not null)
    or exists (select from passkey k where k.user_id = ${user}))`

/** SQL: whether the rules ask a second factor of the user at `alias`. */
export const isFactorDemandedSql = (alias: string): string =>
  `(${alias}.role <> 'bot' and exists (select from ${DEMANDED(alias)} d where d.since is not null))`

/**
 * SQL: until when the user at `alias`, who has no second factor, may do without: `days` from when a rule began to hold for the user. Null
 * for who has one, or is asked for none.
 * @param among SQL of the policies; default: those that are stored
 */
export const factorDueSql = (
  alias: string,
  among?: string,
): string => `case when ${alias}.role <> 'bot' and not ${hasFactorSql(`${alias}.id`)}
  then (select greatest(min(d.since), coalesce(${alias}.placed_at, ${alias}.created_at)) + make_interval(days => min(d.days))
    from ${DEMANDED(alias, among)} d where d.since is not null) end`

/** SQL: whether a rule has ended the session at `alias`, of a user, by its age, since nobody uses it, or as one by a password. A provider's counts as one by a second factor. @param now SQL of the time, such as `$1` */
export const isEndedByRuleSql = (alias: string, now: string): string => `exists (
  select ${OF_SESSION(alias)} and (
    ${alias}.created_at + make_interval(hours => p.max_session_hours) <= ${now}::timestamptz
    or ${usedSql(alias)} + ${IDLE} <= ${now}::timestamptz
    or p.password_login = false and of_session.role <> 'bot' and ${alias}.service_id is null
    or p.second_factor is not null and ${alias}.service_id is null and ${factorDueSql('of_session')} <= ${now}::timestamptz))`

/** SQL: when the rules end the session at `alias` unless it is used before; null: they do not. */
export const ruleEndSql = (alias: string): string => `(
  select least(${alias}.created_at + make_interval(hours => min(p.max_session_hours)), ${usedSql(alias)} + min(${IDLE}))
  ${OF_SESSION(alias)})`

/**
 * SQL: whether a rule keeps the user at `alias` from an address.
 * @param address SQL of an `inet`, null for none @param isApiToken SQL: whether it is an API token that is used
 */
export const isKeptOutSql = (alias: string, address: string, isApiToken: string): string => {
  const networks = `case when ${isApiToken} then p.api_token_networks else p.allowed_networks end`
  return `exists (
  select from sign_in_policy p where p.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3)
    and (${networks}) is not null and not coalesce(${address} <<= any((${networks})::inet[]), false))`
}

/** SQL: when an API token was created. Its id is a UUIDv7, whichever release has made it. */
export const tokenCreatedSql = (token: string): string =>
  `to_timestamp(('x' || translate(left(${token}::uuid::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`

/** SQL: when the rules end an API token of the user at `alias`; null: they do not. */
export const tokenEndsSql = (alias: string, token: string): string => `(
  select ${tokenCreatedSql(token)} + make_interval(days => min(p.api_token_max_days))
  from sign_in_policy p where p.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3))`

/** SQL: whether the rules have ended the API token by which the session at `alias`, of a guest, was opened. */
export const isOfOldTokenSql = (alias: string, now: string): string => `(${alias}.api_token_id is not null and exists (
  select from app_user of_token where of_token.id in (
      select id from app_user where api_token_id = ${alias}.api_token_id
      union all select user_id from ending_api_token where id = ${alias}.api_token_id)
    and ${tokenEndsSql('of_token', `${alias}.api_token_id`)} <= ${now}::timestamptz))`

import type { Sql } from '../../platform/db/sql.js'
import { tokenEndsSql } from '../sign-in-policy/sign-in-rules.js'
import type { User } from './user.js'

/**
 * Ends the bot's earlier API token, if it is still valid, and the guests' sign-ins that were opened with either. Must be
 * called before the present one is replaced or revoked.
 * @returns the contacts whose cached callers must be dropped
 */
export async function endApiTokens(sql: Sql, user: Pick<User, 'id' | 'apiTokenId'>, now: Date): Promise<string[]> {
  const ended = await sql.query<{ id: string }>('delete from ending_api_token where user_id = $1 returning id', [
    user.id,
  ])
  const present = user.apiTokenId === null ? [] : [user.apiTokenId]
  return endGuestsOf(sql, [...present, ...ended.map(({ id }) => id)], now)
}

/** Removes a token whose time is over. @returns as {@link endApiTokens} */
export async function removeEndedToken(sql: Sql, token: string, now: Date): Promise<string[]> {
  const ended = await sql.query<{ id: string }>(
    'delete from ending_api_token where id = $1 and ends_at <= $2 returning id',
    [token, now],
  )
  return endGuestsOf(
    sql,
    ended.map(({ id }) => id),
    now,
  )
}

/** Ends the API tokens of a user who may be a bot no more, with all that it has opened for guests. @returns as {@link endApiTokens} */
export async function endTokensOfBot(sql: Sql, user: Pick<User, 'id'>, now: Date): Promise<string[]> {
  await sql.query('delete from ending_api_token where user_id = $1', [user.id])
  return endGuestsOfBot(sql, user, now)
}

/**
 * Ends the sign-ins of guests that a bot has opened, however it had signed in itself.
 * @param which only those of contacts of this organization, or of none at and below it
 * @returns as {@link endApiTokens}
 */
export async function endGuestsOfBot(
  sql: Sql,
  { id }: Pick<User, 'id'>,
  now: Date,
  which: { of?: string; outside?: string } = {},
): Promise<string[]> {
  return contactsOf(
    await sql.query<{ contact_id: string }>(
      `update token_family f set revoked_at = $2 where bot_id = $1 and revoked_at is null
         and ($3::uuid is null or exists (select from contact c where c.id = f.contact_id and c.organization_id = $3))
         and ($4::uuid is null or not exists (
           select from contact c where c.id = f.contact_id and $4 in (c.org1, c.org2, c.org3)))
       returning contact_id`,
      [id, now, which.of ?? null, which.outside ?? null],
    ),
  )
}

async function endGuestsOf(sql: Sql, tokens: readonly string[], now: Date): Promise<string[]> {
  if (tokens.length === 0) return []
  const rows = await sql.query<{ contact_id: string }>(
    `update token_family set revoked_at = $2 where api_token_id = any($1::uuid[]) and revoked_at is null
     returning contact_id`,
    [tokens, now],
  )
  return contactsOf(rows)
}

const contactsOf = (rows: readonly { contact_id: string }[]): string[] => [
  ...new Set(rows.map(({ contact_id: contact }) => contact)),
]

/**
 * Tells in SQL whether `token` is a valid API token of the user at `alias`: the present one, or one that ends after `now`, and neither
 * older than the sign-in policy allows.
 */
export const hasApiTokenSql = (alias: string, token: string, now: string): string =>
  `((${alias}.api_token_id = ${token} or exists (
    select from ending_api_token e where e.id = ${token} and e.user_id = ${alias}.id and e.ends_at > ${now}))
    and coalesce(${tokenEndsSql(alias, token)} > ${now}::timestamptz, true))`

import { MASKED_KINDS, type MaskedKind } from '../../platform/masking/masker.js'
import { Unprocessable } from '../../platform/errors.js'
import { parseList, parseOneOf } from '../../platform/input.js'
import type { Sql } from '../../platform/db/sql.js'
import type { Role } from '../../platform/access/scopes.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const MaskedKindEnum = graphqlEnum('MaskedKind', 'Kind of what a bot may be kept from reading in texts.', {
  EMAIL: ['email', 'Addresses of email.'],
  PHONE: ['phone', 'Telephone numbers, national ones too.'],
  CARD: ['card', 'Numbers of payment cards.'],
  IBAN: ['iban', 'Numbers of bank accounts.'],
}) satisfies Readonly<Record<string, MaskedKind>>

/** @returns in their usual order; null for none @throws BadUserInput; Unprocessable for a person, who reads all */
export function parseMask(value: unknown, role: Role): MaskedKind[] | null {
  if (value === null || value === undefined) return null
  const kinds = parseList(value, 'mask', MASKED_KINDS.length).map((kind, index) =>
    parseOneOf(kind, `mask[${index}]`, MASKED_KINDS),
  )
  if (kinds.length > 0 && role !== 'bot')
    throw new Unprocessable('mask: only bots have one', { reason: 'NOT_A_BOT', field: 'mask' })
  return kinds.length > 0 ? MASKED_KINDS.filter((kind) => kinds.includes(kind)) : null
}

/**
 * Refuses to end a bot, or to make a person of it, while a service sends events for it: they are masked as long as it is a bot that
 * has a mask. @throws Unprocessable naming the service
 */
export async function refuseUnmasking(
  sql: Sql,
  { id, mask }: { id: string; mask: MaskedKind[] | null },
): Promise<void> {
  if (!mask) return
  const [used] = await sql.query<{ id: string }>(
    // In capitals it is the same bot.
    `select id from service where lower(params ->> 'bot') = $1 limit 1`,
    [id],
  )
  if (!used) return
  const message = `the service ${used.id} sends events to this bot, and what is masked for it would be shown: give that another bot first`
  throw new Unprocessable(message, { reason: 'IN_USE', service: used.id })
}

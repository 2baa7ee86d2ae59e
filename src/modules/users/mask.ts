import { MASKED_KINDS, type MaskedKind } from '../../platform/content/masker.js'
import { Unprocessable } from '../../platform/errors.js'
import { parseList, parseOneOf } from '../../platform/input.js'
import type { Role } from '../../platform/access/scopes.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const MaskedKindEnum = graphqlEnum('MaskedKind', 'What a bot may be kept from reading in texts.', {
  EMAIL: ['email', 'Addresses of email.'],
  PHONE: ['phone', 'Telephone numbers, national ones too.'],
  CARD: ['card', 'Numbers of payment cards.'],
  IBAN: ['iban', 'Numbers of bank accounts.'],
}) satisfies Readonly<Record<string, MaskedKind>>

/** @returns in their usual order; null for none @throws BadUserInput; Unprocessable for a person, who reads all */
export function parseMask(value: unknown, role: Role): MaskedKind[] | null {
  if (value === null || value === undefined) return null
  if (role !== 'bot') throw new Unprocessable('mask: only bots have one', { reason: 'NOT_A_BOT', field: 'mask' })
  const kinds = parseList(value, 'mask', MASKED_KINDS.length).map((kind, index) =>
    parseOneOf(kind, `mask[${index}]`, MASKED_KINDS),
  )
  return kinds.length > 0 ? MASKED_KINDS.filter((kind) => kinds.includes(kind)) : null
}

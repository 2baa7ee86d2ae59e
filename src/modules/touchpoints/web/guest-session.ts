import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { openFamily } from '../../auth/token-families.js'
import type { TokenResponse } from '../../auth/token-response.js'
import type { TokenSigner } from '../../auth/tokens.js'
import { recordContactAddress } from '../../contacts/contact-address.js'
import { jobsOfUnverified, metaWithUnverified, settleIdentifiers } from '../../contacts/unverified-identifiers.js'
import { emitContact } from '../../contacts/contact-events.js'
import { parseProfile } from '../../contacts/contact-profile.js'
import { ContactExists, insertContact } from '../../contacts/insert-contact.js'
import type { Context } from '../../../platform/context.js'
import type { WritingChange } from '../../conversations/state/writing-change.js'
import type { ConversationWriter } from '../../conversations/writer/conversation-writer.js'
import { askAhead, beginWithContact, countryFor } from '../../conversations/sending/begin-conversation.js'
import { newConversationAggregate } from '../../conversations/sending/create-conversation.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { Forbidden } from '../../../platform/errors.js'
import { seeContacts } from '../../../platform/presence/contact-presence.js'
import type { TouchpointService } from '../adapter.js'
import { readTouchpointService } from '../touchpoint-service.js'
import type { GuestLimits } from '../../../platform/limits/guest-limits.js'
import { guestShare } from '../../../platform/fairness/share.js'
import { requireOrigin } from './widget-settings.js'
import type { GuestProfileInput } from './guest-profile.js'

export interface GuestSessionDependencies {
  writer: ConversationWriter
  signer: TokenSigner
  limits: GuestLimits
}

export interface StartedSession {
  tokens: TokenResponse
  contactId: string
  conversationId: string
  greeting: string | null
}

const TRIES_MAX = 3
/** In sends. */
const SESSION_COST = 3

/**
 * Begins a visitor's session at a service of type web: creates a contact, a conversation that waits for its first
 * message, and tokens for it. Identifiers that belong to another contact are stored as unverified: nothing of the other
 * contact is shown, not even that it exists (4.8).
 * @throws NotFound for a service that is inactive or of another type; Forbidden for pages of other sites, and from a
 *   blocked address; RateLimited; BadUserInput
 */
export async function startGuestSession(
  dependencies: GuestSessionDependencies,
  ctx: Context,
  given: { service: string; profile: GuestProfileInput | null; language: string | null },
): Promise<StartedSession> {
  const { limits } = dependencies
  await limits.countSession(ctx.address)
  const service = await readTouchpointService(ctx.database, 'web', given.service)
  if (!service) throw recordNotFound('Service', given.service, 'service')
  requireOrigin(ctx.origin, service)
  for (let tries = 1; ; tries += 1) {
    try {
      return await begin(dependencies, ctx.system(), service, { ...given, tries })
    } catch (error) {
      // Another contact took the identifier since it was looked up: now it is unverified.
      if (!(error instanceof ContactExists) || tries >= TRIES_MAX) throw error
    }
  }
}

function begin(
  { signer, writer }: GuestSessionDependencies,
  system: Context,
  service: TouchpointService,
  { profile: given, language, tries }: { profile: GuestProfileInput | null; language: string | null; tries: number },
): Promise<StartedSession> {
  const path = pathOf(service)
  const newAggregate = newConversationAggregate(system, path, { touchpoint: 'web', language })
  const conversationId = newAggregate.conversation.id
  const open = async (change: WritingChange): Promise<StartedSession> => {
    const { clock, now, sql } = change
    const { organizationId } = service
    const id = clock.newId()
    askAhead(change, false)
    const entered = parseProfile({ ...given }, 'profile', given?.telephone ? await countryFor(change) : null)
    const { profile, ...settled } = await settleIdentifiers(
      sql,
      { organizationId, id, profile: {}, meta: null },
      entered,
    )
    const meta = metaWithUnverified(null, settled.unverified)
    const { address } = system
    // Before anything is written: a refusal then costs nobody else.
    const isBlocked = await recordContactAddress(sql, { contact: id, organization: organizationId, address })
    if (isBlocked) throw new Forbidden('the contact is blocked', { reason: 'CONTACT_BLOCKED' })
    const contact = await insertContact(sql, { id, path, profile, meta, now, address })
    emitContact(change, contact, 'created')
    for (const job of jobsOfUnverified(id, settled)) change.addJob(job)
    change.attachContact(id, profile.name ?? null, false)
    await beginWithContact(change, profile)
    await seeContacts(sql, [{ contact: id, touchpoint: 'web' }])
    const holder = { kind: 'guest', contact: id, conversation: conversationId, organization: organizationId } as const
    const tokens = await openFamily(sql, { signer, clock }, holder)
    const { greeting } = service.params
    return { tokens, contactId: id, conversationId, greeting: typeof greeting === 'string' ? greeting : null }
  }
  const share = guestShare(path, system.address ?? 'unknown')
  return writer.runWriting(system, conversationId, open, {
    tries,
    cost: SESSION_COST,
    kind: 'session',
    share,
    newAggregate,
  })
}

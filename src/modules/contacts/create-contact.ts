import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { isAbsent } from '../../platform/input.js'
import { parseMeta } from '../../platform/json.js'
import { emitContact } from './contact-events.js'
import { countryOf } from './contact-organization.js'
import { parseProfile } from './contact-profile.js'
import type { Contact, CreateContactInput } from './contact.js'
import { owningPath } from '../organizations/owned-record.js'
import { insertContact } from './insert-contact.js'

/** Creates a contact; without a profile, an anonymous visitor. @throws ContactExists */
export function createContact(ctx: Context, transact: Transact, input: CreateContactInput): Promise<Contact> {
  const meta = isAbsent(input.meta) ? null : parseMeta(input.meta, 'meta')
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const profile = parseProfile(input.profile ?? {}, 'profile', await countryOf(tx, path))
    const contact = await insertContact(tx, { id: ctx.newId(), path, profile, meta, now: ctx.now() })
    emitContact(tx, contact, 'created')
    return contact
  })
}

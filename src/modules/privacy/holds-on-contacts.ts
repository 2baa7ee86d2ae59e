import type { LoaderDefinition } from '../../platform/context.js'
import { reading } from '../../platform/db/sql.js'
import type { HoldName } from '../holds/hold.js'

/** Loads the holds that keep contacts, also those of organizations above the caller's: they are why an erasure waits. */
export const holdsOnContacts: LoaderDefinition<HoldName[]> = {
  async load(ctx, contacts) {
    const rows = await ctx.reads.query<HoldName & { contact: string }>(HOLDS, [contacts], 'holds-on-contacts')
    const holds = new Map<string, HoldName[]>(contacts.map((id) => [id, []]))
    for (const { contact, id, name } of rows) holds.get(contact)?.push({ id, name })
    return holds
  },
}

const HOLDS = reading(`select c.id as contact, h.id, h.name
  from unnest($1::uuid[]) as c (id), holds_on_contact(c.id) o join hold h on h.id = o.hold_id
  where h.released_at is null order by h.created_at, h.id`)

import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { NotFound } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type StoredEvent } from '../../platform/events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../platform/events/live-feed.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Contact } from '../contacts/contact.js'
import { linkedContacts } from '../contacts/linked-contacts.js'

const TYPE = /^(contact|contactNote)\.(created|updated|deleted)$/

/**
 * Source of `contactChanges`: events of the organization's stream, which the writes store anyway, so that none is lost with Redis and
 * every node has them. They hold ids; whoever hears of one reads what it may see.
 */
export class ContactChangesSource implements LiveSource {
  readonly field = 'contactChanges'

  async open(ctx: Context, { contact }: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('contact.watch')
    const { id, organizationId } = await fetchRecord(ctx, Contact, contact as string, { field: 'contact' })
    const contacts = new Set(await linkedContacts(ctx.reads, id))
    const part = [...contacts].toSorted().join(' ')
    return {
      streams: [organizationStream(organizationId)],
      audience: `contact:${part}`,
      snapshot: async () => ({ __typename: 'ContactChangesSnapshot' }),
      toEvent: (event) => showChange(event, contacts),
      isStillAllowed: async (now) => isAllowed(now.caller, 'contact.watch') && (await isThere(now, id)),
      // A merge adds contacts: then it begins anew.
      part,
      currentPart: async (now) => (await linkedContacts(now.reads, id)).toSorted().join(' '),
    }
  }
}

async function isThere(ctx: Context, id: string): Promise<boolean> {
  try {
    await fetchRecord(ctx, Contact, id)
    return true
  } catch (error) {
    if (error instanceof NotFound) return false
    throw error
  }
}

function showChange({ type, data }: StoredEvent, contacts: ReadonlySet<string>): LiveEvent | null {
  const [, record, change] = (TYPE.exec(type) ?? []) as [string?, string?, RecordChange?]
  if (!record) return null
  const isNote = record === 'contactNote'
  const contactId = (isNote ? data.contact : data.id) as string
  if (!contacts.has(contactId)) return null
  return { __typename: 'ContactChanged', contactId, noteId: isNote ? data.id : null, change }
}

import type { Context } from '../../platform/context.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Contact } from '../contacts/contact.js'
import type { ChangedObject } from '../four-eyes/guarded-operation.js'

/** Names a contact for those who approve that it is erased, by its id alone: that stays. @throws NotFound */
export async function contactToErase(ctx: Context, named: string): Promise<ChangedObject> {
  const { id } = await fetchRecord(ctx, Contact, named)
  return { type: 'contact', id }
}

import { LockMode } from '@mikro-orm/core'
import { NIL } from 'uuid'
import type { Context } from '../../platform/context.js'
import { Contact } from '../contacts/contact.js'
import { shareHolds } from '../holds/held.js'
import { ContactErasure } from './contact-erasure.js'
import { beginErasure, type EraseContactDependencies } from './erase-contact.js'

/** Conversations, or erasures, that are read at once. */
const PAGE = 100

/**
 * Brings up to date what the holds of a contact center decide: what is kept of messages names the holds that are left, and goes with the
 * last; blocked erasures that none blocks any more go on. Can be stopped anywhere and repeated, also by two nodes at once.
 */
export async function holdChanged(
  dependencies: Pick<EraseContactDependencies, 'database' | 'transact' | 'accessChanges'>,
  system: Context,
  center: string,
): Promise<void> {
  await eachPage(
    (after) =>
      dependencies.database.query<{ id: string }>(
        `select distinct conversation_id as id from held_message where org1 = $1 and conversation_id > $2
         order by 1 limit ${PAGE}`,
        [center, after],
      ),
    (ids) => forgetMessages(dependencies, system, center, ids),
  )
  await eachPage(
    (after) =>
      dependencies.database.query<{ id: string }>(
        `select id from erasure where org1 = $1 and status = 'blocked' and id > $2 order by id limit ${PAGE}`,
        [center, after],
      ),
    async (ids) => {
      for (const id of ids) await goOn(dependencies, system, id)
    },
  )
}

async function eachPage(
  read: (after: string) => Promise<{ id: string }[]>,
  run: (ids: string[]) => Promise<void>,
): Promise<void> {
  for (let after: string = NIL; ;) {
    const page = await read(after)
    if (page.length > 0) await run(page.map(({ id }) => id))
    if (page.length < PAGE) return
    after = page.at(-1)!.id
  }
}

/** Nobody makes a hold meanwhile, which would find less than it keeps. */
function forgetMessages(
  { transact }: Pick<EraseContactDependencies, 'transact'>,
  system: Context,
  center: string,
  conversations: readonly string[],
): Promise<void> {
  return transact(system, async (tx) => {
    await shareHolds(tx, center)
    await tx.query(FORGET, [conversations])
  })
}

const FORGET = `
with kept as (
  select conversation_id, array_agg(distinct hold_id) as holds from holds_on($1::uuid[]) group by conversation_id
), named as (
  update held_message m set holds = k.holds from kept k
  where m.conversation_id = k.conversation_id and not (m.holds @> k.holds and m.holds <@ k.holds)
)
delete from held_message m where m.conversation_id = any($1::uuid[])
  and not exists (select from kept k where k.conversation_id = m.conversation_id)`

/** Begins a blocked erasure, or goes on with it, unless a hold is left. One whose contact is gone meanwhile is done. */
async function goOn(
  { transact, accessChanges }: Pick<EraseContactDependencies, 'transact' | 'accessChanges'>,
  system: Context,
  id: string,
): Promise<void> {
  const begun = await transact(system, async (tx) => {
    const erasure = await tx.em.findOne(ContactErasure, { id, status: 'blocked' })
    if (!erasure) return null
    const { contactId, reason } = erasure
    const contact = await tx.em.findOne(Contact, { id: contactId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (contact) return beginErasure(system, tx, contact, reason)
    Object.assign(erasure, { status: 'done', finishedAt: system.now(), updatedAt: system.now() })
    return null
  })
  if (begun?.status === 'withdrawing') accessChanges.userChanged(begun.contactId)
}

import type { Context } from '../context.js'
import type { Job } from '../jobs/job.js'
import { payloadText } from '../jobs/job-runner.js'
import type { ConversationWork } from './conversation-work.js'
import type { ConversationWriter } from './conversation-writer.js'
import { emptyMessage } from './new-message.js'

/** Looks for conversations of the same contact; payload `{conversation}`. */
export const MERGE_SUGGEST = 'merge.suggest'

/** The newest others of a contact: an agent reads them one by one. */
const SUGGESTIONS_MAX = 3

export interface SuggestDependencies {
  writer: ConversationWriter
  /** Base of links, without a trailing slash. */
  publicUrl: string
}

/**
 * Has a job look further when the contact has another conversation that is not archived and was not suggested yet (4.8,
 * 6.5): one indexed statement here, since it is on the way of consumer messages that queue.
 */
export async function suggestMerges(work: ConversationWork): Promise<void> {
  const { id, contactId } = work.conversation
  if (!contactId) return
  const rows = await work.sql.query(`${OTHERS} limit 1`, [id, contactId], 'has-other-conversations')
  if (rows.length > 0) work.addJob({ kind: MERGE_SUGGEST, key: `merge:${contactId}`, payload: { conversation: id } })
}

/** Does a `merge.suggest` job. */
export async function suggestOthers(dependencies: SuggestDependencies, system: Context, job: Job): Promise<void> {
  const conversation = payloadText(job.payload, 'conversation')
  const others = await system.database.query<{ id: string }>(
    `${OTHERS.replace('$2', '(select contact_id from conversation where id = $1)')}
     order by c.last_message_at desc nulls last, c.id desc limit ${SUGGESTIONS_MAX}`,
    [conversation],
  )
  const reason = 'This contact has another conversation'
  for (const { id } of others) await suggest(dependencies, system, conversation, id, reason)
}

/** Does a `contact.matched` job: the newest conversation of each of the two contacts. */
export async function suggestMatched(dependencies: SuggestDependencies, system: Context, job: Job): Promise<void> {
  const [one, other] = await Promise.all(
    (['contact', 'other'] as const).map(async (key) => {
      const [newest] = await system.database.query<{ id: string }>(
        `select id from conversation where contact_id = $1 and status <> 'archived' order by id desc limit 1`,
        [payloadText(job.payload, key)],
      )
      return newest?.id
    }),
  )
  if (!one || !other) return
  await suggest(dependencies, system, one, other, 'A contact with the same email or telephone has a conversation')
}

/** Posts the card into the first conversation, unless the two were suggested before, in either of them. */
async function suggest(
  { writer, publicUrl }: SuggestDependencies,
  system: Context,
  conversation: string,
  other: string,
  reason: string,
): Promise<void> {
  const post = async (work: ConversationWork): Promise<void> => {
    const origin = work.others.get(other)!.conversation
    const isMergeable = origin.status !== 'archived' && origin.organizationId === work.conversation.organizationId
    if (!isMergeable || work.conversation.status === 'archived') return
    const added = await work.sql.query(
      `insert into merge_suggestion (one, other, created_at)
       values (least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3) on conflict do nothing returning one`,
      [conversation, other, work.now],
    )
    if (added.length === 0) return
    work.addMessage({
      ...emptyMessage(work.clock.newId()),
      type: 'card',
      isBackchannel: true,
      text: `${reason}: ${origin.name} (${origin.status}). To merge it into this one, send /import ${other}`,
      actions: [{ type: 'link', text: `Open ${origin.name}`, uri: `${publicUrl}/c/${origin.slug}` }],
      meta: { title: 'Merge suggestion', _noCopy: true, _origin: other },
    })
  }
  await writer.run(system, conversation, post, { isAlone: true, alsoLock: [other] })
}

/** Other conversations of contact $2 than $1, but for archived ones and those suggested together with it. */
const OTHERS = `
select c.id from conversation c where c.contact_id = $2 and c.id <> $1 and c.status <> 'archived'
  and not exists (select 1 from merge_suggestion s
    where s.one = least(c.id, $1::uuid) and s.other = greatest(c.id, $1::uuid))`

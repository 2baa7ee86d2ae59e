import type { IdentifierGiven } from '../../contacts/contact-jobs.js'
import type { Context } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { emptyMessage, type UnplacedMessage } from './unplaced-message.js'

/** Looks for other conversations of the same contact. */
export const MERGE_SUGGEST = defineJob<{ conversation: string }>('merge.suggest', { conversation: 'string' })

/** Maximum number of suggestions, newest first: an agent reads them one by one. */
const SUGGESTIONS_MAX = 3

export interface SuggestDependencies {
  writer: ConversationWriter
  /** Base of links, without a trailing slash. */
  publicUrl: string
}

/**
 * Adds a job if the contact has another conversation that is neither archived nor already suggested (4.8, 6.5). Only
 * one indexed statement runs here, since every consumer message that queues a conversation passes through this code.
 */
export async function suggestMerges(change: ConversationChange): Promise<void> {
  const { id, contactId } = change.conversation
  if (!contactId) return
  const rows = await change.sql.query(reading(`${OTHERS} limit 1`), [id, contactId], 'has-other-conversations')
  if (rows.length > 0) change.addJob(MERGE_SUGGEST.create({ conversation: id }, { key: `merge:${contactId}` }))
}

/** Handles a `merge.suggest` job. */
export async function suggestOthers(
  dependencies: SuggestDependencies,
  system: Context,
  { conversation }: { conversation: string },
): Promise<void> {
  const others = await system.reads.query<{ id: string }>(
    `${OTHERS.replace('$2', '(select contact_id from conversation where id = $1)')}
     order by c.last_message_at desc nulls last, c.id desc limit ${SUGGESTIONS_MAX}`,
    [conversation],
  )
  const reason = 'This contact has another conversation'
  for (const { id } of others) await suggest(dependencies, system, conversation, id, reason)
}

/** Handles a `contact.matched` job: suggests merging the newest conversations of the two contacts. */
export async function suggestMatched(
  dependencies: SuggestDependencies,
  system: Context,
  { contact, other }: { contact: string; other: string },
): Promise<void> {
  const [one, another] = await Promise.all([contact, other].map((each) => newestOf(system, each)))
  if (!one || !another) return
  // Each message of a person whom two contacts stand for brings this job: it locks the conversations once.
  const known = await system.reads.query(SUGGESTED, [one, another])
  if (known.length > 0) return
  await suggest(dependencies, system, one, another, 'A contact with the same email or telephone has a conversation')
}

/**
 * Handles a `contact.said` job: adds one message for the agents of the contact's newest conversation, with a suggestion
 * if another contact has the same email or telephone number.
 */
export async function postUnverified(
  { writer, publicUrl }: SuggestDependencies,
  system: Context,
  { contact, said, others }: IdentifierGiven,
): Promise<void> {
  const conversation = await newestOf(system, contact)
  if (!conversation) return
  const found = await Promise.all(others.map((other) => newestOf(system, other)))
  const alsoLock = [...new Set(found.filter((id) => id !== null))]
  const post = async (change: WritingChange): Promise<void> => {
    if (change.conversation.status === 'archived') return
    const origins: ConversationState[] = []
    for (const other of alsoLock) {
      const origin = await noteSuggestion(change, other)
      if (origin) origins.push(origin)
    }
    const words = Object.entries(said).map(([kind, value]) => `the ${kind} ${value}`)
    const reason = 'A contact with the same email or telephone has a conversation'
    const lines = [`The visitor says: ${words.join(', ')}`, ...origins.map((origin) => suggestion(reason, origin))]
    change.addMessage({
      ...emptyMessage(change.clock.newId()),
      isBackchannel: true,
      text: lines.join('\n'),
      meta: { _noCopy: true },
      ...(origins.length > 0 && cardOf(origins, publicUrl)),
    })
  }
  await writer.runExclusive(system, conversation, post, { alsoLock })
}

async function newestOf(system: Context, contact: string): Promise<string | null> {
  const [newest] = await system.reads.query<{ id: string }>(
    `select id from conversation where contact_id = $1 and status <> 'archived' order by id desc limit 1`,
    [contact],
  )
  return newest?.id ?? null
}

/**
 * Adds the suggestion to the first conversation, unless these two conversations were suggested before, in either of
 * them.
 */
async function suggest(
  { writer, publicUrl }: SuggestDependencies,
  system: Context,
  conversation: string,
  other: string,
  reason: string,
): Promise<void> {
  const post = async (change: WritingChange): Promise<void> => {
    const origin = change.conversation.status === 'archived' ? null : await noteSuggestion(change, other)
    if (!origin) return
    const text = suggestion(reason, origin)
    change.addMessage({
      ...emptyMessage(change.clock.newId()),
      isBackchannel: true,
      text,
      ...cardOf([origin], publicUrl),
    })
  }
  await writer.runExclusive(system, conversation, post, { alsoLock: [other] })
}

/** @returns the other conversation; null if it cannot be merged or was already suggested */
async function noteSuggestion(
  { conversation, others, sql, now }: WritingChange,
  other: string,
): Promise<ConversationState | null> {
  const origin = others.get(other)!.conversation
  if (origin.status === 'archived' || origin.organizationId !== conversation.organizationId) return null
  const added = await sql.query(
    `insert into merge_suggestion (one, other, created_at)
     values (least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3) on conflict do nothing returning one`,
    [conversation.id, other, now],
  )
  return added.length > 0 ? origin : null
}

function suggestion(reason: string, { id, name, status }: ConversationState): string {
  return `${reason}: ${name} (${status}). To merge it into this one, send /import ${id}`
}

function cardOf(
  origins: readonly ConversationState[],
  publicUrl: string,
): Pick<UnplacedMessage, 'type' | 'actions' | 'meta'> {
  return {
    type: 'card',
    actions: origins.map(({ name, slug }) => ({ type: 'link', text: `Open ${name}`, uri: `${publicUrl}/c/${slug}` })),
    meta: {
      title: 'Merge suggestion',
      _noCopy: true,
      _origin: origins[0]!.id,
      ...(origins.length > 1 && { _origins: origins.map(({ id }) => id) }),
    },
  }
}

const SUGGESTED =
  'select 1 from merge_suggestion where one = least($1::uuid, $2::uuid) and other = greatest($1::uuid, $2::uuid)'

/**
 * Selects conversations of contact $2 other than $1 that are neither archived nor already suggested together with $1.
 */
const OTHERS = `
select c.id from conversation c where c.contact_id = $2 and c.id <> $1 and c.status <> 'archived'
  and not exists (select 1 from merge_suggestion s
    where s.one = least(c.id, $1::uuid) and s.other = greatest(c.id, $1::uuid))`

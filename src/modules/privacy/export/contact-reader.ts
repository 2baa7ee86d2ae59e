import { NIL } from 'uuid'
import { camelRow } from '../../../platform/lists/rows.js'
import type { Context } from '../../../platform/context.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Attachment } from '../../attachments/attachment.js'
import { WHOLE_CONVERSATION } from '../../conversations/state/conversation-columns.js'
import type { ConversationState } from '../../conversations/state/conversation-state.js'
import { WHOLE_MESSAGE } from '../../messages/message-columns.js'
import { consumerVisibleSql, type MessageRow } from '../../messages/message-row.js'

const CONVERSATIONS_PAGE = 50
/** Messages are long at times: few at once. */
const MESSAGES_PAGE = 100
const DELIVERIES_PAGE = 500
const NOTES_PAGE = 100

/** A conversation of the contact. Of a deleted one there are the copies of its messages in others. */
export interface FoundConversation {
  id: string
  state: ConversationState | null
  /** Position of its newest message when it was found: later ones are not read. -1 where there is none, and of a deleted one. */
  last: number
}

export interface ContactFacts {
  organization: string
  org1: string
  profile: { name?: string; email?: string; telephone?: string }
  language: string | null
  /** Its members in `contact.json`. */
  shown: Record<string, unknown>
}

export interface NoteRow {
  id: string
  authorName: string
  text: string
  createdAt: Date
  updatedAt: Date
}

interface ReaderOptions {
  sql: Pick<Sql, 'query'>
  /** Creates a context that sees every tenant; one for each conversation, since it remembers what it has loaded. */
  system: () => Context
  contact: string
  notes: boolean
  /** Called between pages: rests, and throws when the export is not wanted any more. */
  pace: () => Promise<void>
}

/** Reads what is kept of a contact, a page at a time. */
export class ContactReader {
  constructor(readonly options: ReaderOptions) {}

  /** @returns null for a contact that is gone */
  async facts(): Promise<ContactFacts | null> {
    const [row] = await this.#query<Record<string, unknown>>(FACTS, [this.options.contact])
    if (!row) return null
    const { organization, org1, profile, language, ...rest } = row as unknown as ContactFacts & Record<string, unknown>
    return { organization, org1, profile, language, shown: { organization, profile, ...rest } }
  }

  async *conversations(): AsyncGenerator<FoundConversation> {
    for (let after: string = NIL; ;) {
      const page = await this.#query<ConversationState & { last: number }>(CONVERSATIONS, [
        this.options.contact,
        after,
        CONVERSATIONS_PAGE,
      ])
      for (const { last, ...state } of page) yield { id: state.id, state, last }
      if (page.length < CONVERSATIONS_PAGE) break
      after = page.at(-1)!.id
    }
    const deleted = await this.#query<{ id: string }>(DELETED_CONVERSATIONS, [this.options.contact])
    for (const { id } of deleted) yield { id, state: null, last: -1 }
  }

  /** Reads the messages of a conversation in their order: those that the contact may see, and with notes all others. */
  async *messages({ id, state, last }: FoundConversation): AsyncGenerator<MessageRow> {
    const visible = this.options.notes ? 'true' : consumerVisibleSql('t')
    const [text, ...values] = state ? ([OF_CONVERSATION, last] as const) : ([COPIES] as const)
    for (let after: string | number = state ? -1 : NIL; ;) {
      const page = await this.#query<MessageRow>(`${text.replace('{visible}', visible)} limit ${MESSAGES_PAGE}`, [
        id,
        after,
        ...values,
      ])
      yield* page
      await this.options.pace()
      if (page.length < MESSAGES_PAGE) return
      after = state ? page.at(-1)!.position : page.at(-1)!.id
    }
  }

  async *deliveries({ id, last }: Pick<FoundConversation, 'id' | 'last'>): AsyncGenerator<Record<string, unknown>> {
    const visible = this.options.notes ? 'true' : consumerVisibleSql('t')
    for (let after = -1; after < last; after += DELIVERIES_PAGE) {
      const to = Math.min(after + DELIVERIES_PAGE, last)
      yield* await this.#query<Record<string, unknown>>(DELIVERIES.replace('{visible}', visible), [id, after, to])
      await this.options.pace()
    }
  }

  async *notes(): AsyncGenerator<NoteRow> {
    for (let after: string = NIL; ;) {
      const page = await this.#query<NoteRow>(NOTES, [[this.options.contact], after, NOTES_PAGE])
      yield* page
      await this.options.pace()
      if (page.length < NOTES_PAGE) return
      after = page.at(-1)!.id
    }
  }

  /** Reads the uploads of the contact, also where no message has them. */
  async uploads(): Promise<Attachment[]> {
    const rows = await this.#query<Record<string, unknown>>(
      'select * from attachment where contact_id = any($1::uuid[]) order by id',
      [[this.options.contact]],
    )
    return rows.map((row) => camelRow<Attachment>(row))
  }

  ratings = (): Promise<object[]> => this.#query(RATINGS, [this.options.contact])
  optOuts = (): Promise<object[]> => this.#query(OPT_OUTS, [this.options.contact])
  changes = (): Promise<object[]> => this.#query(CHANGES, [[this.options.contact]])
  merges = (): Promise<object[]> => this.#query(MERGES, [this.options.contact])

  #query<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.options.sql.query<Row>(text, values)
  }
}

const FACTS = `
select coalesce(o.display_name, o.name) as organization, c.org1, c.id, c.profile, c.meta, c.status,
  c.address as "networkAddress", c.created_at as "createdAt", c.updated_at as "updatedAt",
  (select v.language from conversation v where v.contact_id = c.id and v.language is not null
    order by v.created_at desc limit 1) as language,
  (select coalesce(jsonb_agg(jsonb_build_object('service', s.name, 'touchpoint', s.touchpoint, 'address', h.address,
      'since', h.created_at, 'lastInboundAt', h.last_inbound_at, 'blockedAt', h.blocked_at) order by h.created_at), '[]')
    from contact_handle h join service s on s.id = h.service_id where h.contact_id = c.id) as identifiers,
  (select coalesce(jsonb_agg(jsonb_build_object('touchpoint', p.touchpoint, 'lastSeenAt', p.last_seen_at)
      order by p.touchpoint), '[]') from contact_presence p where p.contact_id = c.id) as presence,
  (select coalesce(jsonb_agg(jsonb_build_object('address', b.address, 'blockedAt', b.created_at)
      order by b.created_at), '[]') from blocked_address b where b.contact_id = c.id) as "blockedAddresses"
from contact c join organization o on o.id = c.organization_id where c.id = $1 and c.erasing_at is null`

const CONVERSATIONS = `
select ${WHOLE_CONVERSATION}, coalesce((select max(m.position) from message m where m.conversation_id = t.id), -1) as last
from conversation t where t.contact_id = $1 and t.id > $2 order by t.id limit $3`

const DELETED_CONVERSATIONS = `
select d.id from deleted_conversation d
where d.contact_id = $1 and exists (select from message m where m.origin_id = d.id) order by d.id`

const OF_CONVERSATION = `
select ${WHOLE_MESSAGE} from message t
where t.conversation_id = $1 and t.position > $2 and t.position <= $3 and {visible} order by t.position`

const COPIES = `select ${WHOLE_MESSAGE} from message t where t.origin_id = $1 and t.id > $2 and {visible} order by t.id`

/** Without the other recipients of a mail, and without those to whom a message was forwarded: these are others' data. */
const DELIVERIES = `
select t.conversation_id as conversation, d.message_id as message, d.touchpoint, d.status,
  d.reason, case when not t.is_backchannel then d.recipient end as recipient, d.segments, d.attempts,
  d.created_at as "createdAt", d.updated_at as "updatedAt"
from message t join delivery d on d.message_id = t.id
where t.conversation_id = $1 and t.position > $2 and t.position <= $3 and {visible} order by t.position, d.touchpoint`

const NOTES = `
select t.id, t.author_name as "authorName", t.text, t.created_at as "createdAt", t.updated_at as "updatedAt"
from contact_note t where t.contact_id = any($1::uuid[]) and t.id > $2 order by t.id limit $3`

const RATINGS = `
select t.id, t.conversation_id as conversation, t.touchpoint, t.scale, t.not_asked as "notAsked", t.asked_at as "askedAt",
  t.score, t.rated_at as "ratedAt", c.comment
from rating t left join rating_comment c on c.rating_id = t.id where t.contact_id = $1 order by t.id`

/** Numbers that asked for no more messages are kept as pseudonyms: found by the addresses that the contact has. */
const OPT_OUTS = `
select distinct s.name as service, s.touchpoint, known.address, t.opted_out_at as "optedOutAt"
from (
  select h.service_id as service, h.address from contact_handle h where h.contact_id = $1
  union select s.id, c.telephone from contact c join service s on s.org1 = c.org1 where c.id = $1 and c.telephone is not null
  union select d.service_id, d.recipient from conversation v join message m on m.conversation_id = v.id
    join delivery d on d.message_id = m.id where v.contact_id = $1 and d.touchpoint = 'sms'
) as known join opt_out t on t.service_id = known.service and t.address = erased_name(known.address)
join service s on s.id = t.service_id order by "optedOutAt"`

const CHANGES = `
select t.created_at as at, t.is_by_contact as "isByContact", t.fields
from contact_change t where t.contact_id = any($1::uuid[]) order by t.created_at, t.id`

/** The conversation of another contact is not named. */
const MERGES = `
select t.created_at as at, case when t.origin_id = $1 then t.origin_conversation_id else t.target_conversation_id end as conversation
from contact_merge t join contact c on c.id = $1 where t.origin_id = c.id or t.target_id = c.id order by t.created_at, t.id`

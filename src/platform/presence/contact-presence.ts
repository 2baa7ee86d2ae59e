import type { LoaderDefinition } from '../context.js'
import type { Sql } from '../db/database.js'
import { DEAD_AFTER_SECONDS } from './presence-times.js'

/** Time at which a contact was last seen by a touchpoint, as stored and read. */
export interface ContactPresenceRow {
  touchpoint: string
  /** True if it has the conversation open; always false except for the web. */
  online: boolean
  lastSeenAt: Date
}

/** Minimum interval between updates while a contact keeps writing. */
const SEEN_STEP_SECONDS = 15

export interface SeenContact {
  contact: string
  touchpoint: string
}

/** Records that contacts were active just now. */
export async function seeContacts(sql: Sql, seen: readonly SeenContact[]): Promise<void> {
  await sql.query(
    `insert into contact_presence as p (contact_id, touchpoint, last_seen_at)
     select distinct c.id, x.touchpoint, now()
     from unnest($1::uuid[], $2::text[]) as x(contact, touchpoint) join contact c on c.id = x.contact
     order by c.id, x.touchpoint
     on conflict (contact_id, touchpoint) do update set last_seen_at = excluded.last_seen_at
     where p.last_seen_at < now() - make_interval(secs => ${SEEN_STEP_SECONDS})`,
    [seen.map(({ contact }) => contact), seen.map(({ touchpoint }) => touchpoint)],
    'see-contacts',
  )
}

/** Loads by contact id, ordered by last visit, newest first. */
export const contactPresencesLoader: LoaderDefinition<ContactPresenceRow[]> = {
  async load(ctx, contacts) {
    const rows = await ctx.reads.query<ContactPresenceRow & { contact: string }>(
      PRESENCES,
      [contacts],
      'contact-presences',
    )
    const byContact = Map.groupBy(rows, ({ contact }) => contact)
    return new Map([...byContact].map(([contact, list]) => [contact, list]))
  },
}

// An online contact was last seen at the last heartbeat of the node that holds its connection.
const PRESENCES = `
select p.contact_id as contact, p.touchpoint, v.seen_at is not null as online,
  greatest(p.last_seen_at, v.seen_at) as "lastSeenAt"
from contact_presence p left join lateral (
  select max(n.seen_at) as seen_at from conversation_viewer w join node n on n.id = w.node_id
  where p.touchpoint = 'web' and w.contact_id = p.contact_id
    and n.seen_at > now() - make_interval(secs => ${DEAD_AFTER_SECONDS})) v on true
where p.contact_id = any($1::uuid[]) order by p.contact_id, "lastSeenAt" desc`

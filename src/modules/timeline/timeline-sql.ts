import type { TimelineKind } from './timeline-entry.js'

/** A row of the union below. */
export interface TimelineRow {
  kind: TimelineKind
  /** Names the entry, and orders those of one instant. */
  key: string
  at: Date
  /** Microseconds since 1970, as text: what a cursor has. */
  micros: string
  contact: string
  conversation: string | null
  into: string | null
  touchpoint: string | null
  ref: string | null
  user: string | null
  isByContact: boolean
  fields: string[] | null
  form: unknown
}

/** Values of the union's columns, by their names, for kinds that have none. */
const NONE: Readonly<Record<string, string>> = {
  contact: 'null::uuid',
  conversation: 'null::uuid',
  into: 'null::uuid',
  touchpoint: 'null::text',
  ref: 'null::uuid',
  user: 'null::uuid',
  isByContact: 'false',
  fields: 'null::text[]',
  form: 'null::jsonb',
}

interface Branch {
  at: string
  /** Distinguishes the entries of the kind. */
  name: string
  columns: Readonly<Record<string, string>>
  from: string
  where?: string
}

const instant = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`
const ofOwn = { contact: 'o.contact_id', conversation: 'o.id', touchpoint: 'o.touchpoint' }

/**
 * Statements of each kind, over `own`: the conversations of the contacts that the caller sees. A closing is known from the
 * conversation until it goes on, and from its milestone then; its name is its time, so that it stays the same entry.
 */
const BRANCHES: Readonly<Record<TimelineKind, readonly Branch[]>> = {
  begun: [{ at: 'o.created_at', name: 'o.id', columns: ofOwn, from: 'own o' }],
  closed: [
    {
      at: 'o.closed_at',
      name: `o.id || ':' || ${instant('o.closed_at')}`,
      columns: ofOwn,
      from: 'own o',
      where: 'o.closed_at is not null',
    },
    {
      at: 'm.at',
      name: `o.id || ':' || ${instant('m.at')}`,
      columns: ofOwn,
      from: `own o join closings m on m.conversation_id = o.id`,
    },
  ],
  reopened: [
    {
      at: 'r.at',
      name: `o.id || ':' || ${instant('r.at')}`,
      columns: ofOwn,
      from: `own o join closings m on m.conversation_id = o.id, lateral (
        select n.at from milestone n where n.conversation_id = m.conversation_id and n.nth > m.nth
          and n.kind in ('queued', 'accepted', 'consumerTurn') order by n.nth limit 1) r`,
    },
  ],
  note: [
    {
      at: 't.created_at',
      name: 't.id',
      columns: { contact: 't.contact_id', ref: 't.id', user: 't.author_id' },
      from: 'contact_note t',
      where: 't.contact_id = any($1::uuid[]) and {tenant:t}',
    },
  ],
  merge: [
    {
      at: 't.created_at',
      name: 't.id',
      columns: {
        ...{ contact: 't.origin_id', conversation: 't.origin_conversation_id', into: 't.target_conversation_id' },
        user: 't.user_id',
      },
      from: 'contact_merge t',
      where: 't.target_id = any($1::uuid[])',
    },
  ],
  form: [
    {
      at: `(x.form ->> 'completedAt')::timestamptz`,
      name: `o.id || ':' || x.place`,
      columns: { ...ofOwn, form: 'x.form' },
      from: `own o join conversation v on v.id = o.id,
        jsonb_array_elements(v.results) with ordinality as x(form, place)`,
      where: 'o.has_results',
    },
  ],
  rating: [
    {
      at: 't.rated_at',
      name: 't.id',
      columns: {
        ...{ contact: 't.contact_id', conversation: 't.conversation_id', touchpoint: 't.touchpoint' },
        ...{ ref: 't.id', user: 't.user_id' },
      },
      from: 'rating t',
      where: 't.contact_id = any($1::uuid[]) and t.rated_at is not null and {tenant:t}',
    },
  ],
  change: [
    {
      at: 't.created_at',
      name: 't.id',
      columns: { contact: 't.contact_id', user: 't.user_id', isByContact: 't.is_by_contact', fields: 't.fields' },
      from: 'contact_change t',
      where: 't.contact_id = any($1::uuid[])',
    },
  ],
}

interface Wanted {
  kinds: readonly TimelineKind[]
  /** Returns the condition of the caller's tenants on an alias. */
  tenant(alias: string): string
  /** Returns the condition of the cursors on a time and a name. */
  within(at: string, key: string): string
  limit: number
  /** Takes the oldest within the cursors instead, oldest first. */
  isBackward?: boolean
}

/**
 * Builds the statement of a page, newest first: the newest of each kind, of which the newest of all are taken. `$1` are the
 * contacts.
 */
export function timelineSql({ kinds, tenant, within, limit, isBackward = false }: Wanted): string {
  const direction = isBackward ? 'asc' : 'desc'
  const branches = kinds.flatMap((kind) =>
    BRANCHES[kind].map(({ at, name, columns, from, where }) => {
      const key = `'${kind}:' || ${name}`
      const shown = Object.keys(NONE).map((column) => `${columns[column] ?? NONE[column]!} as "${column}"`)
      const conditions = [...(where ? [where.replace(/\{tenant:(\w+)\}/, (_, alias: string) => tenant(alias))] : [])]
      conditions.push(within(at, key))
      return `(select '${kind}' as kind, ${key} as key, ${at} as at, ${shown.join(', ')} from ${from}
        where ${conditions.join(' and ')} order by 3 ${direction}, 2 ${direction} limit ${limit})`
    }),
  )
  return `with own as materialized (
    select v.id, v.contact_id, v.created_at, v.closed_at, v.touchpoint, v.results <> '[]' as has_results
    from conversation v
    where v.contact_id = any($1::uuid[]) and v.type = 'contact' and ${tenant('v')}
  ), closings as materialized (
    select o.id as conversation_id, m.at, m.nth from own o, lateral (
      -- One by one, by their index: a contact has few of all the closings.
      select c.at, c.nth from milestone c where c.conversation_id = o.id and c.kind = 'closed' offset 0
    ) m where m.at is distinct from o.closed_at
  )
  select e.*, (extract(epoch from e.at) * 1000000)::bigint::text as micros
  from (${branches.join('\nunion all\n')}) e order by e.at ${direction}, e.key ${direction} limit ${limit}`
}

import type { Context } from '../../platform/context.js'
import { statementName } from '../../platform/db/statement-names.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { BadUserInput } from '../../platform/errors.js'
import { parseList } from '../../platform/input.js'
import type { Edge, Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Contact } from '../contacts/contact.js'
import { linkedContacts } from '../contacts/linked-contacts.js'
import type { FormResult } from '../forms/active-form.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import { casesOfEntries, type CaseOfEntry } from './case-of-entry.js'
import { countTimeline } from './count-timeline.js'
import { pageLengthOf, TIMELINE_KINDS, type TimelineArgs, type TimelineEntry } from './timeline-entry.js'
import { timelineSql, type TimelineRow } from './timeline-sql.js'

/**
 * Reads a page of what happened with a contact, newest first, as far as the caller sees it: one statement, and one for who had the
 * conversations of the page.
 * @throws NotFound; BadUserInput for an invalid page length or cursor
 */
export async function readTimeline(ctx: Context, contact: string, args: TimelineArgs): Promise<Page<TimelineEntry>> {
  const limit = pageLengthOf(args)
  const isBackward = args.last != null
  const { after = null, before = null } = args
  const ends = {
    after: after === null ? null : readCursor(after, 'after'),
    before: before === null ? null : readCursor(before, 'before'),
  }
  const asked = args.kinds && parseList(args.kinds, 'kinds', TIMELINE_KINDS.length)
  const kinds = TIMELINE_KINDS.filter((kind) => !asked || asked.includes(kind))
  const { id } = await fetchRecord(ctx, Contact, contact, { field: 'contact' })
  const contacts = await linkedContacts(ctx.lists, id)
  const rows = kinds.length === 0 ? [] : await readRows(ctx, { contacts, kinds, ends, limit, isBackward })
  const more = rows.length > limit
  if (more) rows.length = limit
  if (isBackward) rows.reverse()
  const cases = await casesOfEntries(ctx, rows)
  const edges = rows.map((row) => ({ cursor: writeCursor(row), node: entryOf(row, cases.get(row.key)) }))
  return {
    edges,
    pageInfo: {
      hasNextPage: isBackward ? before !== null : more,
      hasPreviousPage: isBackward ? more : after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => countTimeline(ctx, contacts, kinds),
  }
}

interface Position {
  micros: string
  key: string
}

async function readRows(
  ctx: Context,
  {
    contacts,
    kinds,
    ends: { after, before },
    limit,
    isBackward,
  }: {
    contacts: readonly string[]
    kinds: TimelineEntry['kind'][]
    ends: { after: Position | null; before: Position | null }
    limit: number
    isBackward: boolean
  },
): Promise<TimelineRow[]> {
  const values: unknown[] = [contacts]
  const tenants = new Map<string, string>()
  const bounds = [
    ...(after ? [{ sign: '<', at: timeSql(values, after), key: `$${values.push(after.key)}` }] : []),
    ...(before ? [{ sign: '>', at: timeSql(values, before), key: `$${values.push(before.key)}` }] : []),
  ]
  const text = timelineSql({
    kinds,
    limit: limit + 1,
    isBackward,
    tenant(alias) {
      if (!tenants.has(alias)) tenants.set(alias, tenantSql(ctx.tenant, alias, values))
      return tenants.get(alias)!
    },
    within: (at, key) =>
      bounds.map((end) => `(${at}, ${key}) ${end.sign} (${end.at}, ${end.key}::text)`).join(' and ') || 'true',
  })
  // The text depends on what is asked for by the kinds alone, of which clients choose few.
  return ctx.lists.query<TimelineRow>(text, values, statementName(text))
}

const timeSql = (values: unknown[], { micros }: Position): string =>
  `timestamptz 'epoch' + $${values.push(micros)}::bigint * interval '1 microsecond'`

function entryOf(row: TimelineRow, ofCase: CaseOfEntry | undefined): TimelineEntry {
  const { kind, key, at, contact, conversation, into, touchpoint, ref, user, isByContact, fields, form } = row
  return {
    ...{ key, kind, at, contactId: contact, conversationId: conversation, intoId: into },
    touchpoint: touchpoint as Touchpoint | null,
    channelIds: ofCase?.channels ?? [],
    userIds: ofCase?.users ?? (user === null ? [] : [user]),
    isByContact: isByContact || kind === 'rating',
    form: form as FormResult | null,
    fields: fields ?? [],
    noteId: kind === 'note' ? ref : null,
    ratingId: kind === 'rating' ? ref : null,
  }
}

const writeCursor = ({ micros, key }: TimelineRow): Edge<unknown>['cursor'] =>
  Buffer.from(JSON.stringify([micros, key])).toString('base64url')

/** @throws BadUserInput */
function readCursor(cursor: string, field: string): Position {
  try {
    const [micros, key, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isCursor =
      typeof micros === 'string' &&
      /^-?\d{1,17}$/.test(micros) &&
      typeof key === 'string' &&
      /^[a-z]+:[\w:-]{1,80}$/.test(key)
    if (isCursor && more.length === 0) return { micros, key }
  } catch {
    // Not of a timeline.
  }
  throw new BadUserInput(field, `${field} is not a cursor of a timeline`)
}

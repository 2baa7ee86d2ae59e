import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { organizationStream, type EventType, type RecordChange, type StoredEvent } from '../../platform/events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../platform/events/live-feed.js'

/** Each organization adds some bytes to a cursor, and each event carries a cursor. Those further down are left out. */
const ORGANIZATIONS_MAX = 100

type Resource = { [Type in EventType]: Type extends `${infer Name}.${RecordChange}` ? Name : never }[EventType]

/** Records that administrators set up: what consumers and automations write all the time is left out. */
const FOLLOWED = {
  article: true,
  attachment: false,
  cannedResponse: true,
  channel: true,
  contact: false,
  contactNote: false,
  conversation: false,
  domain: true,
  file: true,
  form: true,
  fourEyes: true,
  holidayCalendar: true,
  label: true,
  location: true,
  macro: true,
  message: false,
  organization: true,
  organizationGroup: true,
  pendingChange: true,
  rating: false,
  reasonCode: true,
  retentionPolicy: true,
  retentionRun: true,
  schedule: true,
  service: true,
  skill: true,
  signInPolicy: true,
  slaPolicy: true,
  staff: true,
  user: true,
  view: true,
  workflow: true,
  workflowDraft: true,
} as const satisfies Record<Resource, boolean>

const RECORD_CHANGE = /^(\w+)\.(created|updated|deleted)$/

/**
 * Source of `recordChanges`: the events that the writes of these records store for webhooks anyway, without what they hold.
 * So none is lost with Redis, and whoever comes back is told what it missed.
 */
export class RecordChangesSource implements LiveSource {
  readonly field = 'recordChanges'

  async open(ctx: Context): Promise<LiveFeed> {
    ctx.require('record.watch')
    return {
      streams: await streamsOf(ctx),
      audience: 'records',
      snapshot: async () => ({ __typename: 'RecordChangesSnapshot' }),
      toEvent: showRecordChange,
      movesOn: ({ type }) => type.startsWith('organization.'),
      isStillAllowed: async (now) => isAllowed(now.caller, 'record.watch'),
      currentStreams: streamsOf,
    }
  }
}

async function streamsOf(ctx: Context): Promise<string[]> {
  const values: unknown[] = []
  const tenant = tenantSql(ctx.tenant, 'o', values)
  const rows = await ctx.reads.query<{ id: string }>(
    `select o.id from organization o where ${tenant} order by o.level, o.id limit ${ORGANIZATIONS_MAX}`,
    values,
  )
  return rows.map(({ id }) => organizationStream(id))
}

/** Shows that a record changed; null for other events, and for records that are not followed. */
export function showRecordChange({ type, data }: StoredEvent): LiveEvent | null {
  const [, record, change] = RECORD_CHANGE.exec(type) ?? []
  if (!record || !(FOLLOWED as Record<string, boolean>)[record]) return null
  return { __typename: 'RecordChanged', record, change, id: data.id, organization: data.organization }
}

import { shownRowSql } from '../../platform/db/columns.js'
import type { JsonObject } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import { CONTACT_COLUMNS } from '../contacts/contact-columns.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { CompiledSchedule, type ScheduleHours } from '../schedules/compiled-schedule.js'
import { hasSettings } from '../services/service-settings.js'
import { maskAll } from '../services/service-secrets.js'
import { contactResource, dates, pick, shape, tenant, times, userResource } from './resources.js'

/**
 * The subject of an event, in the form of a GET of `/v2`. Only the columns listed here are included, so that no new
 * column is published unintentionally. For a deleted record, which has no row, the event's own values are published.
 */
type Shape = (row: JsonObject, publication: Publication) => JsonObject

/** Place and time of the telling of an event: some members of a record depend on it. */
export interface Publication {
  publicUrl: string
  links: AttachmentLinks
  at: Date
}

/** Columns included unchanged. */
const plain =
  (...keys: readonly string[]) =>
  (row: JsonObject): JsonObject => ({ ...shape({ id: row.id, ...tenant(row), ...pick(row, keys), ...times(row) }) })

interface RecordShape {
  table: string
  /** SQL of the stored columns of the row at an alias; default: all. */
  row?: (alias: string) => string
  shape: Shape
}

/** The owner is told, to whom nothing of its own is shared. */
const OWN = { isShared: false }

const SHAPES: Readonly<Record<string, RecordShape>> = {
  article: {
    table: 'article',
    shape: (row) => ({
      ...plain('title', 'summary', 'body', 'language', 'category', 'status', 'tags', 'meta')(row),
      content: row.body!,
      ...OWN,
    }),
  },
  form: {
    table: 'form',
    shape: (row) => ({
      ...plain('name', 'isStatic', 'email', 'tags', 'meta')(row),
      isTemplate: false,
      fields: (row.fields as JsonObject[]).map((field) => ({ ...shape({ ...field, name: field.label }) })),
    }),
  },
  location: {
    table: 'location',
    shape: (row) => ({
      ...plain(
        'name',
        'address',
        'latitude',
        'longitude',
        'telephone',
        'email',
        'url',
        'timezone',
        'openingHours',
        'tags',
      )(row),
      ...OWN,
    }),
  },
  schedule: {
    table: 'schedule',
    shape: (row, { at }) => {
      const hours = new CompiledSchedule({
        ...(row as JsonObject & ScheduleHours),
        exceptions: (row.specialDays ?? row.exceptions) as never,
      })
      const changesAt = hours.nextChangeAfter(at.getTime())
      return {
        ...plain('name', 'version', 'timezone', 'spans', 'text')(row),
        exceptions: (row.exceptions as JsonObject[]).map(shape),
        calendars: row.calendarIds!,
        isOpen: hours.isOpenAt(at.getTime()),
        ...(changesAt !== null && { changesAt: new Date(changesAt).toISOString() }),
      }
    },
  },
  holidayCalendar: {
    table: 'holiday_calendar',
    shape: (row) => ({ ...plain('name')(row), days: (row.days as JsonObject[]).map(shape) }),
  },
  contactNote: {
    table: 'contact_note',
    shape: (row) => ({
      ...plain('text', 'authorName')(row),
      ...shape({ contact: row.contactId, author: row.authorId }),
    }),
  },
  reasonCode: { table: 'reason_code', shape: plain('name', 'availabilities') },
  skill: { table: 'skill', shape: plain('name') },
  macro: {
    table: 'macro',
    shape: (row) => ({
      ...plain('name', 'shortcut', 'channels')(row),
      ...dates(row, ['archivedAt']),
      steps: (row.steps as JsonObject[]).map((step) => shape({ ...step, name: null })),
    }),
  },
  label: { table: 'label', shape: (row) => ({ ...plain('name', 'hue')(row), ...dates(row, ['archivedAt']) }) },
  cannedResponse: { table: 'canned_response', shape: plain('shortcut', 'text') },
  rating: {
    table: 'rating',
    row: ratingRowSql,
    shape: (row) => ({
      ...plain('touchpoint', 'scale', 'notAsked', 'score', 'comment')(row),
      ...dates(row, ['askedAt', 'expiresAt', 'ratedAt']),
      ...shape({
        ...{ conversation: row.conversationId, contact: row.contactId, channel: row.channelId, user: row.userId },
      }),
    }),
  },
  slaPolicy: {
    table: 'sla_policy',
    shape: (row) => ({
      ...plain('name', 'version', 'position', 'conditions')(row),
      targets: (row.targets as JsonObject[]).map(shape),
      ...(row.scheduleId ? { schedule: row.scheduleId } : {}),
    }),
  },
  file: {
    table: 'file',
    shape: (row, { links }) => ({
      ...plain('name', 'url', 'fileType', 'size', 'tags')(row),
      ...shape({ attachment: row.attachmentId }),
      downloadUrl: row.url ?? links.urlOf(row.attachmentId as string, row.name as string),
      ...OWN,
    }),
  },
  attachment: {
    table: 'attachment',
    shape: (row, { links }) => ({
      ...plain('fileName', 'fileType', 'size', 'sha256', 'tags')(row),
      ...shape({ user: row.userId }),
      url: links.urlOf(row.id as string, row.fileName as string),
    }),
  },
  organization: {
    table: 'organization',
    shape: (row) => {
      const {
        organization: _,
        orgPath,
        ...shown
      } = plain(
        'name',
        'displayName',
        'url',
        'email',
        'industry',
        'logo',
        'country',
        'locale',
        'timezone',
        'level',
        'status',
        'commands',
        'profileFields',
        'tags',
        'meta',
      )(row)
      const { parentId, stopwords, categories } = row
      return {
        ...shown,
        ...shape({ parent: parentId }),
        path: orgPath!,
        stopwords: stopwords ?? [],
        categories: categories ?? [],
      }
    },
  },
  organizationGroup: { table: 'organization_group', shape: plain('name', 'members') },
  workflow: {
    table: 'workflow',
    shape: (row) => ({
      ...plain('name', 'organizations', 'organizationTags', 'rules')(row),
      ...shape({ _id: row.externalId }),
    }),
  },
  service: {
    table: 'service',
    row: (alias) => `to_jsonb(${alias}) - 'sealed_params'`,
    shape: (row) => ({
      ...plain('name', 'type', 'meta', 'status')(row),
      // As they are stored beside the sealed ones, without secrets; those of own types an earlier version stored in clear.
      params: hasSettings(row.type as string) ? (row.params as JsonObject) : maskAll(row.params as JsonObject),
    }),
  },
  contact: { table: 'contact', row: contactRowSql, shape: contactResource },
  user: { table: 'app_user', row: (alias) => shownRowSql(USER_COLUMNS, 'webhook', alias), shape: userResource },
  channel: {
    table: 'channel',
    row: channelRowSql,
    shape: (row) => ({
      ...plain('name', 'status', 'members')(row),
      ...Object.fromEntries(
        ['assignment', 'serviceLevel', 'survey'].flatMap((key) =>
          row[key] ? [[key, shape(row[key] as JsonObject)]] : [],
        ),
      ),
      ...(row.signature && { signature: row.signature }),
    }),
  },
}

/** Selects a contact at an alias as JSON, with its conversation as a GET shows it. */
export function contactRowSql(alias: string): string {
  return `${shownRowSql(CONTACT_COLUMNS, 'webhook', alias)} || jsonb_build_object('conversation', (
    select v.id from conversation v where v.contact_id = ${alias}.id order by v.status = 'archived', v.id desc limit 1))`
}

/** Selects a rating at an alias as JSON, with the consumer's words. */
function ratingRowSql(alias: string): string {
  return `to_jsonb(${alias}) || jsonb_build_object('comment', (
    select w.comment from rating_comment w where w.rating_id = ${alias}.id))`
}

/** Selects a channel at an alias as JSON, with its members. */
export function channelRowSql(alias: string): string {
  return `to_jsonb(${alias}) || jsonb_build_object('members', (
    select coalesce(jsonb_agg(jsonb_build_object('user', m.user_id) order by m.created_at, m.user_id), '[]')
    from channel_member m where m.channel_id = ${alias}.id))`
}

/** Selects the row of the record with this id, as JSON. */
export const recordSql = (resource: string, id: string): string => {
  const cases = Object.entries(SHAPES).map(([name, { table, row = (alias: string) => `to_jsonb(${alias})` }]) => {
    return `when '${name}' then (select ${row('r')} from ${table} r where r.id = ${id})`
  })
  return `case ${resource} ${cases.join('\n')} end`
}

/** Returns null for a resource without a table listed here. */
export function recordResource(resource: string, row: JsonObject, publication: Publication): JsonObject | null {
  return SHAPES[resource]?.shape(camelRow<JsonObject>(row), publication) ?? null
}

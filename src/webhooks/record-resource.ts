import { shownRowSql } from '../db/columns.js'
import type { JsonObject } from '../json.js'
import { camelRow } from '../lists/rows.js'
import { maskSecrets } from '../services/service-secrets.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import { channelResource, contactResource, pick, shape, tenant, times, userResource } from './resources.js'

/**
 * The subject of an event, in the form of a GET of `/v2`. Only the columns listed here are included, so that no new
 * column is published unintentionally. For a deleted record, which has no row, the event's own values are published.
 */
type Shape = (row: JsonObject) => JsonObject

/** Columns included unchanged. */
const plain =
  (...keys: readonly string[]): Shape =>
  (row) => ({ ...shape({ id: row.id, ...tenant(row), ...pick(row, keys), ...times(row) }) })

interface RecordShape {
  table: string
  /** SQL of the stored columns of the row at an alias; default: all. */
  row?: (alias: string) => string
  shape: Shape
}

const SHAPES: Readonly<Record<string, RecordShape>> = {
  article: {
    table: 'article',
    shape: (row) => ({
      ...plain('title', 'summary', 'body', 'language', 'category', 'status', 'tags', 'meta')(row),
      content: row.body!,
    }),
  },
  form: {
    table: 'form',
    shape: (row) => ({
      ...plain('name', 'isStatic', 'tags', 'meta')(row),
      fields: (row.fields as JsonObject[]).map((field) => ({ ...shape({ ...field, name: field.label }) })),
    }),
  },
  location: {
    table: 'location',
    shape: plain(
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
    ),
  },
  schedule: { table: 'schedule', shape: plain('name', 'version', 'timezone', 'spans', 'exceptions', 'text') },
  skill: { table: 'skill', shape: plain('name') },
  slaPolicy: {
    table: 'sla_policy',
    shape: (row) => ({
      ...plain('name', 'version', 'position', 'conditions', 'targets')(row),
      ...(row.scheduleId ? { schedule: row.scheduleId } : {}),
    }),
  },
  file: { table: 'file', shape: plain('name', 'url', 'fileType', 'size', 'tags') },
  attachment: { table: 'attachment', shape: plain('fileName', 'fileType', 'size', 'sha256', 'tags') },
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
  workflow: { table: 'workflow', shape: plain('name', 'organizations', 'organizationTags', 'rules') },
  service: {
    table: 'service',
    shape: (row) => ({
      ...plain('name', 'type', 'meta', 'status')(row),
      params: maskSecrets(row.params as JsonObject),
    }),
  },
  contact: { table: 'contact', row: (alias) => `to_jsonb(${alias}) - 'address'`, shape: contactResource },
  user: { table: 'app_user', row: (alias) => shownRowSql(USER_COLUMNS, 'webhook', alias), shape: userResource },
  channel: {
    table: 'channel',
    shape: (row) => ({ ...channelResource(row), ...shape(tenant(row)), members: row.members ?? [] }),
  },
}

/** Selects the row of the record with this id, as JSON. */
export const recordSql = (resource: string, id: string): string => {
  const cases = Object.entries(SHAPES).map(([name, { table, row = (alias: string) => `to_jsonb(${alias})` }]) => {
    const members =
      name === 'channel'
        ? ` || jsonb_build_object('members', (select coalesce(jsonb_agg(jsonb_build_object('user', m.user_id)
            order by m.created_at, m.user_id), '[]') from channel_member m where m.channel_id = r.id))`
        : ''
    return `when '${name}' then (select ${row('r')}${members} from ${table} r where r.id = ${id})`
  })
  return `case ${resource} ${cases.join('\n')} end`
}

/** Returns null for a resource without a table listed here. */
export function recordResource(resource: string, row: JsonObject): JsonObject | null {
  return SHAPES[resource]?.shape(camelRow<JsonObject>(row)) ?? null
}

import { recordNotFound } from '../../platform/lists/fetch-record.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import { ownOrAboveSql } from '../../platform/db/tenancy.js'
import type { MessageTemplateRow, TemplateContent, TemplateStatus } from './message-template.js'
import { isServiceInUseSql } from './service-in-use.js'

/** A template as its provider lists it. */
export interface FetchedTemplate extends TemplateContent {
  providerId: string
  name: string
  language: string
  category: string
  status: TemplateStatus
  quality: string | null
  reason: string | null
}

/** Makes a service's stored templates those that the provider lists; a message keeps the text that it was sent with. */
export async function storeTemplates(
  sql: Sql,
  clock: Clock,
  service: string,
  fetched: readonly FetchedTemplate[],
): Promise<void> {
  const rows = fetched.map((template) => ({ id: clock.newId(), ...template }))
  await sql.query(STORE, [service, JSON.stringify(rows), clock.now()], 'store-templates')
}

/** Notes what the provider said of one template, until the next list. */
export async function noteTemplateStatus(
  sql: Sql,
  { service, name, language }: { service: string; name: string; language: string },
  status: TemplateStatus,
  reason: string | null,
): Promise<void> {
  await sql.query(
    'update message_template set status = $4, reason = $5 where service_id = $1 and name = $2 and language = $3',
    [service, name, language, status, reason],
    'template-status',
  )
}

const COLUMNS = `id, service_id as "serviceId", provider_id as "providerId", name, language, category, status, quality,
  header, header_text as "headerText", body, footer, buttons, is_unsupported as "isUnsupported", reason,
  synced_at as "syncedAt"`

/** Reads a template that a conversation may use: one of an active service of the organizations in its path. */
export async function templateInPath(
  sql: ReadSql,
  id: string,
  path: readonly (string | undefined)[],
): Promise<MessageTemplateRow | null> {
  const [row] = await sql.query<MessageTemplateRow>(IN_PATH, [id, path], 'template-in-path')
  return row ?? null
}

const IN_PATH = reading(`select ${COLUMNS} from message_template t where id = $1 and exists (
  select 1 from service s where s.id = t.service_id and ${isServiceInUseSql('s')} and s.organization_id = any($2::uuid[]))`)

/** Tells the id of a service whose templates the caller may use: one of its organization, below or above. @throws NotFound */
export async function requireTemplateService(ctx: Context, id: string): Promise<string> {
  const values: unknown[] = [id]
  const rows = isId(id)
    ? await ctx.reads.query<{ id: string }>(
        `select s.id from service s where s.id = $1 and ${ownOrAboveSql(ctx.tenant, 's', values)}`,
        values,
      )
    : []
  if (!rows[0]) throw recordNotFound('Service', id)
  return rows[0].id
}

/** Lists a service's templates by name and language, at most {@link LISTED_MAX}. */
export function listTemplates(
  sql: Pick<Sql, 'query'>,
  { service, status, search }: { service: string; status: TemplateStatus | null; search: string | null },
): Promise<MessageTemplateRow[]> {
  return sql.query<MessageTemplateRow>(
    `select ${COLUMNS} from message_template where service_id = $1 and ($2::text is null or status = $2)
       and ($3::text is null or position(lower($3) in lower(name || ' ' || body)) > 0)
     order by name, language limit ${LISTED_MAX}`,
    [service, status, search],
    'list-templates',
  )
}

const LISTED_MAX = 500

const STORE = `
with given as (
  select * from jsonb_to_recordset($2::jsonb) as g(id uuid, "providerId" text, name text, language text, category text,
    status text, quality text, header text, "headerText" text, body text, footer text, buttons jsonb,
    "isUnsupported" boolean, reason text)
), gone as (
  delete from message_template t where service_id = $1
    and not exists (select 1 from given g where g.name = t.name and g.language = t.language)
)
insert into message_template (id, service_id, provider_id, name, language, category, status, quality, header, header_text,
  body, footer, buttons, is_unsupported, reason, synced_at)
select g.id, $1, g."providerId", g.name, g.language, g.category, g.status, g.quality, g.header, g."headerText", g.body,
  g.footer, g.buttons, g."isUnsupported", g.reason, $3::timestamptz from given g
on conflict (service_id, name, language) do update set provider_id = excluded.provider_id, category = excluded.category,
  status = excluded.status, quality = excluded.quality, header = excluded.header, header_text = excluded.header_text,
  body = excluded.body, footer = excluded.footer, buttons = excluded.buttons,
  is_unsupported = excluded.is_unsupported, reason = excluded.reason, synced_at = excluded.synced_at`

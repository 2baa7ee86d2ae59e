import type { Sql } from '../../db/database.js'
import { pathOf } from '../../db/tenancy.js'
import { Forbidden, NotFound, quoteValue } from '../../errors.js'
import { DEAD_AFTER_SECONDS } from '../../presence/presence-times.js'
import type { TouchpointService } from '../adapter.js'
import { readTouchpointService } from '../touchpoint-service.js'
import { looksOf, type WidgetLooks } from './widget-looks.js'

/** What anybody may know of a service of type `web`: what its widget shows before there is a conversation. */
export interface WidgetSettings {
  greeting: string | null
  looks: WidgetLooks
  /** What the widget speaks. */
  languages: readonly string[]
  /** Whether an agent watches a queue that the visitor may come to. */
  online: boolean
}

/** The widget's catalogues: `web/widget/words`. */
const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const

/**
 * @param origin of the page that asks, null for the server's own
 * @throws NotFound for a service that is not active or of another type; Forbidden for pages of other sites
 */
export async function readWidgetSettings(sql: Sql, id: string, origin: string | null): Promise<WidgetSettings> {
  const service = await readTouchpointService(sql, 'web', id)
  if (!service) throw new NotFound(`service: Service ${quoteValue(id)} not found`)
  requireOrigin(origin, service)
  const { greeting } = service.params
  const looks = looksOf(service.params)
  const { online, organization } = await readOffice(sql, service)
  return {
    greeting: typeof greeting === 'string' && greeting !== '' ? greeting : null,
    looks: { ...looks, title: looks.title ?? organization },
    languages: LANGUAGES,
    online,
  }
}

/** Only browsers send an origin; what sends none is no page of another site. @throws Forbidden */
export function requireOrigin(origin: string | null, { params }: TouchpointService): void {
  const { allowedOrigins } = params
  if (origin === null || !Array.isArray(allowedOrigins) || allowedOrigins.includes(origin)) return
  throw new Forbidden(`pages of ${origin} may not start sessions of this service: its allowedOrigins do not name them`)
}

/** Name of the service's organization, and whether agents are in its channels or in those of organizations above it. */
async function readOffice(sql: Sql, service: TouchpointService): Promise<{ online: boolean; organization: string }> {
  const [row] = await sql.query<{ online: boolean; organization: string }>(
    `select (select coalesce(nullif(display_name, ''), name) from organization where id = $3) as organization, exists (
       select 1 from channel c join queue_subscriber q on q.channel_id = c.id join node n on n.id = q.node_id
       where c.organization_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2)
     ) as online`,
    [pathOf(service), DEAD_AFTER_SECONDS, service.organizationId],
    'widget-online',
  )
  return row!
}

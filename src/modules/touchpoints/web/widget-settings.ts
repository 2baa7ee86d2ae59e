import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { Sql } from '../../../platform/db/database.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { Forbidden } from '../../../platform/errors.js'
import type { TouchpointService } from '../adapter.js'
import { readTouchpointService } from '../touchpoint-service.js'
import type { WidgetReach, WidgetReaches } from './widget-reach.js'
import { looksOf, type WidgetLooks } from './widget-looks.js'

/** The facts that anybody may know of a service of type `web`: what its widget shows before there is a conversation. */
export interface WidgetSettings extends WidgetReach {
  greeting: string | null
  looks: WidgetLooks
  /** Languages of the widget's texts. */
  languages: readonly string[]
  /** True if an agent works who may answer: `OPEN` or `BUSY`. */
  online: boolean
  /** True if the server can mail copies of conversations. */
  copies: boolean
}

/** The widget's catalogues: `web/widget/words`. */
const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const

/**
 * @param origin of the page that asks, null for the server's own
 * @throws NotFound for a service that is not active or of another type; Forbidden for pages of other sites
 */
export async function readWidgetSettings(
  { sql, isMailSet }: { sql: Sql; isMailSet: boolean },
  reaches: WidgetReaches,
  { id, origin }: { id: string; origin: string | null },
): Promise<WidgetSettings> {
  const service = await readTouchpointService(sql, 'web', id)
  if (!service) throw recordNotFound('Service', id, 'service')
  requireOrigin(origin, service)
  const { greeting } = service.params
  const looks = looksOf(service.params)
  const organization = await readOrganizationName(sql, service)
  const reach = await reaches.read(pathOf(service) as readonly string[])
  return {
    greeting: typeof greeting === 'string' && greeting !== '' ? greeting : null,
    looks: { ...looks, title: looks.title ?? organization },
    languages: LANGUAGES,
    online: reach.reach === 'OPEN' || reach.reach === 'BUSY',
    ...reach,
    copies: isMailSet,
  }
}

/** Only browsers send an origin; what sends none is no page of another site. @throws Forbidden */
export function requireOrigin(origin: string | null, { params }: TouchpointService): void {
  const { allowedOrigins } = params
  if (origin === null || !Array.isArray(allowedOrigins) || allowedOrigins.includes(origin)) return
  throw new Forbidden(
    `pages of ${origin} may not start sessions of this service: its allowedOrigins do not name them`,
    { reason: 'ORIGIN_NOT_ALLOWED' },
  )
}

/** The name that the service's organization shows. */
async function readOrganizationName(sql: Sql, { organizationId }: TouchpointService): Promise<string> {
  const [row] = await sql.query<{ name: string }>(
    `select coalesce(nullif(display_name, ''), name) as name from organization where id = $1`,
    [organizationId],
    'widget-organization',
  )
  return row!.name
}

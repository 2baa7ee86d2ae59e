import type { LoaderDefinition } from '../../platform/context.js'
import { isWithin, type TenantColumns, type TenantScope } from '../../platform/db/tenancy.js'
import {
  closesAt,
  routesInOrder,
  routeVia,
  type ChosenDelivery,
  type DeliveryWish,
} from '../conversations/delivery/choose-delivery.js'
import { reachOfConversations, type ContactRoutes } from '../conversations/state/contact-routes.js'
import type { ServiceProfile } from '../services/service.js'
import { isServiceInUseSql } from '../services/service-in-use.js'
import type { RouteFormats, ServiceKinds } from '../services/service-kinds.js'
import type { Touchpoint } from '../touchpoint-traits.js'

export type RouteProblem = 'noAddress' | 'windowClosed' | 'blocked' | 'optedOut' | 'serviceInactive'

/** A way for an answer to the consumer. */
export interface RouteData {
  touchpoint: Touchpoint
  service: ServiceProfile | null
  provider: string | null
  /** ISO 8601; null where nothing closes. */
  openUntil: string | null
  needsTemplate: boolean
  takesTemplates: boolean
  problem: RouteProblem | null
  reason: string | null
  formats: RouteFormats | null
}

interface KnownService extends ServiceProfile, Pick<TenantColumns, 'org1' | 'org2' | 'org3'> {
  touchpoint: Touchpoint
  isInUse: boolean
}

/** All that the routes of a conversation are made of. */
interface Ways {
  reach: ContactRoutes
  services: KnownService[]
}

/** More than an organization has in practice, so that the list has a bound. */
export const ROUTES_MAX = 20

/** The services by which contacts of conversations may be reached, and those that are switched off and were used. */
export const waysLoader: LoaderDefinition<Ways> = {
  async load(ctx, conversations) {
    const [reaches, services] = await Promise.all([
      reachOfConversations(ctx.reads, conversations),
      ctx.reads.query<KnownService & { conversation: string }>(SERVICES, [conversations], 'services-of-conversations'),
    ])
    const known = Map.groupBy(services, ({ conversation }) => conversation)
    return new Map([...reaches].map(([id, reach]) => [id, { reach, services: known.get(id) ?? [] }]))
  },
}

const SERVICES = `
select c.id as conversation, s.id, s.name, s.type, s.touchpoint, s.org1, s.org2, s.org3, ${isServiceInUseSql('s')} as "isInUse"
from conversation c join service s on s.organization_id in (c.org1, c.org2, c.org3)
where c.id = any($1::uuid[]) and s.touchpoint is not null and (${isServiceInUseSql('s')}
  or exists (select 1 from contact_handle h where h.contact_id = c.contact_id and h.service_id = s.id)
  or exists (select 1 from touchpoint_thread t where t.contact_id = c.contact_id and t.service_id = s.id))
order by s.id`

type Wish = Pick<DeliveryWish, 'sender' | 'now' | 'conversation'>

/**
 * Returns the routes in the order in which delivery tries them, and then those that are switched off.
 * @param scope of who looks: a service of an organization above is not named, and templates of it cannot be chosen
 */
export function routesOf({ reach, services }: Ways, scope: TenantScope, wish: Wish, kinds: ServiceKinds): RouteData[] {
  const known = new Map(services.map((service) => [service.id, service]))
  const ways = routesInOrder(reach, wish).map((way) => {
    const service = way.service === null ? null : (known.get(way.service) ?? null)
    return routeOf(way.touchpoint, service, stateOf(reach, way, wish), { scope, kinds })
  })
  const off = services
    .filter(({ isInUse }) => !isInUse)
    .map((service) => routeOf(service.touchpoint, service, SWITCHED_OFF, { scope, kinds }))
  return [...ways, ...off].slice(0, ROUTES_MAX)
}

/** State of a route for whoever writes now. */
type RouteState = Pick<RouteData, 'openUntil' | 'takesTemplates' | 'problem' | 'reason'>

const SWITCHED_OFF: RouteState = {
  openUntil: null,
  takesTemplates: false,
  problem: 'serviceInactive',
  reason: 'the service is switched off',
}

function routeOf(
  touchpoint: Touchpoint,
  service: KnownService | null,
  state: RouteState,
  { scope, kinds }: { scope: TenantScope; kinds: ServiceKinds },
): RouteData {
  const isSeen = service !== null && isWithin(scope, service)
  const kind = kinds.get(service?.type ?? touchpoint)
  const takesTemplates = state.takesTemplates && isSeen && Boolean(kind?.fetchTemplates)
  return {
    touchpoint,
    service: isSeen ? { id: service.id, name: service.name, type: service.type } : null,
    provider: kind?.provider ?? null,
    formats: kind?.formats ?? null,
    ...state,
    takesTemplates,
    needsTemplate: takesTemplates && state.problem !== null,
  }
}

function stateOf(reach: ContactRoutes, way: ChosenDelivery, { sender, now }: Wish): RouteState {
  const { touchpoint, service } = way
  const handle = reach.handles.find((each) => each.service === service)
  const byTemplate = service === null ? null : routeVia(reach, touchpoint, { sender: 'template', now }, service)
  return {
    openUntil: handle ? closesAt(handle, sender) : null,
    takesTemplates: byTemplate !== null && !('failure' in byTemplate),
    problem: problemOf(reach, way),
    reason: 'failure' in way ? way.failure : null,
  }
}

function problemOf(reach: ContactRoutes, way: ChosenDelivery): RouteProblem | null {
  if (!('failure' in way)) return null
  if (!way.code) return 'noAddress'
  const isOptedOut = reach.services.some(
    ({ touchpoint, optedOutAt, optedOutBeforeAt }) => touchpoint === way.touchpoint && (optedOutAt ?? optedOutBeforeAt),
  )
  return isOptedOut ? 'optedOut' : way.code
}

import type { RoutesQuery } from '../../generated/beside.js'
import type { Target } from '../composer/via.js'

export type Route = NonNullable<RoutesQuery['conversation']>['routes'][number]

/** Tells whether a route takes a text now. @param now the server's time */
export const takesText = ({ problem, openUntil }: Route, now: number): boolean =>
  problem === null && (openUntil === null || Date.parse(openUntil) > now)

/** Returns the route of the next message: the chosen one, else the one that the server takes, else one that takes a template. */
export function routeFor(routes: readonly Route[], { service, touchpoint }: Target, now: number): Route | undefined {
  if (service) return routes.find((each) => each.service?.id === service)
  if (touchpoint) return routes.find((each) => each.touchpoint === touchpoint)
  return routes.find((each) => takesText(each, now)) ?? routes.find((each) => each.takesTemplates) ?? routes[0]
}

/** Tells whether sending a text is of no use. Without an address, it may still be read on the web later. */
export const isBarred = (route: Route, now: number): boolean =>
  !takesText(route, now) && (route.problem !== 'NO_ADDRESS' || route.takesTemplates)

/** Tells a route from the others of a conversation. */
export const keyOf = ({ service, touchpoint }: Route): string => service?.id ?? touchpoint

export const targetOf = ({ service, touchpoint }: Route): Target => (service ? { service: service.id } : { touchpoint })

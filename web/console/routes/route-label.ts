import { t } from '../../shared/i18n/messages.js'
import type { Route } from './way.js'

const brandOf = ({ provider, touchpoint }: Route): string => provider ?? t().touchpoint[touchpoint]

/** The name of a route: its provider's, with that of the service where several are alike. */
export function labelOf(route: Route, routes: readonly Route[]): string {
  const isAlone = routes.every((each) => each === route || brandOf(each) !== brandOf(route))
  const name = isAlone ? null : route.service?.name
  return name ? `${brandOf(route)} · ${name}` : brandOf(route)
}

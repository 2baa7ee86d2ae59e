import { pathText } from '../../platform/db/tenancy.js'
import type { EventTypes, ResourceEvents } from '../../platform/events/event.js'
import type { Organization } from './organization.js'

/** The public values of an organization; `path` outlives it. */
type OrganizationData = Pick<Organization, 'name' | 'displayName' | 'level' | 'status'> & {
  path: string
  parent: string | null
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'organization', OrganizationData> {}
}

/** Returns the public values of an organization, for its events. */
export function eventOf(organization: Organization): EventTypes['organization.created'] {
  const { id, name, displayName, level, status, parentId } = organization
  return { id, organization: id, path: pathText(organization), parent: parentId, name, displayName, level, status }
}

import { pathText } from '../db/tenancy.js'
import type { JsonObject } from '../json.js'
import type { Organization } from './organization.js'

/** Returns the public values of an organization, for its events. */
export function eventOf(organization: Organization): JsonObject {
  const { id, name, displayName, level, status, parentId } = organization
  return { id, organization: id, path: pathText(organization), parent: parentId, name, displayName, level, status }
}

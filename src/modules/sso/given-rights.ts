import type { JsonObject } from '../../platform/json.js'
import type { GivenRole, ProviderParams } from './provider-params.js'
import { hasClaim } from './provider-identity.js'

/** The role and the channels that the role map gives a person. */
export interface GivenRights {
  /** Null where neither a row nor a default gives one. */
  role: GivenRole | null
  /** Those of all rows that fit. */
  channels: string[]
}

/** Reads the role map: the first row that fits gives the role, and all that fit their channels. */
export function rightsOf({ roleMap = [], defaultRole }: ProviderParams, claims: JsonObject): GivenRights {
  const rows = roleMap.filter(({ claim, value }) => hasClaim(claims, claim, value))
  return {
    role: rows[0]?.role ?? defaultRole ?? null,
    channels: [...new Set(rows.flatMap(({ channels }) => channels))],
  }
}

/** The channels that the role map speaks of: whoever has them by another way keeps the others. */
export function mappedChannels({ roleMap = [] }: ProviderParams): string[] {
  return [...new Set(roleMap.flatMap(({ channels }) => channels))]
}

import { countryOf } from '../contacts/contact-organization.js'
import { parseEmailAddress, parseTelephone } from '../contacts/identifiers.js'
import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseUrl, refuseCleared } from '../../platform/input.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { fetchOwn } from '../sharing/shared-records.js'
import { parseTags } from '../sharing/tags.js'
import { parseTimezone } from '../../platform/timezone.js'
import { parseAddress } from './location-address.js'
import { Location, sharedLocations, type CreateLocationInput, type UpdateLocationInput } from './location.js'
import { parseOpeningHours } from '../schedules/opening-hours.js'

type Plain = Omit<UpdateLocationInput, 'tags' | 'ifVersion'>
type Values = { [K in keyof Plain]-?: Location[K] }
type Parsers = { [K in keyof Plain]-?: (value: unknown, field: string, country: string | null) => Location[K] }

const PARSERS: Parsers = {
  name: parseName,
  address: parseAddress,
  latitude: optional((value, field) => parseDegrees(value, field, 90)),
  longitude: optional((value, field) => parseDegrees(value, field, 180)),
  telephone: optional(parseTelephone),
  email: optional(parseEmailAddress),
  url: optional((value, field) => parseUrl(value, field, ['http', 'https'])),
  timezone: optional(parseTimezone),
  openingHours: parseOpeningHours,
}

const UNSPECIFIED: Values = {
  name: '',
  address: null,
  latitude: null,
  longitude: null,
  telephone: null,
  email: null,
  url: null,
  timezone: null,
  openingHours: [],
}

/** @throws NotFound naming `organization`; BadUserInput */
export function createLocation(ctx: Context, transact: Transact, input: CreateLocationInput): Promise<Location> {
  const tags = parseTags(input.tags)
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const fields = { ...UNSPECIFIED, ...readFields(input, await countryOf(tx, path)) }
    requireWholePosition(fields)
    const location = await insertOwned(ctx, tx, Location, { path, ...fields, tags })
    emitLocation(tx, location, 'created')
    return location
  })
}

/** Changes the given fields. @throws as {@link createLocation}; NotFound, or Forbidden for a shared location */
export function updateLocation(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateLocationInput },
): Promise<Location> {
  refuseCleared(patch, 'name')
  return transact(ctx, async (tx) => {
    const location = await fetchOwn(ctx, tx, sharedLocations, id, patch.ifVersion)
    if (patch.tags !== undefined) location.tags = parseTags(patch.tags)
    Object.assign(location, readFields(patch, await countryOf(tx, pathOf(location))))
    requireWholePosition(location)
    markChanged(location, ctx.now())
    emitLocation(tx, location, 'updated')
    return location
  })
}

export function deleteLocation(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const location = await fetchOwn(ctx, tx, sharedLocations, id)
    emitLocation(tx, location, 'deleted')
    tx.em.remove(location)
    return true
  })
}

/** Parses the given fields; omits those that are `undefined`. */
function readFields(input: Plain, country: string | null): Partial<Values> {
  const given = (Object.keys(PARSERS) as (keyof Plain)[]).filter((key) => input[key] !== undefined)
  return Object.fromEntries(given.map((key) => [key, PARSERS[key](input[key], key, country)]))
}

/** Refuses half a position: the missing coordinate must not become zero. */
function requireWholePosition({ latitude, longitude }: Pick<Location, 'latitude' | 'longitude'>): void {
  if ((latitude === null) === (longitude === null)) return
  const missing = latitude === null ? 'latitude' : 'longitude'
  const given = latitude === null ? 'longitude' : 'latitude'
  throw new BadUserInput(missing, `${missing} is required with ${given}`, 'MISSING_VALUE')
}

/** The values of a location. */
type LocationData = Pick<
  Location,
  'name' | 'address' | 'latitude' | 'longitude' | 'telephone' | 'email' | 'url' | 'timezone' | 'openingHours' | 'tags'
>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'location', LocationData> {}
}

function emitLocation(tx: WriteTx, location: Location, what: RecordChange): void {
  const { id, organizationId, name, address, latitude, longitude, telephone, email, url, timezone, tags } = location
  const { openingHours } = location
  tx.emit(organizationStream(organizationId), `location.${what}`, {
    id,
    organization: organizationId,
    name,
    address,
    latitude,
    longitude,
    telephone,
    email,
    url,
    timezone,
    openingHours,
    tags,
  })
}

function optional<T>(
  parse: (value: unknown, field: string, country: string | null) => T,
): (value: unknown, field: string, country: string | null) => T | null {
  return (value, field, country) => (isAbsent(value) ? null : parse(value, field, country))
}

function parseDegrees(value: unknown, field: string, max: number): number {
  if (typeof value === 'number' && value >= -max && value <= max) return value
  throw new BadUserInput(field, `${field} must be a number from -${max} to ${max}, not ${quoteValue(value)}`)
}

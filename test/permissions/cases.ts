import type { GraphQLSchema } from 'graphql'
import { filterPaths, rootFields, type Field, type Root } from './documents.js'
import { graphqlTarget, routeTarget, UPLOAD, type Request, type RouteTarget, type Target } from './requests.js'
import { filled, ref, refsOf, type Ref, type Sample } from './sample.js'
import { allows, SCOPES, type Scope } from './section-5.js'
import { CALLERS, PLACES, type CallerName, type Kind, type Place, type Records, type World } from './world.js'
import type { Route } from '../../rest-compat/route.js'

/** One request by one caller, with a record of one place in one of the places for ids. */
export interface Case {
  target: string
  sample: Sample
  caller: CallerName
  /** Position in the arguments of the record of `place`; `all`: every record is of the place. */
  slot: string
  place: Place
  /** Codes of the answers that are right; `ok` for none. Empty: any but a failure of the server. */
  expected: readonly string[]
  /** Places whose records the answer must not show. */
  hidden: readonly Place[]
  /** The answer must show the record: else a filter that finds nothing would seem to keep everything. */
  shows?: Kind
  isMutation: boolean
  /** The record of `place` may be named by what is written: as one taking part, or as an id that is only kept. */
  isKept: boolean
  request(records: Readonly<Record<Place, Records>>, world: World): Request
}

const UPLOAD_SAMPLE: Sample = {
  field: UPLOAD.name,
  line: 'upload attachments',
  args: { organization: ref('organization') },
  consumer: 'ok',
}
const SEEN: readonly Place[] = ['own', 'sub']
const HIDDEN = PLACES.filter((place) => !SEEN.includes(place))
const REFUSED = ['FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'UNPROCESSABLE']

/** All cases of the schema and the route table. @throws Error naming what no sample stands for */
export function allCases(schema: GraphQLSchema, routes: readonly Route[], samples: readonly Sample[]): Case[] {
  const fields = rootFields(schema)
  const fieldOf = (name: string): Field => {
    const found = fields.find(({ root, field }) => field.name === name && root !== 'subscription')
    if (!found) throw new Error(`no field ${name}`)
    return found.field
  }
  const rootOf = (field: Field): Root => fields.find((each) => each.field === field)!.root
  const ofField = fields.flatMap(({ root, field }) => {
    const target = graphqlTarget(root, field)
    const own = samples.filter((sample) => sample.field === field.name && target.fits(sample))
    return casesOf(target, field, own, root === 'mutation')
  })
  const ofRoute = routes.flatMap((route) => {
    const target: RouteTarget = routeTarget(schema, route, fieldOf)
    const field = fieldOf(target.field)
    const own = samples.filter((sample) => sample.field === field.name && target.fits(sample))
    return casesOf(target, field, own, rootOf(field) === 'mutation')
  })
  const ofUpload = wholeAndSlots({ target: UPLOAD, sample: UPLOAD_SAMPLE, isMutation: true })
  return [...ofField, ...ofRoute, ...ofUpload]
}

/** Tells whether it may do something: else nothing at all must change. */
export function isDone({ isMutation, sample: { isLive, field }, caller, expected }: Case): boolean {
  // A consumer that reads or speaks has been seen, and its messages delivered, whatever becomes of its words.
  if (caller === 'consumer') return true
  // Each reading is in the audit log.
  const isWritten = isMutation || isLive === true || field === 'heldMessages'
  return isWritten && (expected.length === 0 || expected.includes('ok'))
}

function casesOf(target: Target, field: Field, samples: readonly Sample[], isMutation: boolean): Case[] {
  return samples.flatMap((sample) => {
    const of = { target, sample, isMutation }
    // The operator's own operations show contact centers, which are out of everybody else's sight: test/contact-centers.
    const callers = CALLERS.filter((caller) => caller !== 'operator' || sample.line !== 'manage contact centers')
    // What a mutation does with those that its filter finds, it says of none: test/conversations/bulk.test.ts.
    const isList = !isMutation && field.args.some(({ name }) => name === 'filter')
    return [
      ...wholeAndSlots(of, callers),
      ...(isList ? callers.flatMap((caller) => filterCases(of, field, caller)) : []),
      ...(sample.byCenter ? casesOfCenter(of) : []),
    ]
  })
}

function wholeAndSlots(of: Of, callers: readonly CallerName[] = CALLERS): Case[] {
  const refs = refsOf(of.sample.args)
  return callers.flatMap((caller) => [
    ...SEEN.flatMap((place) => (place === 'sub' && refs.length === 0 ? [] : [wholeCase(of, caller, place)])),
    ...refs.flatMap(([path, one]) => HIDDEN.map((place) => slotCase(of, caller, path, one, place))),
  ])
}

interface Of {
  target: Target
  sample: Sample
  isMutation: boolean
}

/** Cases that only an administrator of level 1 may: one who sees all but what is foreign. */
function casesOfCenter(of: Of): Case[] {
  const isNotForeign = (each: Case): Case => ({ ...each, hidden: ['foreign'] })
  const slots = refsOf(of.sample.args).map(([path, one]) => slotCase(of, 'center', path, one, 'foreign'))
  return [wholeCase(of, 'center', 'own'), ...slots].map(isNotForeign)
}

/** Every record of one place that the caller sees. */
function wholeCase(of: Of, caller: CallerName, place: Place): Case {
  const { target, sample, isMutation } = of
  return {
    target: target.name,
    sample,
    caller,
    slot: 'all',
    place,
    isMutation,
    isKept: true,
    hidden: hiddenFor(sample),
    expected: expectedOf(sample, caller, place, sample[place as 'own' | 'sub'] ?? 'ok'),
    request: (records, world) =>
      target.request(
        argsOf(sample, caller, world, ({ ref: kind }) => records[place][kind]),
        caller,
      ),
  }
}

/** One record that is out of the caller's sight, all others its own. */
function slotCase(of: Of, caller: CallerName, slot: string, { reachesParent, hidden }: Ref, place: Place): Case {
  const { target, sample, isMutation } = of
  const isReached = place === 'parent' && reachesParent === true
  const allowed = isReached ? (sample.own ?? 'ok') : (hidden ?? 'NOT_FOUND')
  return {
    target: target.name,
    sample,
    caller,
    slot,
    place,
    isMutation,
    isKept: isReached || hidden === 'ok' || hidden === 'ANY',
    hidden: hiddenFor(sample).filter((each) => !isReached || each !== 'parent'),
    expected: expectedOf(sample, caller, place, allowed),
    request: (records, world) =>
      target.request(
        argsOf(sample, caller, world, ({ ref: kind }, path) => records[path === slot ? place : 'own'][kind]),
        caller,
      ),
  }
}

function hiddenFor({ showsParent }: Sample): Place[] {
  return HIDDEN.filter((place) => !showsParent || place !== 'parent')
}

function argsOf(
  sample: Sample,
  caller: CallerName,
  { self }: World,
  idOf: (ref: Ref, path: string) => string,
): Record<string, unknown> {
  return filled(sample.args, idOf, self[caller]) as Record<string, unknown>
}

/** @param allowed what is answered to those whom the table allows it */
function expectedOf(sample: Sample, caller: CallerName, place: Place, allowed: string): readonly string[] {
  if (caller === 'anonymous') return ['UNAUTHENTICATED']
  if (caller === 'consumer') {
    // It speaks for one contact, in one conversation.
    return place === 'own' && sample.consumer ? codes(sample.consumer) : REFUSED
  }
  if (caller === 'operator') return SEEN.includes(place) ? ['FORBIDDEN'] : REFUSED
  if (sample.byCenter && caller !== 'center') return SEEN.includes(place) ? ['FORBIDDEN'] : REFUSED
  if (allows(sample.line, caller === 'center' ? 'admin' : caller)) return codes(allowed)
  return SEEN.includes(place) ? ['FORBIDDEN'] : REFUSED
}

function codes(code: string): readonly string[] {
  if (code === 'ANY') return []
  return code === 'REFUSED' ? REFUSED : [code]
}

/** By the last name of a filter's path; `id` is of the list's own kind. */
const KIND_OF_FILTER: Readonly<Record<string, Kind>> = {
  organization: 'organization',
  organizations: 'organization',
  parent: 'organization',
  user: 'user',
  likes: 'user',
  createdBy: 'user',
  snoozedBy: 'user',
  owner: 'user',
  channels: 'channel',
  channelsOffline: 'channel',
  contact: 'contact',
  conversation: 'conversation',
  attachment: 'attachment',
  eventId: 'event',
  schedule: 'schedule',
  labels: 'label',
  contacts: 'contact',
  conversations: 'conversation',
  users: 'user',
  hold: 'hold',
  policy: 'retentionPolicy',
  object: 'contact',
  proposedBy: 'user',
  decidedBy: 'user',
  message: 'message',
  channel: 'channel',
  assignee: 'user',
  caseChannels: 'channel',
}
const KIND_OF_LIST: Readonly<Record<string, Kind>> = {
  services: 'webhook',
  slaPolicies: 'slaPolicy',
  webhookDeliveries: 'delivery',
  contactCenters: 'organization',
  contactErasures: 'erasure',
  retentionPolicies: 'retentionPolicy',
  // Kept when somebody edits: any id will do.
  heldMessages: 'message',
}

function kindOfFilter(list: string, path: string): Kind {
  const last = path.split('.').at(-1)!
  if (list === 'organizationGroups' && last === 'members') return 'organization'
  if (last !== 'id') return KIND_OF_FILTER[last] ?? fail(`the filter ${path} of ${list} names no known kind`)
  return KIND_OF_LIST[list] ?? (list.slice(0, -1) as Kind)
}

const isUser = (caller: CallerName): caller is Scope => (SCOPES as readonly string[]).includes(caller)

/** Leaves out those who may not list at all: they are refused before a filter is looked at. */
function placesOf(operator: string, isAllowed: boolean): readonly Place[] {
  if (!isAllowed) return ['foreign']
  return operator === 'eq' ? PLACES : ['sibling', 'foreign']
}

const fail = (message: string): never => {
  throw new Error(message)
}

/** A filter is no way to a record out of sight: it is answered, with nothing of it. */
function filterCases(of: Of, field: Field, caller: CallerName): Case[] {
  const { target, sample, isMutation } = of
  const isAllowed = isUser(caller) && allows(sample.line, caller)
  return filterPaths(field).flatMap((path) =>
    (isAllowed ? ['eq', 'ne', 'in'] : ['eq']).flatMap((operator) =>
      placesOf(operator, isAllowed).map((place): Case => {
        const kind = kindOfFilter(field.name, path)
        const isShown = isAllowed && path === 'id' && operator === 'eq' && SEEN.includes(place)
        const named = ref(kind)
        return {
          target: target.name,
          sample,
          caller,
          slot: `filter.${path}.${operator}`,
          place,
          isMutation,
          isKept: false,
          hidden: HIDDEN,
          expected: expectedOf(sample, caller, 'own', 'ok'),
          ...(isShown && !refsOf(sample.args).length && { shows: kind }),
          request: (records, world) => {
            const filter = path.split('.').reduceRight<object>((inner, key) => ({ [key]: inner }), {
              [operator]: operator === 'in' ? [named] : named,
            })
            const args = { ...sample.args, filter }
            return target.request(
              filled(
                args,
                ({ ref: each }, at) => records[at.startsWith('filter') ? place : 'own'][each],
                world.self[caller],
              ) as Record<string, unknown>,
              caller,
            )
          },
        }
      }),
    ),
  )
}

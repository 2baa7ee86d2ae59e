import type { JsonObject } from '../../platform/json.js'
import { activityOf, actorOfActivity } from './activity.js'

/**
 * Returns a body as visible to the owner of a webhook, that is what its administrators could fetch (section 5). Agents
 * and channels of ancestor organizations may take part in a conversation; the owner sees only the public profile of
 * those outside its own tree.
 * @param whole the event's body, the same for every webhook
 * @param reader the organization that owns the webhook
 * @returns `whole` itself if nothing is hidden, so that most webhooks share its bytes
 */
export function bodyForReader(whole: string, reader: string): string {
  const { data, activity, ...head } = JSON.parse(whole) as Envelope
  const { links, deliveries, ...records } = data
  const path = typeof data.conversation?.orgPath === 'string' ? data.conversation.orgPath.split('#') : null
  const hidden = path === null ? [] : HIDEABLE.filter((key) => data[key] && !isWithinReach(path, reader, data[key]))
  if (hidden.length === 0) return whole
  const fields = Object.fromEntries(
    Object.entries(records).map(([key, record]) => [
      key,
      isHideable(key) && hidden.includes(key) ? VIEWS[key](record) : record,
    ]),
  )
  const { id, event, timestamp, organization } = head
  return JSON.stringify({
    ...head,
    data: { ...fields, ...(deliveries && { deliveries }), links },
    activity: activityOf({
      id,
      event,
      at: new Date(timestamp),
      organization,
      data: fields,
      links,
      actor: actorOfActivity(activity, links),
    }),
  })
}

interface Envelope {
  id: string
  event: string
  timestamp: string
  organization: string
  data: Record<string, JsonObject> & { links: Record<string, string>; deliveries?: JsonObject }
  activity: JsonObject
}

const pick = (record: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.filter((key) => key in record).map((key) => [key, record[key]!]))

/** Related records that may belong to an ancestor of the reader's organization, reduced to the visible members. */
const VIEWS = {
  // What everybody sees of a `User`.
  user: (user: JsonObject) => pick(user, ['id', 'displayName', 'name', 'avatar', 'role']),
  // Like `Conversation.channels`.
  channel: (channel: JsonObject) => pick(channel, ['id']),
}
const HIDEABLE = Object.keys(VIEWS) as (keyof typeof VIEWS)[]

function isHideable(key: string): key is keyof typeof VIEWS {
  return Object.hasOwn(VIEWS, key)
}

/** @param path of the conversation: only its organizations take part in it */
function isWithinReach(path: readonly string[], reader: string, { organization }: JsonObject): boolean {
  const [own, theirs] = [path.indexOf(reader), path.indexOf(organization as string)]
  return own >= 0 && theirs >= own
}

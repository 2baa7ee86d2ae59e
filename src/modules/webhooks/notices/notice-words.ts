import type { JsonObject } from '../../../platform/json.js'
import { changeWords } from './change-words.js'
import { messageWords } from './message-words.js'
import { byOf, conversationOf, oneLine, titleOf, userOf, wordsOf, type Told } from './told.js'

/** Puts an event into one sentence. Names in it are what people gave, on one line. */
export function sentenceOf(told: Told): string {
  const { event } = told
  const words = Object.hasOwn(WORDS, event)
    ? WORDS[event]!
    : event.startsWith('message.create.')
      ? messageWords
      : recordWords
  const said = words(told)
  return said[0]!.toUpperCase() + said.slice(1)
}

const WORDS: Readonly<Record<string, (told: Told) => string>> = {
  'message.update': (told) => `a message in ${conversationOf(told.data)} was changed${byOf(told)}.`,
  'message.delete': (told) => `a message in ${conversationOf(told.data)} was deleted${byOf(told)}.`,
  'message.delivery': deliveryWords,
  'conversation.create': ({ data }) =>
    `new ${conversationOf(data).replace(/^(the|a) /, '')}${data.conversation?.status === 'queued' ? ', waiting for an agent' : ''}.`,
  'conversation.update': changeWords,
  'conversation.delete': (told) => `a conversation was deleted${byOf(told)}.`,
  'conversation.offer': ({ data }) => `${conversationOf(data)} was offered to ${userOf(data) ?? 'an agent'}.`,
  'conversation.offerEnd': offerEndWords,
  'conversation.clockWarn': (told) => `SLA target at risk: ${clockOf(told)} in ${conversationOf(told.data)}.`,
  'conversation.clockBreach': (told) => `SLA target missed: ${clockOf(told)} in ${conversationOf(told.data)}.`,
  'conversation.proposal': proposalWords,
  'proposal.requested': ({ data }) =>
    `${userOf(data) ?? 'an agent'} asked bots for ${PROPOSALS[String(data.proposal?.kind)] ?? 'a proposal'} in ${conversationOf(data)}.`,
  'channel.notify': ({ data }) => {
    const channel = oneLine(data.channel?.name)
    return `${conversationOf(data)} waits in ${channel ? `the queue of ${channel}` : 'a queue'}.`
  },
  'user.login': ({ data }) => `${userOf(data) ?? 'a user'} signed in.`,
  'user.availability': ({ data, raw }) => {
    const now = AVAILABLE[String(raw?.availability)] ?? 'changed availability'
    return `${userOf(data) ?? 'an agent'} ${now}.`
  },
  'user.staff': ({ data }) => `the capacity or the skills of ${userOf(data) ?? 'an agent'} changed.`,
  'audit.sealed': () => 'the audit log was sealed.',
  'contact.erased': () => 'the erasure of a contact began.',
  'service.error': ({ data }) => {
    const { name, type } = data.service ?? {}
    return `the service ${[oneLine(name), `(${oneLine(type) ?? 'unknown'})`].filter(Boolean).join(' ')} does not work.`
  },
  'rating.create': () => 'a consumer was asked to rate a case.',
  'rating.update': ({ data }) => {
    const score = data.rating?.score
    return `a consumer rated a case${typeof score === 'number' ? ` with ${score}` : ''}.`
  },
  'workflowDraft.refuse': () => 'a planned publication of a workflow did not take place.',
}

const AVAILABLE: Readonly<Record<string, string>> = {
  available: 'is available',
  busy: 'is busy',
  away: 'is away',
  offline: 'is offline',
  notResponding: 'does not respond to offers',
  wrapUp: 'wraps up',
}

const DELIVERED: Readonly<Record<string, string>> = {
  queued: 'waits to be sent',
  sent: 'was sent',
  delivered: 'was delivered',
  read: 'was read',
  failed: 'could not be delivered',
  maybeSent: 'may not have been delivered',
}

/** The last one counts: a read mark may tell of several messages. */
function deliveryWords({ data }: Told): string {
  const last = (data.deliveries as unknown as JsonObject[] | undefined)?.at(-1)
  return `a message in ${conversationOf(data)} ${DELIVERED[String(last?.status)] ?? 'changed on its way'}.`
}

function offerEndWords({ data, raw }: Told): string {
  const [agent, conversation] = [userOf(data) ?? 'an agent', conversationOf(data)]
  switch (raw?.outcome) {
    case 'accepted':
      return `${agent} took the offer of ${conversation}.`
    case 'declined':
      return `${agent} declined the offer of ${conversation}.`
    case 'expired':
      return `the offer of ${conversation} to ${agent} expired.`
    case 'withdrawn':
      return `the offer of ${conversation} to ${agent} was withdrawn.`
    default:
      return `the offer of ${conversation} to ${agent} ended.`
  }
}

const CLOCKS: Readonly<Record<string, string>> = {
  queue: 'the time in the queue',
  firstResponse: 'the first response',
  nextResponse: 'the next response',
  resolution: 'the resolution',
}

const clockOf = ({ raw }: Told): string => CLOCKS[String((raw?.clock as JsonObject | undefined)?.clock)] ?? 'a time'

const PROPOSALS: Readonly<Record<string, string>> = {
  reply: 'an answer',
  category: 'a category',
  fields: 'metadata',
  merge: 'a merge',
  article: 'an article',
  summary: 'a summary',
  act: 'an act',
}
const PROPOSAL_ENDS: Readonly<Record<string, string>> = {
  approved: 'was approved',
  taken: 'was taken',
  rejected: 'was rejected',
  replaced: 'was replaced',
  stale: 'is out of date',
  ended: 'ended without a decision',
}

function proposalWords({ data, raw }: Told): string {
  const { kind, status } = (raw?.proposal ?? {}) as JsonObject
  const what = PROPOSALS[String(kind)] ?? 'something'
  const end = PROPOSAL_ENDS[String(status)]
  if (status === 'pending') return `a bot proposed ${what} in ${conversationOf(data)}.`
  return `a bot’s proposal in ${conversationOf(data)} ${end ?? 'changed'}.`
}

const VERBS: Readonly<Record<string, string>> = { create: 'created', update: 'changed', delete: 'deleted' }
const RESOURCES: Readonly<Record<string, string>> = {
  contactNote: 'note of a contact',
  holidayCalendar: 'calendar of holidays',
  organizationGroup: 'group of organizations',
  slaPolicy: 'SLA policy',
}

/** Puts a change of another record into words; of an event that is not known here, its name. */
function recordWords(told: Told): string {
  const { event, data } = told
  const [resource = '', what = '', more] = event.split('.')
  const verb = VERBS[what]
  if (verb === undefined || more !== undefined || !Object.hasOwn(data, resource)) return `event ${event}.`
  const words = RESOURCES[resource] ?? wordsOf(resource)
  const title = titleOf(data[resource])
  return `the ${words}${title ? ` ${title}` : ''} was ${verb}${byOf(told)}.`
}

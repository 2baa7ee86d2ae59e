import 'reflect-metadata'
import { describe, expect, it } from '@jest/globals'
import { assignmentOf, type ChannelAssignment } from '../../src/modules/channels/assignment.js'
import {
  explain,
  match,
  type Staff,
  type StaffAgent,
  type WaitingConversation,
} from '../../src/modules/conversations/offers/match.js'

const NOW = 1_000_000

function agent(id: string, more: Partial<StaffAgent> = {}): StaffAgent {
  return {
    id,
    name: id,
    avatar: null,
    role: 'agent',
    organization: 'center',
    availability: 'available',
    capacity: 12,
    load: 0,
    idleSince: 0,
    skills: new Set(),
    memberOf: new Set(['sales']),
    subscribed: new Set(['sales']),
    ...more,
  }
}

function waiting(id: string, more: Partial<WaitingConversation> = {}): WaitingConversation {
  return {
    id,
    version: 1,
    channels: ['sales'],
    path: ['center', 'customer'],
    weight: 4,
    queuedAt: NOW - 60_000,
    nextDue: Infinity,
    urgency: 0,
    skills: [],
    askedSkills: [],
    skillsDropAt: null,
    declinedBy: [],
    exceptUsers: [],
    lastAgent: null,
    ...more,
  }
}

const staff = (agents: StaffAgent[], assignment: ChannelAssignment = {}): Staff => ({
  agents,
  channels: new Map([['sales', assignmentOf({ mode: 'offer', ...assignment })]]),
})
const of = (...channels: string[]): Pick<StaffAgent, 'memberOf' | 'subscribed'> => ({
  memberOf: new Set(channels),
  subscribed: new Set(channels),
})
const twoChannels = (agents: StaffAgent[]): Staff => ({
  agents,
  channels: new Map(['sales', 'service'].map((id) => [id, assignmentOf({ mode: 'offer' })])),
})
const pairs = (conversations: WaitingConversation[], of: Staff): string[] =>
  match(conversations, of, NOW).map(({ conversation, agent: { id } }) => `${conversation.id}>${id}`)

describe('match', () => {
  it('offers the most urgent first, then the one queued first', () => {
    const all = [
      waiting('new', { queuedAt: NOW - 1 }),
      waiting('old', { queuedAt: NOW - 9 }),
      waiting('urgent', { queuedAt: NOW, urgency: 5 }),
    ]
    expect(pairs(all, staff([agent('ann', { capacity: 8 })]))).toEqual(['urgent>ann', 'old>ann'])
  })

  it('never gives an agent more than its capacity, and counts what it gives', () => {
    const all = Array.from({ length: 10 }, (_, index) => waiting(`c${index}`))
    const result = pairs(all, staff([agent('ann', { load: 5 }), agent('ben', { load: 9 }), agent('cas')]))
    expect(result).toEqual(['c0>cas', 'c1>cas', 'c2>ann', 'c3>cas'])
  })

  it('prefers the smallest share of the capacity, or whoever was idle for the longest time', () => {
    const agents = [
      agent('ann', { load: 6, capacity: 24, idleSince: 9 }),
      agent('ben', { load: 4, capacity: 12, idleSince: 1 }),
    ]
    expect(pairs([waiting('c')], staff(agents))).toEqual(['c>ann'])
    expect(pairs([waiting('c')], staff(agents, { order: 'longestIdle' }))).toEqual(['c>ben'])
  })

  it('asks for skills until they are dropped', () => {
    const agents = [agent('ann'), agent('ben', { load: 8, skills: new Set(['dutch']) })]
    expect(pairs([waiting('c', { skills: ['dutch'] })], staff(agents))).toEqual(['c>ben'])
    expect(pairs([waiting('c', { skills: ['french'], skillsDropAt: NOW + 1 })], staff(agents))).toEqual([])
    expect(pairs([waiting('c', { skills: ['french'], skillsDropAt: NOW })], staff(agents))).toEqual(['c>ann'])
    const asked = { skills: ['french'], skillsDropAt: NOW, askedSkills: ['welsh'] }
    expect(pairs([waiting('c', asked)], staff(agents))).toEqual([])
    expect(pairs([waiting('c', asked)], staff([agent('ann', { skills: new Set(['welsh']) })]))).toEqual(['c>ann'])
  })

  it('leaves out who declined, until all have', () => {
    const agents = [agent('ann'), agent('ben', { load: 8 })]
    expect(pairs([waiting('c', { declinedBy: ['ann'] })], staff(agents))).toEqual(['c>ben'])
    expect(pairs([waiting('c', { declinedBy: ['ann', 'ben'] })], staff(agents))).toEqual(['c>ann'])
  })

  it('waits for the last who has not declined while that one is full or locked', () => {
    const declined = [waiting('c', { declinedBy: ['ann'] })]
    for (const busy of [{ load: 12 }, { isLocked: true }])
      expect(pairs(declined, staff([agent('ann'), agent('ben', busy)]))).toEqual([])
    const away = agent('ben', { availability: 'away' })
    expect(pairs(declined, staff([agent('ann'), away]))).toEqual(['c>ann'])
  })

  it('judges whether all have declined by all channels of the conversation', () => {
    const agents = [agent('ann'), agent('ben', of('service'))]
    const channels = ['sales', 'service']
    const offered = (more: Partial<WaitingConversation>, ben: Partial<StaffAgent> = {}): string[] =>
      pairs([waiting('c', { channels, ...more })], twoChannels([agents[0]!, { ...agents[1]!, ...ben }]))
    expect(offered({ declinedBy: ['ann'] })).toEqual(['c>ben'])
    expect(offered({ declinedBy: ['ann'] }, { load: 12 })).toEqual([])
    expect(offered({ declinedBy: ['ann', 'ben'] })).toEqual(['c>ann'])
    // What one has declined says nothing of the next, which nobody has.
    const all = [waiting('a', { channels, declinedBy: ['ann'] }), waiting('b', { channels })]
    expect(pairs(all, twoChannels([agents[0]!, { ...agents[1]!, load: 12 }]))).toEqual(['b>ann'])
  })

  it('does not wait for those who could never carry it', () => {
    const agents = [agent('ann'), agent('ben', { capacity: 3 })]
    expect(pairs([waiting('c', { declinedBy: ['ann'] })], staff(agents))).toEqual(['c>ann'])
    expect(pairs([waiting('c', { declinedBy: ['ann'], weight: 2 })], staff(agents))).toEqual(['c>ben'])
  })

  it('keeps the agent with the most room for the first that needs more than anybody has', () => {
    const all = [
      waiting('older', { queuedAt: 1, weight: 1 }),
      waiting('heavy', { queuedAt: 2 }),
      ...[3, 4, 5].map((queuedAt) => waiting(`light${queuedAt}`, { queuedAt, weight: 1 })),
    ]
    const agents = (load: number): StaffAgent[] => [agent('ann', { load }), agent('ben', { load: 11, capacity: 13 })]
    expect(pairs(all, staff(agents(9)))).toEqual(['older>ann', 'light3>ben', 'light4>ben'])
    expect(pairs(all, staff(agents(7)))).toEqual(['older>ann', 'heavy>ann', 'light3>ben', 'light4>ben'])
  })

  it('keeps one agent a channel, who could carry it and has not declined, from all channels', () => {
    const heavy = waiting('heavy', { queuedAt: 1, declinedBy: ['no'] })
    const another = waiting('another', { queuedAt: 2 })
    const light = (id: string, more: Partial<WaitingConversation> = {}): WaitingConversation =>
      waiting(id, { weight: 1, ...more })
    const agents = [
      agent('kept', { load: 10, ...of('sales', 'service') }),
      agent('no', { load: 9 }),
      agent('small', { capacity: 3 }),
    ]
    const all = [heavy, another, light('mail'), light('other', { channels: ['service'] })]
    expect(pairs(all, twoChannels(agents))).toEqual(['mail>small'])
  })

  it('waits for the last agent while that is available', () => {
    const of = (load: number, more: Partial<StaffAgent> = {}): Staff =>
      staff([agent('ann'), agent('ben', { load, ...more })], { preferLastSeconds: 61 })
    const again = waiting('c', { lastAgent: 'ben' })
    expect(pairs([again], of(8))).toEqual(['c>ben'])
    expect(pairs([again], of(12))).toEqual([])
    expect(pairs([again], of(0, { availability: 'away' }))).toEqual(['c>ann'])
    expect(pairs([{ ...again, queuedAt: NOW - 61_000 }], of(12))).toEqual(['c>ann'])
  })

  it('explains each member of the channel', () => {
    const agents = [
      agent('ann'),
      agent('away', { availability: 'away' }),
      agent('elsewhere', { subscribed: new Set() }),
      agent('full', { load: 9 }),
      agent('kept', { load: 2 }),
      agent('no', {}),
      agent('later', { load: 4 }),
      agent('plain', { skills: new Set() }),
      agent('far', { organization: 'branch' }),
      agent('other', { memberOf: new Set() }),
    ].map((each) => (each.id === 'plain' ? each : { ...each, skills: new Set(['dutch']) }))
    const conversation = waiting('c', { skills: ['dutch'], declinedBy: ['no'] })
    const all = explain(
      { conversation, channel: 'sales', chosen: 'ann', reserved: new Set(['kept']) },
      staff(agents),
      NOW,
    )
    expect(Object.fromEntries(all.map(({ userId, outcome }) => [userId, outcome]))).toEqual({
      ann: 'chosen',
      away: 'unavailable',
      elsewhere: 'notSubscribed',
      full: 'atCapacity',
      kept: 'reserved',
      no: 'declined',
      later: 'lessSuitable',
      plain: 'lacksSkills',
      far: 'outOfReach',
    })
  })
})

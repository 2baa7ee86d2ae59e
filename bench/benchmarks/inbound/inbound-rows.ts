import type { PoolClient } from 'pg'
import { floorMessage } from '../../harness/floor-message.js'
import { systemClock } from '../../../src/platform/db/clock.js'
import type { NewEvent } from '../../../src/platform/events/event.js'
import { appendEvents } from '../../../src/platform/events/streams.js'

/** Place to which the floors write, and the rule by which. */
export interface InboundFloorOptions {
  organization: string
  channel: string
  user: string
  workflow: string
  rule: string
  text: string
}

/** Makes the row that a consumer's message leaves, in the product's own columns. */
export function messageRow(
  { organization, user, text }: InboundFloorOptions,
  conversation: string,
  position: number,
  at: Date,
) {
  return floorMessage(
    { id: systemClock.newId(), role: 'contact', organization, conversation, position, user, text },
    at,
  )
}

/** Makes the part of a conversation's row that its events have. */
export function conversationRow(options: InboundFloorOptions, id: string, more: object) {
  const { organization, channel, text } = options
  return {
    id,
    organizationId: organization,
    org1: organization,
    org2: null,
    org3: null,
    type: 'contact',
    name: 'Swift Otter',
    slug: id,
    status: 'queued',
    touchpoint: 'web',
    touchpoints: WAYS,
    category: null,
    categoryIndex: null,
    language: null,
    channels: [],
    channelsOffline: [channel],
    forms: [],
    results: [],
    meta: {},
    preview: text,
    lastMessageRole: 'contact',
    ...more,
  }
}

const WAYS = { web: { selected: true, services: [] }, email: { selected: false, services: [] } }

export function decisionRow({ workflow, rule, channel, text }: InboundFloorOptions) {
  return {
    id: systemClock.newId(),
    entries: [
      {
        workflow: { id: workflow, name: 'Bench' },
        rule: { id: rule, name: null },
        outcome: 'fired',
        reason: 'conditions met',
        conditions: null,
        channelsNotified: [],
        channelsOffline: [channel],
        users: [],
      },
    ],
    facts: { 'message.text': text },
    workflows: [{ id: workflow, version: '1@0', nearness: 0 }],
  }
}

export function queueEntryOf(
  { organization, channel, text }: InboundFloorOptions,
  conversation: string,
  at: Date,
): NewEvent {
  const entry = {
    meta: {},
    name: 'Swift Otter',
    channel,
    preview: text,
    category: null,
    language: null,
    queuedAt: at,
    touchpoint: 'web',
    contactName: 'Consumer',
    conversation,
    organization,
  }
  return { stream: `channel:${channel}`, type: 'queue.added', data: { entry } } as unknown as NewEvent
}

/** By the statement of the product: it has to be the last one before the commit. */
export async function appendFloorEvents(client: PoolClient, events: readonly NewEvent[], at: Date): Promise<void> {
  const query = async <Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> =>
    (await client.query({ text, values: [...values], name })).rows as Row[]
  await appendEvents({ query }, events, at)
}

/** @param work the statements between `begin` and `commit` */
export async function inTransaction(client: PoolClient, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('begin')
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

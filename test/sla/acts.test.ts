import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { readEvents } from '../../src/platform/events/streams.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const CREATE =
  'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id targets { clock acts { at channels users urgency requeue } } } }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateSlaPolicyInput!) { updateSlaPolicy(id: $id, patch: $patch) { id } }'
const MINUTE_MS = 60_000

let office: Office
let ann: MadeUser
let ben: MadeUser
let lead: MadeUser
let team: string
let escalation: string
beforeAll(async () => {
  office = await startOffice()
})
beforeEach(async () => {
  ann = await office.makeAgent({ displayName: 'Ann' })
  ben = await office.makeAgent({ displayName: 'Ben' })
  lead = await office.makeAgent({ displayName: 'Lea' })
  team = await office.makeChannel(`Team ${ann.id}`, [ann, ben])
  escalation = await office.makeChannel(`Escalation ${ann.id}`, [lead])
})
afterEach(async () => {
  await office.disconnect()
  await office.server.database.query('delete from conversation')
  await office.server.database.query('delete from sla_policy')
})
afterAll(() => office.close())

interface Act {
  at: string
  channels?: string[]
  users?: string[]
  urgency?: number
  requeue?: boolean
}
const create = (targets: object[]) =>
  office.run<{ id: string; targets: { clock: string; acts: Act[] }[] }>(office.admin, CREATE, {
    input: { name: 'Standard', targets },
  })
async function policy(clock: string, acts: Act[], more: object = {}): Promise<string> {
  const { value, message } = await create([{ clock, minutes: 10, warnMinutes: 4, acts, ...more }])
  expect(message).toBeUndefined()
  return value.id
}
const pass = (minutes: number): void => office.clock.advance(minutes * MINUTE_MS)
const notified = async (user: MadeUser): Promise<{ rule: string; conversation: string }[]> => {
  const events = await readEvents(office.server.database, `user:${user.id}`, 0, 500)
  return events
    .filter(({ type }) => type === 'rule.notification')
    .map(({ data }) => data as { rule: string; entry: { conversation: string } })
    .map(({ rule, entry }) => ({ rule, conversation: entry.conversation }))
}
const channelsOf = async (id: string): Promise<string[]> => {
  const [row] = await office.server.database.query<{ channels: string[] }>(
    'select channels || channels_offline as channels from conversation where id = $1',
    [id],
  )
  return row!.channels.toSorted()
}
/** A conversation that waits in this channel alone, with a message of its consumer. */
async function wait(channel: string): Promise<string> {
  const { id } = await office.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
  const { code } = await office.command(office.admin, id, '/notify', { meta: { channels: [channel] } })
  expect(code).toBeUndefined()
  return id
}
const urgencyOf = async (id: string): Promise<number> => {
  const [row] = await office.server.database.query<{ urgency: number }>(
    'select urgency from conversation where id = $1',
    [id],
  )
  return row!.urgency
}
const jobsLeft = (): Promise<unknown[]> =>
  office.server.database.query(`select 1 from job where kind like 'clock.%' and run_at <= $1`, [office.clock.now()])

describe('an SLA policy', () => {
  it('notifies channels and users when a target is missed, once, and the conversation keeps its place', async () => {
    await policy('QUEUE', [{ at: 'BREACHED', channels: [escalation], users: [lead.id] }])
    const id = await wait(team)
    const other = await startTestServer({}, { beside: office })
    pass(11)
    await until(async () => (await channelsOf(id)).includes(escalation))
    await until(async () => (await jobsLeft()).length === 0)
    expect(await channelsOf(id)).toEqual([team, escalation].toSorted())
    expect(await notified(lead)).toEqual([{ rule: 'SLA target missed: waiting', conversation: id }])
    const { routingTrace, status } = await office.show(id)
    expect([status, ...routingTrace.map(({ trigger }) => trigger)]).toEqual([
      'QUEUED',
      'SLA target missed: waiting',
      '/notify',
      'contact message',
    ])
    expect(new Set(routingTrace.slice(0, 2).map(({ queueing }) => queueing)).size).toBe(1)
    await other.close()
  })

  it('acts when it warns and when it is missed, each by its own', async () => {
    await policy('FIRST_RESPONSE', [
      { at: 'WARNED', users: [lead.id], urgency: 3 },
      { at: 'BREACHED', urgency: 50 },
    ])
    const id = await wait(team)
    pass(7)
    await until(async () => (await notified(lead)).length === 1)
    // One for the warning itself.
    expect(await urgencyOf(id)).toBe(4)
    pass(4)
    await until(async () => (await urgencyOf(id)) === 52)
    expect(await notified(lead)).toEqual([{ rule: 'SLA warning: first response', conversation: id }])
    await office.command(ann, id, '/accept')
    await office.send(ann, id, { role: 'AGENT', text: 'sorry!' })
    expect(await urgencyOf(id)).toBe(0)
  })

  it('lets what it raises be offered before what waits longer', async () => {
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann])
    const first = await wait(channel)
    await policy('QUEUE', [{ at: 'BREACHED', urgency: 100 }])
    const raised = await wait(channel)
    pass(11)
    await until(async () => (await urgencyOf(raised)) > 100)
    await office.ready(ann, 4)
    await office.offered(raised, ann)
    expect((await office.stateOf(first)).offer).toBeNull()
  })

  it('queues again what its agents do not answer, for others first, and tells nobody of a late answer', async () => {
    await policy('NEXT_RESPONSE', [{ at: 'BREACHED', requeue: true, users: [lead.id] }])
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300, preferLastSeconds: 300 }, [ann, ben])
    await office.makeWorkflow([{ conditions: { all: [] }, event: { type: 'notify', params: { channels: [channel] } } }])
    await office.ready(ann)
    const id = await wait(channel)
    const answered = await wait(channel)
    for (const each of [id, answered]) {
      await office.offered(each, ann)
      await office.command(ann, each, '/accept')
      await office.send(ann, each, { role: 'AGENT', text: 'how can I help?' })
      await office.consumerSays(each, 'with this')
    }
    await office.ready(ben)
    // In time, so that it is not late.
    await office.send(ann, answered, { role: 'AGENT', text: 'done' })
    pass(11)
    await office.offered(id, ben)
    expect(await notified(lead)).toEqual([{ rule: 'SLA target missed: next response', conversation: id }])
    expect((await office.show(id)).participants.some(({ accepted }) => accepted)).toBe(false)
    expect((await office.show(id)).routingTrace[0]!.trigger).toBe('SLA target missed: next response')
    expect((await office.show(answered)).status).toBe('ACTIVE')
  })

  it('does nothing once the clock has ended, the conversation was merged, or what it names is gone', async () => {
    const id = await policy('FIRST_RESPONSE', [
      { at: 'BREACHED', channels: [escalation], users: [lead.id], requeue: true },
    ])
    const late = await wait(team)
    await office.command(ann, late, '/accept')
    const merged = await wait(team)
    const target = await office.inStatus('ACTIVE')
    await office.send(ann, target.id, { role: 'AGENT', text: 'hi' })
    expect(await office.command(office.admin, target.id, `/import ${merged}`)).not.toHaveProperty('code')
    const waits = await wait(team)
    await office.run(office.admin, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: escalation })
    await office.run(
      office.admin,
      'mutation ($id: ID!, $p: UpdateUserInput!) { updateUser(id: $id, patch: $p) { id } }',
      {
        id: lead.id,
        p: { status: 'ARCHIVED' },
      },
    )
    // A policy whose act names what is gone is changed nevertheless.
    const acts = [{ at: 'BREACHED', channels: [escalation], users: [lead.id], requeue: true }]
    const targets = [{ clock: 'FIRST_RESPONSE', minutes: 10, acts }]
    expect(await office.run(office.admin, UPDATE, { id, patch: { targets } })).not.toHaveProperty('code')
    // The answer comes after the target was missed, and before anything was told of that.
    await office.server.database.query(`update job set run_at = run_at + interval '1 day' where kind = 'clock.due'`)
    pass(11)
    await office.send(ann, late, { role: 'AGENT', text: 'sorry for the delay' })
    await office.server.database.query(`update job set run_at = now() - interval '1 day' where kind = 'clock.due'`)
    await office.server.database.query(`update job_partition set due_at = least(due_at, now())`)
    await until(async () => {
      const [row] = await office.server.database.query<{ state: string }>(
        `select state from clock where conversation_id = $1 and kind = 'firstResponse'`,
        [waits],
      )
      return row?.state === 'breached'
    })
    await until(async () => (await jobsLeft()).length === 0)
    expect((await office.show(late)).status).toBe('ACTIVE')
    expect(await channelsOf(waits)).toEqual([team])
    expect(await notified(lead)).toEqual([])
  })

  it('makes a task of an active conversation for the channels that it notifies', async () => {
    await policy('RESOLUTION', [{ at: 'BREACHED', channels: [escalation] }])
    const id = await wait(team)
    await office.command(ann, id, '/accept')
    pass(11)
    await until(async () => (await channelsOf(id)).includes(escalation))
    expect((await office.show(id)).status).toBe('ACTIVE')
    await office.command(lead, id, '/accept')
    expect(await channelsOf(id)).toEqual([])
  })
})

describe('acts of targets', () => {
  it('are shown as they were given', async () => {
    const acts = [
      { at: 'WARNED', channels: [team], users: [], urgency: null, requeue: false },
      { at: 'BREACHED', channels: [], users: [lead.id], urgency: 5, requeue: true },
    ]
    const { value } = await create([
      { clock: 'RESOLUTION', minutes: 10, warnMinutes: 1, acts },
      { clock: 'QUEUE', minutes: 5 },
    ])
    expect(value.targets).toEqual([
      { clock: 'QUEUE', acts: [] },
      { clock: 'RESOLUTION', acts },
    ])
  })

  it.each<[string, (foreign: { channel: string; user: string }) => object, string, string]>([
    ['that do nothing', () => ({ acts: [{ at: 'BREACHED' }] }), 'acts[0]', 'BAD_USER_INPUT'],
    [
      'at a warning that never comes',
      () => ({ warnMinutes: null, acts: [{ at: 'WARNED', urgency: 1 }] }),
      'acts[0].at',
      'BAD_USER_INPUT',
    ],
    [
      'twice at once',
      () => ({
        acts: [
          { at: 'BREACHED', urgency: 1 },
          { at: 'BREACHED', urgency: 2 },
        ],
      }),
      'acts[1].at',
      'BAD_USER_INPUT',
    ],
    [
      'that queue what waits already',
      () => ({ acts: [{ at: 'BREACHED', requeue: true }] }),
      'acts[0].requeue',
      'BAD_USER_INPUT',
    ],
    [
      'with an urgency out of bounds',
      () => ({ acts: [{ at: 'BREACHED', urgency: 1_001 }] }),
      'acts[0].urgency',
      'BAD_USER_INPUT',
    ],
    [
      'for a channel of another tenant',
      ({ channel }) => ({ acts: [{ at: 'BREACHED', channels: [team, channel] }] }),
      'acts[0].channels[1]',
      'NOT_FOUND',
    ],
    [
      'for a user of another tenant',
      ({ user }) => ({ acts: [{ at: 'BREACHED', users: [user] }] }),
      'acts[0].users[0]',
      'NOT_FOUND',
    ],
    [
      'for something that is no id',
      () => ({ acts: [{ at: 'BREACHED', users: ['x'] }] }),
      'acts[0].users[0]',
      'NOT_FOUND',
    ],
  ])('are refused %s', async (_, target, field, code) => {
    const organization = await office.makeOrganization()
    const user = await office.makeUser({ organization })
    const channel = await office.makeChannel('Foreign', [], organization)
    const refused = await create([
      { clock: 'QUEUE', minutes: 10, warnMinutes: 4, ...target({ channel, user: user.id }) },
    ])
    expect([refused.code, refused.details.field]).toEqual([code, `targets[0].${field}`])
  })
})

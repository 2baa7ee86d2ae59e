import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { systemClock } from '../../src/db/clock.js'
import { Database } from '../../src/db/database.js'
import { lockOnlineChannels } from '../../src/presence/online-channels.js'
import { Presence } from '../../src/presence/presence.js'
import { viewersOf } from '../../src/presence/viewers.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })
const user = systemClock.newId()
const conversation = systemClock.newId()
let made: TestDatabase
let database: Database
let channels: [string, string]
const nodes: Presence[] = []
beforeAll(async () => {
  made = await makeDatabase()
  database = await Database.open({ url: made.url, poolSize: 6, entities: [], log })
  await database.migrate()
  const organization = systemClock.newId()
  await database.query(
    `insert into organization (id, organization_id, org1, created_at, updated_at, name, level)
     values ($1, $1, $1, now(), now(), 'O', 1)`,
    [organization],
  )
  channels = [systemClock.newId(), systemClock.newId()]
  await database.query(
    `insert into channel (id, organization_id, org1, created_at, updated_at, name)
     select id, $2, $2, now(), now(), 'C' from unnest($1::uuid[]) as id`,
    [channels, organization],
  )
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await database.close()
  await made.drop()
})

async function startNode(heartbeatMs = 600_000, skewMs = 0, graceMs = 0): Promise<Presence & { id: string }> {
  const id = systemClock.newId()
  const clock = { newId: () => systemClock.newId(), now: () => new Date(Date.now() + skewMs) }
  const node = new Presence({ database, clock, log, nodeId: id, heartbeatMs, graceMs })
  await node.start()
  nodes.push(node)
  return Object.assign(node, { id })
}
const look = () => database.sqlTransaction((sql) => lockOnlineChannels(sql, channels))
const online = async (): Promise<string[]> => {
  return [...(await look()).online].toSorted()
}
const viewers = async (): Promise<string[]> => [...(await viewersOf(database, conversation))]
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describe('presence', () => {
  it('marks a channel as online while any node has a subscriber, and viewers as present', async () => {
    const [one, other] = [await startNode(), await startNode()]
    const [first, second] = [systemClock.newId(), systemClock.newId()]
    await one.enterQueues(first, channels, user)
    await other.enterQueues(second, [channels[0]], user)
    await one.enterConversation(first, { conversation, user, contact: null })
    await one.enterConversation(second, { conversation, user: null, contact: systemClock.newId() })
    expect([await online(), await viewers()]).toEqual([channels, [user]])
    await one.leaveQueues(first)
    await one.leaveConversation(first)
    expect([await online(), await viewers()]).toEqual([[channels[0]], []])
    await other.stop()
    expect(await online()).toEqual([])
  })

  it('of a node that stops renewing expires, and is registered again when it resumes', async () => {
    const node = await startNode(50)
    await node.enterQueues(systemClock.newId(), channels, user)
    await node.enterConversation(systemClock.newId(), { conversation, user, contact: null })
    await database.query(`update node set seen_at = now() - interval '11 seconds' where id = $1`, [node.id])
    await until(async () => (await online()).length === 2)
    // Another took it for dead, or PostgreSQL was killed and has lost its unlogged tables.
    await database.query('delete from node')
    expect([await look(), await viewers()]).toEqual([{ online: new Set(), isComplete: false }, []])
    await until(async () => (await online()).length === 2 && (await viewers()).length === 1)
    expect([await online(), await viewers()]).toEqual([channels, [user]])
    // Other nodes may not have registered again yet.
    expect((await look()).isComplete).toBe(false)
    await database.query(`update node set again_at = again_at - interval '3 seconds'`)
    expect((await look()).isComplete).toBe(true)
    await node.stop()

    const dead = await startNode()
    await dead.enterQueues(systemClock.newId(), channels, user)
    await database.query(`update node set seen_at = now() - interval '11 seconds' where id = $1`, [dead.id])
    expect(await online()).toEqual([])
    await database.query(`update node set seen_at = now() - interval '31 seconds' where id = $1`, [dead.id])
    const living = await startNode()
    expect(await database.query('select 1 from queue_subscriber where node_id = $1', [dead.id])).toEqual([])
    await living.stop()
  })

  it.each([60_000, -60_000])('does not depend on the clock of a node that is %i ms off', async (skewMs) => {
    const [wrong, right] = [await startNode(600_000, skewMs), await startNode()]
    await wrong.enterQueues(systemClock.newId(), [channels[0]], user)
    await right.enterQueues(systemClock.newId(), [channels[1]], user)
    // Each start removes nodes that it takes for dead.
    const [another, late] = [await startNode(600_000, skewMs), await startNode()]
    expect(await online()).toEqual(channels.toSorted())
    for (const node of [wrong, right, another, late]) await node.stop()
    expect(await online()).toEqual([])
  })

  it('begins on a node whose row is gone, with what the node had before', async () => {
    const node = await startNode()
    await node.enterQueues(systemClock.newId(), [channels[0]], user)
    await database.query('delete from node')
    await node.enterQueues(systemClock.newId(), [channels[1]], user)
    expect(await online()).toEqual(channels)
    await node.stop()
  })

  it('is ordered with a rule that reads it: one waits for the other, and blocks no other channel meanwhile', async () => {
    const node = await startNode()
    const [first, second] = channels
    const entered: string[] = []
    const rule = database.sqlTransaction(async (sql) => {
      expect((await lockOnlineChannels(sql, [second])).online).toEqual(new Set())
      const entering = node
        .enterQueues(systemClock.newId(), [first, second], user)
        .then(() => void entered.push('subscriber'))
      await sleep(100)
      // The subscriber waits for the second channel and holds nothing of the first.
      expect((await lockOnlineChannels(sql, [first])).online).toEqual(new Set([first]))
      entered.push('rule')
      return { entering }
    })
    await (
      await rule
    ).entering
    expect(entered).toEqual(['rule', 'subscriber'])
    expect(await online()).toEqual(channels)
    await node.stop()
  })

  it('of a lost connection counts for a while, and a job looks after what only it could see', async () => {
    const node = await startNode(600_000, 0, 3_000)
    const [lost, left, back] = [systemClock.newId(), systemClock.newId(), systemClock.newId()]
    const jobs = () =>
      database.query<{ payload: { channels: string[]; since: string } }>(
        `delete from job where kind = 'presence.lost' returning payload`,
      )
    await jobs()
    await node.enterQueues(lost, channels, user)
    await node.leaveQueues(lost, true)
    expect(await online()).toEqual(channels.toSorted())
    // It came back for one of the channels.
    await node.enterQueues(back, [channels[0]], user)
    const [job, ...others] = await until(async () => {
      const added = await jobs()
      return added.length > 0 && added
    })
    expect(await online()).toEqual([channels[0]])
    expect([job!.payload.channels, others]).toEqual([[channels[1]], []])
    expect(Date.parse(job!.payload.since)).toBeLessThan(Date.now() - 3_000)
    await node.enterQueues(left, [channels[1]], user)
    await node.leaveQueues(left)
    expect(await online()).toEqual([channels[0]])
    await node.leaveQueues(back)
    await node.stop()
  })

  it('of a node that stops with subscribers counts for a while, without its viewers', async () => {
    const node = await startNode(600_000, 0, 5_000)
    await node.enterQueues(systemClock.newId(), channels, user)
    await node.enterConversation(systemClock.newId(), { conversation, user, contact: null })
    await node.stop()
    expect([await online(), await viewers()]).toEqual([channels.toSorted(), []])
    await until(async () => (await online()).length === 0)
    await (await startNode()).stop()
    const jobs = await database.query(`select 1 from job where kind = 'presence.lost'`)
    expect(jobs).toHaveLength(1)
  })
})

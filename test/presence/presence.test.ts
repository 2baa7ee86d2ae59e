import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { insertCenter } from '../../src/modules/organizations/center-rows.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { lockOnlineChannels, readOnlineChannels } from '../../src/platform/presence/online-channels.js'
import { Presence } from '../../src/platform/presence/presence.js'
import { viewersOf } from '../../src/platform/presence/viewers.js'
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
  const { id: organization } = await insertCenter(database, systemClock, 'O')
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

interface Node {
  id: string
  /** Resolves when no heartbeat is under way; none begins until `resume`: its way to the database is cut. */
  pause(): Promise<void>
  resume(): void
  /** Keeps the subscribers of lost connections until `removeLost`, also if their time is over. */
  keepLost(): void
  removeLost(): void
}

async function startNode(heartbeatMs = 600_000, skewMs = 0, graceMs = 0): Promise<Presence & Node> {
  const id = systemClock.newId()
  let resume: (() => void) | null = null
  let gate: Promise<void> | null = null
  let running = 0
  let lost = Promise.withResolvers<void>()
  lost.resolve()
  const reached = new Proxy(database, {
    get(target, name: keyof Database) {
      if (name === 'sqlTransaction') {
        return async (...given: Parameters<Database['sqlTransaction']>) => {
          await lost.promise
          return target.sqlTransaction(...given)
        }
      }
      if (name !== 'query') return Reflect.get(target, name, target) as unknown
      return async (...given: Parameters<Database['query']>) => {
        await gate
        running += 1
        return target.query(...given).finally(() => (running -= 1))
      }
    },
  })
  const clock = { newId: () => systemClock.newId(), now: () => new Date(Date.now() + skewMs) }
  const node = new Presence({ database: reached, clock, log, nodeId: id, heartbeatMs, graceMs })
  await node.start()
  nodes.push(node)
  return Object.assign(node, {
    id,
    async pause() {
      gate = new Promise((resolve) => (resume = resolve))
      await until(() => running === 0)
    },
    resume() {
      resume?.()
      gate = null
    },
    keepLost() {
      lost = Promise.withResolvers()
    },
    removeLost: () => lost.resolve(),
  })
}
const look = () => database.sqlTransaction((sql) => lockOnlineChannels(sql, channels))
const online = async (): Promise<string[]> => {
  return [...(await look()).online].toSorted()
}
const registered = (node: Node) => {
  const read = `select 1 from node where id = $1 and again_at < 'infinity'`
  return until(async () => (await database.query(read, [node.id])).length === 1)
}
/** Looks at the moment at which nodes have registered again, however long ago that is on a slow machine. */
const lookThen = () =>
  database.sqlTransaction(async (sql) => {
    await sql.query(`update node set again_at = now() where again_at < 'infinity'`)
    return lockOnlineChannels(sql, channels)
  })
const viewers = async (): Promise<string[]> => [...(await viewersOf(database, conversation))]
/** Those of this database that wait for a lock. */
const WAITING_FOR_LOCK = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

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
    await one.stop()
  })

  it('of a node that stops renewing expires, and is registered again when it resumes', async () => {
    const node = await startNode(50)
    await node.enterQueues(systemClock.newId(), channels, user)
    await node.enterConversation(systemClock.newId(), { conversation, user, contact: null })
    await database.query(`update node set seen_at = now() - interval '11 seconds' where id = $1`, [node.id])
    await until(async () => (await online()).length === 2)
    // Another took it for dead, or PostgreSQL was killed and has lost its unlogged tables.
    await node.pause()
    await database.query('delete from node')
    expect([await look(), await viewers()]).toEqual([{ online: new Set(), isComplete: false }, []])
    node.resume()
    await until(async () => (await online()).length === 2 && (await viewers()).length === 1)
    expect([await online(), await viewers()]).toEqual([channels, [user]])
    await registered(node)
    // Other nodes may not have registered again yet.
    expect((await lookThen()).isComplete).toBe(false)
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

  it('that a failover emptied is incomplete until every node that was alive has registered again, or is dead', async () => {
    const [early, late] = [await startNode(50), await startNode(50)]
    await early.enterQueues(systemClock.newId(), [channels[0]], user)
    await late.enterQueues(systemClock.newId(), [channels[1]], user)
    const heartbeatsOf = (ids: string[]) =>
      database.query<{ seen: Date }>('select seen_at as seen from node where id = any($1::uuid[])', [ids])
    // Each has seen the other.
    const since = await heartbeatsOf([early.id, late.id])
    await until(async () => (await heartbeatsOf([early.id, late.id])).every(({ seen }, at) => seen > since[at]!.seen))
    await late.pause()
    await database.query('truncate node cascade')
    await until(async () => (await online()).length === 1)
    const isComplete = async (): Promise<boolean> => (await look()).isComplete
    await registered(early)
    // Longer ago than nodes that were not known would have taken.
    await database.query(`update node set again_at = again_at - interval '4 seconds' where id = $1`, [early.id])
    expect([await online(), await isComplete()]).toEqual([[channels[0]], false])
    // It is dead: nothing is waited for.
    await database.query(`update node set seen_at = now() - interval '11 seconds' where id = $1`, [late.id])
    expect(await isComplete()).toBe(true)
    await database.query(`update node set seen_at = now() where id = $1`, [late.id])
    late.resume()
    await until(async () => (await online()).length === 2)
    await registered(late)
    await database.query(`update node set again_at = again_at - interval '4 seconds'`)
    expect([await online(), await isComplete()]).toEqual([channels, true])
    for (const node of [early, late]) await node.stop()
  })

  it('after an outage in which all nodes counted as dead is incomplete, and none of them is removed by the first one back', async () => {
    const lost = () => database.query(`select 1 from job where kind = 'presence.lost'`)
    const before = await lost()
    const [first, second] = [await startNode(50), await startNode(50)]
    await second.enterQueues(systemClock.newId(), channels, user)
    await second.pause()
    await database.query(`update node set seen_at = now() - interval '15 seconds'`)
    const back = `select 1 from node where id = $1 and seen_at > now() - interval '9 seconds'`
    await until(async () => (await database.query(back, [first.id])).length === 1)
    expect((await lookThen()).isComplete).toBe(false)
    expect(await database.query('select 1 from queue_subscriber where node_id = $1', [second.id])).toHaveLength(2)
    second.resume()
    await until(async () => (await online()).length === 2)
    expect(await lost()).toEqual(before)
    for (const node of [first, second]) await node.stop()
  })

  it('that a node finds in another history of the database, as a new one after a failover does, is incomplete', async () => {
    const before = await startNode()
    expect((await look()).isComplete).toBe(true)
    await before.stop()
    await database.query(`update installation set presence_history = '0000'`)
    const next = await startNode()
    expect((await lookThen()).isComplete).toBe(false)
    await database.query(`update node set again_at = again_at - interval '4 seconds'`)
    expect((await look()).isComplete).toBe(true)
    await next.stop()
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
      await until(() => database.query(WAITING_FOR_LOCK).then(({ length }) => length > 0))
      // Each channel is entered by itself: the second may wait before the first is done.
      await until(async () => (await readOnlineChannels(database, [first])).online.size > 0)
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
    node.keepLost()
    await node.leaveQueues(lost, true)
    expect(await online()).toEqual(channels.toSorted())
    // It came back for one of the channels.
    await node.enterQueues(back, [channels[0]], user)
    node.removeLost()
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

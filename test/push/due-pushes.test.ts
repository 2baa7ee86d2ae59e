import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Database, Sql } from '../../src/platform/db/database.js'
import type { StoredEvent } from '../../src/platform/events/event.js'
import { DuePushes } from '../../src/modules/push/due-pushes.js'
import { contactOf } from '../../src/modules/push/vapid.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { startPushService, type Browser, type PushService } from './push-service.js'

const SUBSCRIBE = 'mutation ($input: PushSubscriptionInput!) { subscribeToPush(input: $input) { id } }'
const SETTINGS = 'mutation ($patch: UserSettingsInput!) { updateMySettings(patch: $patch) { id } }'
const LOCK = 7_301_960_445

describe('rounds that look for due notifications', () => {
  const lines: Record<string, unknown>[] = []
  let service: PushService
  let fixture: ConversationFixture
  beforeAll(async () => {
    service = await startPushService()
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) })
    fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { log, pace: 10 })
  })
  afterAll(async () => {
    await fixture?.close()
    await service?.close()
  })

  const query = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    fixture.server.database.query<Row>(text, values)
  const change = async (as: MadeUser, pushNotify: boolean): Promise<void> => {
    expect((await fixture.run(as, SETTINGS, { patch: { pushNotify } })).code).toBeUndefined()
  }
  const subscribe = async (as: MadeUser, browser = service.subscribe()): Promise<{ browser: Browser; id: string }> => {
    const { value, code } = await fixture.run<{ id: string }>(as, SUBSCRIBE, { input: browser.input })
    expect(code).toBeUndefined()
    return { browser, id: value.id }
  }
  /** A conversation that the user has accepted, with nothing unread. */
  const accepted = async (as: MadeUser): Promise<string> => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    expect((await fixture.send(as, id, { role: 'AGENT', text: 'hi' })).code).toBeUndefined()
    return id
  }
  const say = async (id: string, text: string): Promise<void> => {
    expect((await fixture.send(fixture.bot, id, { role: 'CONTACT', text })).code).toBeUndefined()
  }
  /** The browser has been looked at up to the newest event. */
  const isLookedAt = async (id: string): Promise<boolean> => {
    const rows = await query(
      `select 1 from push_subscription p join stream s on s.name = 'user:' || p.user_id
       where p.id = $1 and s.head = p.position
         and not exists (select 1 from job where key = 'push:' || p.id and run_at < 'infinity')`,
      [id],
    )
    return rows.length === 1
  }
  /** Between two rounds, as long as `work` takes. */
  const betweenRounds = (work: () => Promise<void>): Promise<void> =>
    fixture.server.database.sqlTransaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock($1)', [LOCK])
      await work()
    })

  it('tell nobody of what came while notifications were switched off, or before the browser subscribed again', async () => {
    const ann = await fixture.makeAgent()
    const id = await accepted(ann)
    const { browser, id: subscription } = await subscribe(ann)
    await say(id, 'switched off')
    await until(() => isLookedAt(subscription))
    await change(ann, true)
    await say(id, 'switched on')
    await until(() => browser.received.length > 0)
    await until(() => isLookedAt(subscription))
    expect(browser.received.map(({ payload }) => payload.unread)).toEqual([2])
    await betweenRounds(async () => {
      await say(id, 'seen where the browser subscribes')
      await subscribe(ann, browser)
    })
    await say(id, 'afterwards')
    await until(() => browser.received.length > 1)
    expect(browser.received.map(({ payload }) => payload.unread)).toEqual([2, 4])
  })

  it('come to everybody, whatever one subscription holds', async () => {
    const bad = await fixture.makeAgent()
    const { id: first } = await subscribe(bad)
    const ann = await fixture.makeAgent()
    await change(ann, true)
    await change(bad, true)
    const { browser, id: behind } = await subscribe(ann)
    const id = await accepted(ann)
    await until(() => isLookedAt(behind))
    browser.received.length = 0
    await betweenRounds(async () => {
      // As many as a round takes, all before Ann's, and each of them fails.
      await query(
        `insert into push_subscription
           (id, user_id, family_id, endpoint, p256dh, auth, created_at, updated_at, position)
         select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, user_id, family_id, endpoint || n, p256dh, auth,
           created_at, updated_at, 0
         from push_subscription, generate_series(1, 210) as n where id = $1`,
        [first],
      )
      await query('insert into stream (name, head, tag) values ($1, 1, 1) on conflict (name) do update set head = 1', [
        `user:${bad.id}`,
      ])
      await query('delete from event where stream = $1', [`user:${bad.id}`])
      await query(
        `insert into event (stream, number, type, at, tag, previous, data) values ($1, 1, 'inbox.added', now(), 1, 0, '{}')`,
        [`user:${bad.id}`],
      )
      // As after a commit of this node.
      fixture.server.dispatcher.publish([{ stream: `user:${bad.id}`, number: 1 } as StoredEvent])
      await say(id, 'told all the same')
      // A database that was restored gives numbers again.
      await query('update push_subscription set position = position + 1000 where id = $1', [behind])
    })
    await until(() => isLookedAt(behind))
    await say(id, 'the next one')
    await until(() => browser.received.length > 0)
    expect(lines.map(({ msg }) => msg)).toContain('failed to look for what browsers have to be notified of')
    expect(lines.map(({ msg }) => msg)).not.toContain('maintenance task failed')
    await query('delete from push_subscription where user_id = $1', [bad.id])
  })

  it("share the outgoing slots by the user's contact center, whatever the push service is called", async () => {
    const ann = await fixture.makeAgent()
    await change(ann, true)
    const { browser } = await subscribe(ann)
    const id = await accepted(ann)
    browser.answers.push(503)
    await say(id, 'news')
    let shares: (string | null)[] = []
    await until(async () => {
      const jobs = await query<{ share: string | null }>(`select share from job where kind = 'push.send'`)
      shares = jobs.map(({ share }) => share)
      return shares.length > 0
    })
    expect(new Set(shares)).toEqual(new Set([`push:${fixture.organization.path[0]}`]))
    await query(`delete from job where kind = 'push.send'`)
  })

  it('go on after an erasure has dropped what was being sent', async () => {
    const ann = await fixture.makeAgent()
    await change(ann, true)
    const { browser, id: subscription } = await subscribe(ann)
    const [gone, other] = [await accepted(ann), await accepted(ann)]
    await until(() => isLookedAt(subscription))
    const [{ contact }] = (await query('select contact_id as contact from conversation where id = $1', [gone])) as [
      { contact: string },
    ]
    const jobsOf = () => query('select 1 from job where key = $1', [`push:${subscription}`])
    browser.answers.push(503, 503, 503, 503)
    await say(gone, 'never told')
    await until(async () => (await jobsOf()).length > 0)
    await fixture.send(ann, gone, { role: 'AGENT', text: 'Goodbye' })
    await fixture.command(ann, gone, '/leave')
    const { message } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', {
      id: contact,
    })
    expect(message).toBeUndefined()
    await until(async () => (await jobsOf()).length === 0)
    browser.answers.length = 0
    browser.received.length = 0
    await say(other, 'told')
    await until(() => browser.received.some(({ payload }) => payload.conversation === other))
  })

  it('tell nothing without news, however long ago its messages were told', async () => {
    const ann = await fixture.makeAgent()
    await change(ann, true)
    const { browser, id: subscription } = await subscribe(ann)
    const [quiet, busy] = [await accepted(ann), await accepted(ann)]
    await say(quiet, 'told')
    await until(() => browser.received.length === 1)
    await until(() => isLookedAt(subscription))
    for (let each = 0; each < 120; each++) {
      await fixture.command(ann, busy, `/set @name Talk ${each}`)
    }
    await until(() => isLookedAt(subscription))
    await fixture.command(ann, quiet, '/set @name Renamed')
    await until(() => isLookedAt(subscription))
    await say(busy, 'the next news')
    await until(() => browser.received.some(({ payload }) => payload.conversation === busy))
    expect(browser.received.map(({ payload }) => payload.conversation)).toEqual([quiet, busy])
  })

  it('say once an hour that a push service refuses, and count its answers', async () => {
    const ann = await fixture.makeAgent()
    await change(ann, true)
    const { browser, id: subscription } = await subscribe(ann)
    const id = await accepted(ann)
    await until(() => isLookedAt(subscription))
    for (const text of ['one', 'two']) {
      browser.answers.push(403)
      await say(id, text)
      await until(() => browser.answers.length === 0)
      await until(() => isLookedAt(subscription))
    }
    const said = lines.filter(({ msg }) => msg === 'a push service refuses notifications: they are not sent')
    expect(said).toMatchObject([{ service: service.origin, status: 403 }])
    const metrics = await (await fetch(`${fixture.url}/metrics`)).text()
    expect(metrics).toContain('switchboard_pushes_total{status="403"} 2')
  })

  it('are for sign-ins: an API token gets no browser notified, and what has expired is not shown', async () => {
    const create = `mutation ($input: CreateUserInput!) { createUser(input: $input) { apiToken } }`
    const { value } = await fixture.run<{ apiToken: string }>(fixture.admin, create, {
      input: { email: 'push-bot@acme.example', role: 'BOT' },
    })
    const { input } = service.subscribe()
    const refused = await fixture.run(value.apiToken, SUBSCRIBE, { input })
    expect(refused).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('API token') })
    const ann = await fixture.makeAgent()
    const { id } = await subscribe(ann)
    const shown = async (): Promise<string[]> => {
      const { value: list } = await fixture.run<{ id: string }[]>(fixture.ann, '{ pushSubscriptions { id } }')
      return list.map((each) => each.id)
    }
    await query('update push_subscription set user_id = $2 where id = $1', [id, fixture.ann.id])
    expect(await shown()).toEqual([id])
    await query(
      `update token_family set expires_at = now() - interval '1 second'
       where id = (select family_id from push_subscription where id = $1)`,
      [id],
    )
    expect(await shown()).toEqual([])
    await fixture.server.maintenance.run()
    expect(await query('select 1 from push_subscription where id = $1', [id])).toEqual([])
  })
})

describe('a round', () => {
  it('asks nothing while nobody has heard of news, but now and then of all', async () => {
    const asked: (readonly unknown[])[] = []
    const sql: Sql = {
      query: <Row>(_text: string, values: readonly unknown[] = []) => {
        asked.push(values.slice(1))
        return Promise.resolve([] as Row[])
      },
    }
    let now = 0
    const pushes = new DuePushes({
      ...{ database: {} as Database, clock: systemClock, log: { warn: () => undefined } },
      elapsed: () => now,
    })
    const round = async (ms: number): Promise<readonly unknown[] | undefined> => {
      now += ms
      asked.length = 0
      await pushes.round(sql)
      return asked[0]
    }
    expect(await round(0)).toEqual([])
    expect(await round(2_000)).toBeUndefined()
    pushes.hear([{ stream: 'user:u' }, { stream: 'conversation:c' }] as StoredEvent[])
    expect(await round(2_000)).toEqual([['u']])
    expect(await round(26_000)).toEqual([])
    // Its last notifications may still have been on their way.
    expect(await round(2_000)).toEqual([['u']])
    expect(await round(28_000)).toEqual([])
    expect(await round(2_000)).toBeUndefined()
  })
})

describe('the contact that push services are given', () => {
  it.each([
    ['https://chat.example.org/x', 'Chat <no-reply@localhost>', 'https://chat.example.org'],
    ['https://localhost', 'Chat <chat@acme.example>', 'mailto:chat@acme.example'],
    ['http://chat.example.org', 'chat@acme.example', 'mailto:chat@acme.example'],
    ['http://localhost:4000', 'Switchboard <no-reply@localhost>', null],
  ])('of %s and %s is %s', (publicUrl, mailFrom, contact) => {
    expect(contactOf({ publicUrl, mailFrom })).toBe(contact)
  })

  it('is needed: without one no notifications are offered, and the log says so once', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const server = await startConversationFixture({ MAIL_FROM: 'Switchboard <no-reply@localhost>' }, { log })
    try {
      expect(await server.run(server.ann, '{ pushKey }')).toMatchObject({ code: 'UNPROCESSABLE' })
      expect(lines.filter((line) => line.includes('browsers are not notified'))).toHaveLength(1)
    } finally {
      await server.close()
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Sql } from '../../src/platform/db/database.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
  // A plan that takes too long by it is refused.
  fixture.clock.standAt()
})
afterAll(() => fixture.close())

const PLAN = `query ($d: String!) { planRouting(document: $d) {
  digest changes { section action name fields { field before after } } } }`
const APPLY = `mutation ($d: String!, $g: String!) { applyRouting(document: $d, digest: $g) { changes { section action name } } }`

const ask = (text: string, variables: object) =>
  fixture.gql<Record<string, any>>(fixture.admin, text, variables as Record<string, unknown>) // oxlint-disable-line typescript/no-explicit-any

async function done(text: string, variables: object) {
  const { data, errors } = await ask(text, variables)
  expect(errors).toBeUndefined()
  return Object.values(data)[0] as Record<string, any> // oxlint-disable-line typescript/no-explicit-any
}

async function apply(d: string): Promise<void> {
  const { digest } = await done(PLAN, { d })
  await done(APPLY, { d, g: digest })
}

const sql: ConversationFixture['server']['database']['query'] = (...given) => fixture.server.database.query(...given)
/** Holds what its statements lock for as long as `work` takes, idle or not. */
const inTransaction = (work: (tx: Sql) => Promise<void>): Promise<void> =>
  fixture.server.database.sqlTransaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    await work(tx)
  })

/** The waits for locks. */
const waits = async (): Promise<string[]> => {
  const rows = await sql<{ event: string }>(
    "select wait_event as event from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows.map(({ event }) => event)
}

const rules = (channel: string, delay = 0) =>
  `rules: [{conditions: {all: []}, event: {type: notify, params: {name: r, channels: [${channel}], delay: ${delay}}}}]`

const SPANS = '[{days: [Mon], opens: "09:00", closes: "17:00"}]'

describe('the changes of a document', () => {
  it('do not wait in a circle with the saves of workflows', async () => {
    await apply('version: 1\nworkflows:\n  - name: One\n  - name: Two\n')
    const found = await sql<{ id: string; name: string }>(
      "select id, name from workflow where name in ('One', 'Two') order by id",
    )
    const [early, late] = found as [{ id: string; name: string }, { id: string; name: string }]
    const d = `version: 1\nskills:\n  - name: Diving\nworkflows:\n  - {name: One, ${rules('Sales')}}\n  - {name: Two, ${rules('Sales')}}\n`
    const { digest } = await done(PLAN, { d })
    let applied: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await tx.query('select 1 from workflow where id = $1 for update', [early.id])
      applied = ask(APPLY, { d, g: digest })
      await until(async () => (await waits()).length === 1)
      await done('mutation ($w: ID!) { updateWorkflow(id: $w, patch: { name: "Saved" }) { version } }', { w: late.id })
    })
    const { errors } = await applied!
    expect(errors![0]!.extensions).toMatchObject({
      code: 'PRECONDITION_FAILED',
      records: [{ section: 'workflows', name: late.name }],
    })
    expect(await sql('select id, name from workflow where id = $1', [late.id])).toEqual([
      { id: late.id, name: 'Saved' },
    ])
  })

  it('do not wait in a circle with the saves of policies, which lock their schedules', async () => {
    const targets = (seconds: number) => `targets: [{clock: queue, seconds: ${seconds}}]`
    await apply(
      `version: 1\nschedules:\n  - {name: Day, timezone: UTC, spans: ${SPANS}}\nslaPolicies:\n  - {name: Fast, schedule: Day, ${targets(60)}}\n`,
    )
    const [policy] = await sql<{ id: string }>("select id from sla_policy where name = 'Fast'")
    const d = `version: 1\nschedules:\n  - {name: Day, timezone: Europe/Paris, spans: ${SPANS}}\nslaPolicies:\n  - {name: Fast, schedule: Day, ${targets(90)}}\n`
    let planned: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await tx.query('select 1 from sla_policy where id = $1 for update', [policy!.id])
      planned = ask(PLAN, { d })
      await until(async () => (await waits()).length === 1)
      expect(await tx.query("select 1 from schedule where name = 'Day' for update skip locked")).toHaveLength(1)
    })
    expect((await planned!).errors).toBeUndefined()
  })

  it('do not delete a workflow with an edit that nobody has planned to delete', async () => {
    await apply(`version: 1\nworkflows:\n  - name: Doomed\n`)
    const kept = ((await done('{ routing { text } }', {})).text as string).replace(
      / {2}- name: Doomed\n(?: {4}.*\n)*/,
      '',
    )
    expect(kept).not.toContain('Doomed')
    const d = `version: 1\nmanages: [workflows]\n${kept.slice(kept.indexOf('\nworkflows:') + 1)}`
    const { digest, changes } = await done(PLAN, { d })
    expect(changes).toMatchObject([{ action: 'DELETE', name: 'Doomed' }])
    let applied: ReturnType<typeof ask> | undefined
    await inTransaction(async (edit) => {
      await inTransaction(async (turn) => {
        await turn.query(`select pg_advisory_xact_lock(hashtextextended('routing ' || $1::text, 0))`, [
          fixture.organization.id,
        ])
        applied = ask(APPLY, { d, g: digest })
        await until(async () => (await waits()).includes('advisory'))
        await edit.query(`update workflow set organization_tags = '{vip}', version = version + 1 where name = 'Doomed'`)
      })
      await until(async () => (await waits()).some((event) => event !== 'advisory'))
    })
    const { errors } = await applied!
    expect(errors![0]!.extensions).toMatchObject({
      code: 'PRECONDITION_FAILED',
      records: [{ section: 'workflows', name: 'Doomed' }],
    })
    expect(await sql("select organization_tags as tags from workflow where name = 'Doomed'")).toEqual([
      { tags: ['vip'] },
    ])
  })
})

describe('a plan', () => {
  it('waits for no channel that would stay as it is, however its entry is written', async () => {
    await apply('version: 1\nchannels:\n  - {name: Plain, serviceLevel: {answerSeconds: 20}}\n')
    await inTransaction(async (tx) => {
      await tx.query("select 1 from channel where name = 'Plain' for update")
      const d =
        'version: 1\nchannels:\n  - {name: Plain, serviceLevel: {shortAbandonSeconds: 5}, assignment: null, survey: null}\n'
      expect((await done(PLAN, { d })).changes).toEqual([])
    })
  })

  it('lets agents come online in a channel that it changes while it is at others', async () => {
    await apply(`version: 1\nchannels:\n  - name: Busy\nworkflows:\n  - name: Long\n`)
    const d = `version: 1\nchannels:\n  - {name: Busy, assignment: {mode: offer}}\nworkflows:\n  - {name: Long, ${rules('Busy')}}\n`
    let planned: ReturnType<typeof ask> | undefined
    await inTransaction(async (tx) => {
      await tx.query("select 1 from workflow where name = 'Long' for update")
      planned = ask(PLAN, { d })
      await until(async () => (await waits()).length === 1)
      expect(await tx.query("select 1 from channel where name = 'Busy' for no key update skip locked")).toHaveLength(1)
    })
    expect((await (await planned!).data).planRouting.changes).toHaveLength(2)
  })

  it('has the records whose names stand for others then', async () => {
    const [one, other] = [await fixture.makeChannel('Left'), await fixture.makeChannel('Right')]
    await apply(`version: 1\nworkflows:\n  - {name: Named, ${rules('Left')}}\n`)
    const d = `version: 1\nchannels:\n  - {id: ${one}, name: Right}\n  - {id: ${other}, name: Left}\nworkflows:\n  - {name: Named, ${rules('Left')}}\n`
    const { digest, changes } = await done(PLAN, { d })
    expect(changes).toMatchObject([
      { section: 'CHANNELS', name: 'Left' },
      { section: 'CHANNELS', name: 'Right' },
      {
        section: 'WORKFLOWS',
        name: 'Named',
        fields: [{ field: 'rules["r"].event.params.channels', before: [one], after: [other] }],
      },
    ])
    await done(APPLY, { d, g: digest })
    expect((await done(PLAN, { d })).changes).toEqual([])
    expect(
      await sql("select rules #> '{0,event,params,channels}' as channels from workflow where name = 'Named'"),
    ).toEqual([{ channels: [other] }])
  })

  it('leaves alone a workflow of which only the names of channels are others', async () => {
    const id = await fixture.makeChannel('Quay')
    await apply(`version: 1\nworkflows:\n  - {name: Berths, ${rules('Quay')}}\n`)
    const d = `version: 1\nchannels:\n  - {id: ${id}, name: Pier}\nworkflows:\n  - {name: Berths, ${rules('Pier')}}\n`
    const { digest, changes } = await done(PLAN, { d })
    expect(changes).toMatchObject([{ section: 'CHANNELS', name: 'Quay' }])
    await done(APPLY, { d, g: digest })
    expect(await sql("select version from workflow where name = 'Berths'")).toEqual([{ version: 1 }])
    expect((await done(PLAN, { d })).changes).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { bulkKey } from '../../src/modules/conversations/bulk/bulk-run.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { OPERATOR_TOKEN, startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startConversationFixture, texts, type ConversationFixture, type Outcome } from './conversation-fixture.js'

const RUN = `id state kinds total done skipped failed undone kept isUndoable createdAt endedAt undoUntil
  refusals { conversationId isFailed isKept code reason message step conversation { status } }`
const BULK = `mutation ($act: BulkActInput!, $id: ID!, $on: [ID!], $filter: ConversationFilter) {
  bulk(act: $act, id: $id, conversations: $on, filter: $filter) { ${RUN} } }`
const READ = `query ($id: ID!) { bulkRun(id: $id) { ${RUN} } }`
const CANCEL = `mutation ($id: ID!) { cancelBulk(id: $id) { ${RUN} } }`
const UNDO_ONE = 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }'
const CLOSE_ONE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
const UNDO = `mutation ($id: ID!) { undoBulk(id: $id) { ${RUN} } }`

interface Run {
  id: string
  state: 'RUNNING' | 'DONE' | 'CANCELLED' | 'UNDOING' | 'UNDONE'
  kinds: string[]
  total: number
  done: number
  skipped: number
  failed: number
  undone: number
  kept: number
  endedAt: string | null
  undoUntil: string | null
  refusals: {
    conversationId: string
    isFailed: boolean
    isKept: boolean
    code: string
    reason: string
    message: string
    conversation: { status: string } | null
  }[]
}

const isOver = ({ state }: Run): boolean => state !== 'RUNNING' && state !== 'UNDOING'

describe('bulk', () => {
  let fixture: ConversationFixture
  let other: TestServer
  let label: string
  let second: string
  beforeAll(async () => {
    fixture = await startConversationFixture({}, { pace: 10 })
    other = await startTestServer({}, { beside: fixture })
    label = await make('/v2/labels', { name: 'Crane' })
    second = await make('/v2/labels', { name: 'Berth' })
    await fixture.rest(fixture.admin, 'PATCH', `/v2/organizations/${fixture.organization.id}`, {
      categories: [{ name: 'Engine' }],
    })
  })
  afterAll(async () => {
    await other?.close()
    await fixture?.close()
  })

  const make = async (path: string, body: object): Promise<string> =>
    (await fixture.rest(fixture.admin, 'POST', path, body)).body.id as string
  const start = (
    step: object,
    on: string[] | null,
    { as = fixture.ann, id = systemClock.newId(), filter = null as object | null } = {},
  ): Promise<Outcome<Run>> => fixture.run<Run>(as, BULK, { act: { step }, id, on, filter })
  const read = async (id: string, as: MadeUser | string = fixture.ann): Promise<Run> =>
    (await fixture.run<Run>(as, READ, { id })).value
  const ended = (id: string, as = fixture.ann): Promise<Run> => until(() => read(id, as), isOver)
  /** Starts it and waits for its end. */
  const done = async (step: object, on: string[], options: Parameters<typeof start>[2] = {}): Promise<Run> => {
    const { value, code, message } = await start(step, on, options)
    if (code) throw new Error(`${code}: ${message}`)
    return ended(value.id, options.as)
  }
  const arrive = async (count: number): Promise<string[]> => {
    const made: string[] = []
    for (let nth = 0; nth < count; nth++)
      made.push((await fixture.create({ messages: [{ role: 'CONTACT', text: `hello ${nth}` }] })).id)
    return made.toSorted()
  }
  const taken = async (count: number, by = fixture.ann): Promise<string[]> => {
    const ids = await arrive(count)
    for (const id of ids) await fixture.command(by, id, '/accept')
    return ids
  }
  const look = async (id: string): Promise<{ status: string; labelIds: string[]; snoozedUntil: string | null }> =>
    (
      await fixture.run<{ status: string; labelIds: string[]; snoozedUntil: string | null }>(
        fixture.admin,
        'query ($id: ID!) { conversation(id: $id) { status labelIds snoozedUntil } }',
        { id },
      )
    ).value
  const looks = (ids: readonly string[]) => Promise.all(ids.map(look))
  const milestones = async (id: string): Promise<string[]> => {
    const rows = await fixture.server.database.query<{ kind: string }>(
      'select kind from milestone where conversation_id = $1 order by nth',
      [id],
    )
    return rows.map(({ kind }) => kind)
  }

  it('does an act with each, says what it did, and undoes it', async () => {
    const [mine, theirs] = [await taken(3), await taken(1, fixture.ben)]
    const on = [...mine, ...theirs]
    const run = await done({ kind: 'CLOSE' }, on)
    expect(run).toMatchObject({ state: 'DONE', kinds: ['CLOSE'], total: 4, done: 3, skipped: 1, failed: 0, undone: 0 })
    expect(run.refusals).toMatchObject([
      {
        conversationId: theirs[0],
        code: 'UNPROCESSABLE',
        reason: 'CONVERSATION_STATUS',
        isFailed: false,
        isKept: false,
        conversation: { status: 'ACTIVE' },
      },
    ])
    expect(await looks(mine)).toMatchObject(mine.map(() => ({ status: 'CLOSED' })))
    // The closings are held until they can be undone no longer.
    expect(await milestones(mine[0]!)).not.toContain('closed')
    const { value: undoing } = await fixture.run<Run>(fixture.ann, UNDO, { id: run.id })
    expect(undoing.state).toMatch(/UNDOING|UNDONE/)
    expect(await ended(run.id)).toMatchObject({ state: 'UNDONE', done: 3, undone: 3 })
    for (const id of mine) {
      const { status, participants } = await fixture.show(id)
      expect([status, participants.map(({ userId, accepted }) => [userId, accepted])]).toEqual([
        'ACTIVE',
        [[fixture.ann.id, true]],
      ])
    }
    // Repeating it changes nothing.
    expect((await fixture.run<Run>(fixture.ann, UNDO, { id: run.id })).value).toMatchObject({ state: 'UNDONE' })
  })

  it('labels: what was on already stays on when it is undone', async () => {
    const [one, two] = (await taken(2)) as [string, string]
    await fixture.rest(fixture.ann, 'POST', `/v2/conversations/${one}/labels`, { label })
    await fixture.rest(fixture.ann, 'POST', `/v2/conversations/${two}/labels`, { label: second })
    const run = await done({ kind: 'LABELS', add: [label], remove: [second] }, [one, two])
    expect(await looks([one, two])).toMatchObject([{ labelIds: [label] }, { labelIds: [label] }])
    // What somebody changes meanwhile commutes.
    await fixture.send(fixture.bot, two, { role: 'CONTACT', text: 'still there?' })
    await fixture.run(fixture.ann, UNDO, { id: run.id })
    expect(await ended(run.id)).toMatchObject({ state: 'UNDONE', undone: 2 })
    expect(await looks([one, two])).toMatchObject([{ labelIds: [label] }, { labelIds: [second] }])
  })

  it('what waits is accepted by a snooze and a closing, and waits again when they are undone', async () => {
    const on = await arrive(2)
    const run = await done({ kind: 'SNOOZE', minutes: 60 }, on)
    expect(run).toMatchObject({ state: 'DONE', done: 2 })
    for (const each of await looks(on))
      expect(each).toMatchObject({ status: 'ACTIVE', snoozedUntil: expect.any(String) })
    await fixture.run(fixture.ann, UNDO, { id: run.id })
    expect(await ended(run.id)).toMatchObject({ state: 'UNDONE', undone: 2 })
    expect(await looks(on)).toMatchObject(on.map(() => ({ status: 'QUEUED', snoozedUntil: null })))
    const closed = await done({ kind: 'CLOSE' }, on)
    expect(closed).toMatchObject({ done: 2 })
    await fixture.run(fixture.ann, UNDO, { id: closed.id })
    expect(await ended(closed.id)).toMatchObject({ undone: 2 })
    expect(await looks(on)).toMatchObject(on.map(() => ({ status: 'QUEUED' })))
  })

  it('an undoing leaves alone what changed since, and says so', async () => {
    const [changed, same] = (await taken(2)) as [string, string]
    const run = await done({ kind: 'CLOSE' }, [changed, same])
    await fixture.send(fixture.bot, changed, { role: 'CONTACT', text: 'one more thing' })
    const before = await look(changed)
    await fixture.run(fixture.ann, UNDO, { id: run.id })
    const undone = await ended(run.id)
    expect(undone).toMatchObject({ state: 'UNDONE', done: 2, undone: 1 })
    expect(undone.refusals).toMatchObject([{ conversationId: changed, isKept: true, reason: 'CHANGED_MEANWHILE' }])
    expect(await look(changed)).toEqual(before)
    expect(await look(same)).toMatchObject({ status: 'ACTIVE' })
  })

  it('an undoing knows its own closing: one that the agent undid or made meanwhile stays', async () => {
    const [again, back] = [...(await taken(1)), ...(await arrive(1))] as [string, string]
    const run = await done({ kind: 'CLOSE' }, [again, back])
    for (const id of [again, back]) expect((await fixture.run(fixture.ann, UNDO_ONE, { id })).code).toBeUndefined()
    expect((await fixture.run(fixture.ann, CLOSE_ONE, { id: again })).code).toBeUndefined()
    // This one she goes on with: it must not be put back into the queue under her hands.
    await fixture.send(fixture.ann, back, { role: 'AGENT', text: 'tell me more' })
    await fixture.send(fixture.bot, back, { role: 'CONTACT', text: 'it leaks' })
    await fixture.run(fixture.ann, UNDO, { id: run.id })
    const undone = await ended(run.id)
    expect(undone).toMatchObject({ state: 'UNDONE', done: 2, undone: 0 })
    expect(undone.refusals.map(({ isKept, reason }) => [isKept, reason])).toEqual([
      [true, 'CHANGED_MEANWHILE'],
      [true, 'CHANGED_MEANWHILE'],
    ])
    expect(await look(again)).toMatchObject({ status: 'CLOSED' })
    expect((await fixture.show(back)).participants).toMatchObject([{ userId: fixture.ann.id, accepted: true }])
  })

  it('what waits again has its place in the queue, not the last one', async () => {
    const [id] = (await arrive(1)) as [string]
    const place = async (): Promise<unknown> => {
      const { value } = await fixture.run(
        fixture.ann,
        'query ($id: ID!) { conversation(id: $id) { status queuedAt } }',
        { id },
      )
      const rows = await fixture.server.database.query('select waiting_since from conversation where id = $1', [id])
      return [value, rows]
    }
    const before = await place()
    expect(before).toMatchObject([{ status: 'QUEUED', queuedAt: expect.any(String) }, [{}]])
    for (const step of [{ kind: 'SNOOZE', minutes: 60 }, { kind: 'CLOSE' }]) {
      fixture.clock.advance(60_000)
      const run = await done(step, [id])
      expect(run).toMatchObject({ done: 1 })
      await fixture.run(fixture.ann, UNDO, { id: run.id })
      expect(await ended(run.id)).toMatchObject({ undone: 1 })
      expect([step, await place()]).toEqual([step, before])
    }
  })

  it('what a colleague answered and handed to a channel waits in that channel again', async () => {
    const docks = await fixture.makeChannel('Docks', [fixture.ann])
    const [id] = (await taken(1, fixture.ben)) as [string]
    await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'the dockers know more' })
    const { code } = await fixture.run(
      fixture.ben,
      'mutation ($id: ID!, $channel: ID!) { handOverConversation(conversation: $id, channel: $channel) { id } }',
      { id, channel: docks },
    )
    expect(code).toBeUndefined()
    const waits = { status: 'QUEUED', channelsOffline: [docks], channels: [] }
    expect(await fixture.show(id)).toMatchObject(waits)
    for (const step of [{ kind: 'SNOOZE', minutes: 60 }, { kind: 'CLOSE' }]) {
      const run = await done(step, [id])
      await fixture.run(fixture.ann, UNDO, { id: run.id })
      expect(await ended(run.id)).toMatchObject({ done: 1, undone: 1 })
      expect([step, await fixture.show(id)]).toEqual([step, expect.objectContaining(waits)])
    }
  })

  it('names what could not be undone before what was skipped, which may be more than are listed', async () => {
    const colleague = await fixture.makeAgent({ displayName: 'Cleo' })
    const [theirs, own] = [await taken(2, colleague), await taken(1)]
    const run = await done({ kind: 'CLOSE' }, [...theirs, ...own])
    expect(run).toMatchObject({ done: 1, skipped: 2, kept: 0 })
    await fixture.send(fixture.bot, own[0]!, { role: 'CONTACT', text: 'wait' })
    await fixture.run(fixture.ann, UNDO, { id: run.id })
    expect(await ended(run.id)).toMatchObject({ undone: 0, kept: 1 })
    const first = await fixture.run<{ refusals: object[] }>(
      fixture.ann,
      'query ($id: ID!) { bulkRun(id: $id) { refusals(first: 1) { conversationId isKept } } }',
      { id: run.id },
    )
    expect(first.value.refusals).toEqual([{ conversationId: own[0], isKept: true }])
  })

  it('offers no undoing where nothing was done', async () => {
    const colleague = await fixture.makeAgent({ displayName: 'Cleo' })
    const run = await done({ kind: 'CLOSE' }, await taken(1, colleague))
    expect(run).toMatchObject({ state: 'DONE', done: 0, skipped: 1, undoUntil: null })
    expect((await fixture.run(fixture.ann, UNDO, { id: run.id })).code).toBe('UNPROCESSABLE')
  })

  it('cannot be undone after 15 seconds, and not if it only said something', async () => {
    const on = await taken(1)
    const replied = await done({ kind: 'REPLY', text: 'Dear {{ givenName }}, we are closed on Monday.' }, on)
    expect(replied).toMatchObject({ isUndoable: false, undoUntil: null, done: 1 })
    expect(texts(await fixture.show(on[0]!)).at(-1)).toBe('Dear Carl, we are closed on Monday.')
    expect((await fixture.run(fixture.ann, UNDO, { id: replied.id })).code).toBe('UNPROCESSABLE')
    const closed = await done({ kind: 'CLOSE' }, on)
    expect(Date.parse(closed.undoUntil!) - Date.parse(closed.endedAt!)).toBe(15_000)
    fixture.clock.advance(15_001)
    expect(await fixture.run(fixture.ann, UNDO, { id: closed.id })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'CHANGED_MEANWHILE' },
    })
    expect(await look(on[0]!)).toMatchObject({ status: 'CLOSED' })
  })

  it('keeps what it says no longer than it needs it', async () => {
    const run = await done({ kind: 'NOTE', text: 'crane 2 is out' }, await taken(1))
    const [row] = await fixture.server.database.query<{ text: string }>(
      'select r::text || (select string_agg(i::text, $2) from bulk_item i where i.run_id = r.id) as text from bulk_run r where id = $1',
      [run.id, ''],
    )
    expect(row!.text).toContain('note')
    expect(row!.text).not.toContain('crane')
  })

  it('skips what is gone, merged, of somebody else, or has another last message', async () => {
    const [stays, said, gone] = (await taken(3)) as [string, string, string]
    const archived = (await fixture.inStatus('ARCHIVED')).id
    const stranger = await other.makeOrganization({ name: 'Beta' })
    const outsider = await fixture.makeUser({ organization: stranger, role: 'bot' })
    const hidden = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'elsewhere' }] }, outsider)).id
    const on = [stays, said, gone, archived, hidden].toSorted()
    // The organization's turn is taken: meanwhile the consumer writes, and a contact is erased.
    const blocker = await block()
    const { value } = await start({ kind: 'HAND_OVER', user: fixture.ben.id, note: 'yours' }, on)
    await fixture.send(fixture.bot, said, { role: 'CONTACT', text: 'and another thing' })
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: gone })
    await blocker()
    const run = await ended(value.id)
    expect(run).toMatchObject({ total: 5, done: 1, skipped: 4, failed: 0 })
    expect(Object.fromEntries(run.refusals.map((each) => [each.conversationId, each.reason]))).toEqual({
      [said]: 'CHANGED_MEANWHILE',
      [gone]: 'RECORD_NOT_FOUND',
      [archived]: 'CONVERSATION_STATUS',
      [hidden]: 'RECORD_NOT_FOUND',
    })
    expect((await fixture.show(stays)).participants.filter(({ accepted }) => accepted)).toMatchObject([
      { userId: fixture.ben.id },
    ])
  })

  /** Holds the turn of the contact center by a job before all others, of a kind that no node runs. */
  const block = async (): Promise<() => Promise<void>> => {
    const { database } = fixture.server
    const id = systemClock.newId()
    await database.query(
      `insert into job (id, kind, key, run_at, payload, created_at) values ($1, 'test.hold', $2, $3, '{}', $3)`,
      [id, bulkKey(fixture.organization.id), fixture.clock.now()],
    )
    return async () => void (await database.query('delete from job where id = $1', [id]))
  }

  it('skips one in which nothing had been said, if something is said meanwhile', async () => {
    const { id } = await fixture.create({ messages: [] })
    const release = await block()
    const { value } = await start({ kind: 'CLOSE' }, [id])
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'my first words' })
    await release()
    const run = await ended(value.id)
    expect(run).toMatchObject({ done: 0, skipped: 1 })
    expect(run.refusals).toMatchObject([{ conversationId: id, reason: 'CHANGED_MEANWHILE' }])
  })

  it('a right that ends in between ends there: a viewer does nothing more, an archived user neither, a deleted one has no run', async () => {
    const update = (id: string, patch: object) =>
      fixture.run(
        fixture.admin,
        'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }',
        { id, patch },
      )
    const changes: [change: (id: string) => Promise<{ code?: string }>, reason: string | null][] = [
      [(id) => update(id, { role: 'VIEWER' }), 'PERMISSION_MISSING'],
      [(id) => update(id, { status: 'ARCHIVED' }), 'TOKEN_INVALID'],
      [(id) => fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id }), null],
    ]
    for (const [change, reason] of changes) {
      const agent = await fixture.makeAgent({ displayName: 'Dora' })
      const on = await arrive(2)
      const release = await block()
      const { value } = await start({ kind: 'LABELS', add: [label] }, on, { as: agent })
      const { code } = await change(agent.id)
      await release()
      expect(code).toBeUndefined()
      const rows = await until(
        () =>
          fixture.server.database.query<{ state: string; reasons: string[] }>(
            `select state, (select array_agg(refusal ->> 'reason') from bulk_item where run_id = r.id) as reasons
             from bulk_run r where id = $1`,
            [value.id],
          ),
        ([row]) => row === undefined || row.state === 'done',
      )
      expect(rows).toEqual(reason === null ? [] : [{ state: 'done', reasons: [reason, reason] }])
      await until(async () => {
        const jobs = await fixture.server.database.query(`select 1 from job where payload ->> 'run' = $1`, [value.id])
        return jobs.length === 0
      })
      expect(await looks(on)).toMatchObject(on.map(() => ({ labelIds: [] })))
    }
  })

  /** Archives the contact center before the turn comes that `release` gives, for more than an hour. */
  const standStill = async (release: () => Promise<void>): Promise<void> => {
    const change = async (what: 'archive' | 'reopen'): Promise<void> => {
      const text = `mutation ($id: ID!) { ${what}ContactCenter(id: $id) { id } }`
      const { errors } = await fixture.gql(OPERATOR_TOKEN, text, { id: fixture.organization.id })
      expect(errors).toBeUndefined()
    }
    await change('archive')
    await release()
    await until(() =>
      fixture.server.database
        .query(`select 1 from job where kind = 'bulk.slice' and last_error like '%is archived%'`)
        .then((rows) => rows.length > 0),
    )
    fixture.clock.advance(3_600_001)
    await change('reopen')
  }

  it('an archived contact center stands still; after an hour nothing more is done', async () => {
    const on = await arrive(2)
    const release = await block()
    const { value } = await start({ kind: 'LABELS', add: [label] }, on)
    await standStill(release)
    const run = await ended(value.id)
    expect(run).toMatchObject({ state: 'DONE', done: 0, skipped: 2 })
    expect(run.refusals.map(({ reason }) => reason)).toEqual(['BULK_ENDED', 'BULK_ENDED'])
  })

  it('an undoing that stood still for an hour takes nothing back any more', async () => {
    const on = await arrive(2)
    const run = await done({ kind: 'LABELS', add: [label] }, on)
    const release = await block()
    await fixture.run(fixture.ann, UNDO, { id: run.id })
    await standStill(release)
    const undone = await ended(run.id)
    expect(undone).toMatchObject({ state: 'UNDONE', done: 2, undone: 0 })
    expect(undone.refusals.map(({ isKept, reason }) => [isKept, reason])).toEqual(on.map(() => [true, 'BULK_ENDED']))
    expect(await looks(on)).toMatchObject(on.map(() => ({ labelIds: [label] })))
  })

  it('cancelling leaves the rest as it is', async () => {
    const on = await arrive(3)
    const release = await block()
    const { value } = await start({ kind: 'LABELS', add: [label] }, on)
    const { value: cancelled } = await fixture.run<Run>(fixture.ann, CANCEL, { id: value.id })
    expect(cancelled).toMatchObject({ state: 'CANCELLED', done: 0, skipped: 3, endedAt: expect.any(String) })
    expect(cancelled.refusals.map(({ reason }) => reason)).toEqual(on.map(() => 'BULK_ENDED'))
    await release()
    const next = await done({ kind: 'NOTE', text: 'after it' }, on)
    expect(next).toMatchObject({ done: 3 })
    expect(await looks(on)).toMatchObject(on.map(() => ({ labelIds: [] })))
    expect((await fixture.run<Run>(fixture.ann, CANCEL, { id: value.id })).value).toMatchObject({ state: 'CANCELLED' })
  })

  it('a repeat, also at another node, gets the same run; with another request it is refused', async () => {
    const on = await arrive(2)
    const id = systemClock.newId()
    const variables = { act: { step: { kind: 'LABELS', add: [label] } }, id, on }
    const token = await fixture.tokenFor(fixture.ann)
    const answers = await Promise.all([
      fixture.gql(token, BULK, variables),
      other.gql(token, BULK, variables),
      fixture.gql(token, BULK, { ...variables, id: id.toUpperCase() }),
    ])
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined])
    await ended(id)
    const [counted] = await fixture.server.database.query<{ labelled: number }>(
      `select count(*)::int as labelled from milestone where kind = 'labelled' and conversation_id = any($1::uuid[])`,
      [on],
    )
    expect(counted).toEqual({ labelled: 2 })
    expect(await start({ kind: 'CLOSE' }, on, { id })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'IDEMPOTENCY_KEY_REUSED', field: 'id' },
    })
    // Another's run is not found, nor its id given away.
    expect(await start({ kind: 'CLOSE' }, on, { id, as: fixture.ben })).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'id' },
    })
    expect((await fixture.run(fixture.ben, READ, { id })).code).toBe('NOT_FOUND')
    expect((await fixture.run(fixture.ben, CANCEL, { id })).code).toBe('NOT_FOUND')
    expect((await fixture.run(fixture.ben, UNDO, { id })).code).toBe('NOT_FOUND')
  })

  it('does what a filter finds', async () => {
    const mark = await make('/v2/labels', { name: `filtered ${systemClock.newId().slice(-6)}` })
    const on = await arrive(3)
    for (const id of on) await fixture.rest(fixture.ann, 'POST', `/v2/conversations/${id}/labels`, { label: mark })
    const filter = { labels: { eq: mark } }
    const { value, code, message } = await start({ kind: 'CATEGORY', category: 'Engine' }, null, { filter })
    expect([code, message]).toEqual([undefined, undefined])
    expect(await ended(value.id)).toMatchObject({ total: 3, done: 3 })
    for (const id of on) expect(await fixture.show(id)).toMatchObject({ category: 'Engine' })
    // Of those that the caller sees.
    const stranger = await fixture.makeUser({ organization: await other.makeOrganization({ name: 'Gamma' }) })
    expect(await start({ kind: 'NOTE', text: 'x' }, null, { filter, as: stranger })).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'filter' },
    })
  })

  it('runs a macro, of each all or none', async () => {
    const steps = [{ kind: 'LABELS', add: [label] }, { kind: 'NOTE', text: 'done by all' }, { kind: 'CLOSE' }]
    const { value: macro } = await fixture.run<{ id: string }>(
      fixture.ann,
      'mutation ($input: CreateMacroInput!) { createMacro(input: $input) { id } }',
      { input: { name: 'Tidy up', steps } },
    )
    const [mine, theirs] = [...(await taken(1)), ...(await taken(1, fixture.ben))] as [string, string]
    const id = systemClock.newId()
    const given = { act: { macro: macro.id }, id, on: [mine, theirs] }
    expect((await fixture.run(fixture.ann, BULK, given)).code).toBeUndefined()
    expect(await ended(id)).toMatchObject({ done: 1, skipped: 1, kinds: ['LABELS', 'NOTE', 'CLOSE'] })
    expect(await milestones(mine)).toContain('macro')
    expect(texts(await fixture.show(theirs))).not.toContain('done by all')
    expect(await look(theirs)).toMatchObject({ labelIds: [], status: 'ACTIVE' })
    const [stays] = (await fixture.server.database.query<{ kinds: string }>(
      `select string_agg(kind, ',') as kinds from milestone where conversation_id = $1 and kind = 'macro'`,
      [theirs],
    )) as [{ kinds: string | null }]
    expect(stays.kinds).toBeNull()
  })

  it('refuses bad input, and says which', async () => {
    const on = await arrive(1)
    const many = (count: number): string[] => Array.from({ length: count }, () => systemClock.newId())
    const step = { kind: 'NOTE', text: 'x' }
    const cases: [Parameters<typeof start>, string, string | RegExp][] = [
      [[step, []], 'BAD_USER_INPUT', 'conversations'],
      [[step, many(501)], 'BAD_USER_INPUT', 'conversations'],
      [[step, null], 'BAD_USER_INPUT', 'conversations'],
      [[step, [on[0]!, on[0]!.toUpperCase()]], 'BAD_USER_INPUT', 'conversations[1]'],
      [[step, ['nonsense']], 'NOT_FOUND', 'conversations[0]'],
      [[step, on, { filter: { status: { eq: 'QUEUED' } } }], 'BAD_USER_INPUT', 'conversations'],
      [[step, null, { filter: {} }], 'BAD_USER_INPUT', 'filter'],
      // Each of these fits all conversations, as `{}` does.
      ...[
        { status: {} },
        { and: [] },
        { or: [{}] },
        { and: [{ labels: {} }, { participants: {} }] },
        { or: [{ status: { eq: 'QUEUED' } }, {}] },
        { meta: [{ path: 'plan' }] },
      ].map((filter): (typeof cases)[number] => [[step, null, { filter }], 'BAD_USER_INPUT', 'filter']),
      [[step, null, { filter: { name: { eq: 'no such name' } } }], 'BAD_USER_INPUT', 'filter'],
      [[step, on, { id: 'nonsense' }], 'BAD_USER_INPUT', 'id'],
      [[{ kind: 'REPLY', text: 'x' }, many(51)], 'BAD_USER_INPUT', 'conversations'],
      [[{ kind: 'REPLY', text: ' ' }, on], 'BAD_USER_INPUT', 'act.step.text'],
      [[{ kind: 'LABELS', add: [systemClock.newId()] }, on], 'NOT_FOUND', 'act.step.add[0]'],
      [[{ kind: 'CATEGORY', category: 'Sails' }, on], 'UNPROCESSABLE', 'act.step.category'],
      [[{ kind: 'SNOOZE', minutes: 0 }, on], 'BAD_USER_INPUT', 'act.step.minutes'],
    ]
    for (const [given, code, field] of cases) {
      expect([given[0], await start(...given)]).toEqual([
        given[0],
        expect.objectContaining({ code, details: expect.objectContaining({ field }) }),
      ])
    }
    for (const act of [{}, { step, macro: systemClock.newId() }]) {
      expect(await fixture.run(fixture.ann, BULK, { act, id: systemClock.newId(), on })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'act.step' },
      })
    }
    expect(
      await fixture.run(fixture.ann, BULK, { act: { macro: systemClock.newId() }, id: systemClock.newId(), on }),
    ).toMatchObject({ code: 'NOT_FOUND', details: { field: 'act.macro' } })
  })

  it('has at most 3 runs of a user under way', async () => {
    const on = await arrive(1)
    const release = await block()
    const started: string[] = []
    for (let nth = 0; nth < 3; nth++) {
      const { value, code } = await start({ kind: 'NOTE', text: `${nth}` }, on)
      expect(code).toBeUndefined()
      started.push(value.id)
    }
    expect(await start({ kind: 'NOTE', text: '4' }, on)).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'TOO_MANY' },
    })
    await release()
    for (const id of started) expect(await ended(id)).toMatchObject({ done: 1 })
  })

  it('waits for no run of another customer of the same contact center', async () => {
    const release = await block()
    const organization = await fixture.makeOrganization({ parent: fixture.organization, name: 'North' })
    const admin = await fixture.makeUser({ organization, role: 'admin' })
    const { id } = await fixture.create({}, await fixture.makeUser({ organization, role: 'bot' }))
    expect(await done({ kind: 'NOTE', text: 'ours' }, [id], { as: admin })).toMatchObject({ done: 1, refusals: [] })
    await release()
  })

  it('tells its caller alone, by the inbox', async () => {
    const QUERY = `subscription { inbox { __typename ... on BulkChanged { runId run { state total done } } } }`
    interface Told {
      __typename: string
      runId?: string
      run?: { state: string; total: number; done: number } | null
    }
    const clients = await Promise.all(
      [fixture.ann, fixture.ben].map(async (user) => liveClient(other.url, await fixture.tokenFor(user))),
    )
    const [anns, bens] = clients.map((client) => subscribe<Told>(client, 'inbox', QUERY)) as [
      ReturnType<typeof subscribe<Told>>,
      ReturnType<typeof subscribe<Told>>,
    ]
    await Promise.all([anns, bens].map((each) => each.next(({ __typename }) => __typename === 'InboxSnapshot')))
    const { value } = await start({ kind: 'LABELS', add: [label] }, await arrive(2))
    const last = await anns.next(({ run }) => run?.state === 'DONE')
    expect(last).toMatchObject({ __typename: 'BulkChanged', runId: value.id, run: { total: 2, done: 2 } })
    expect(await read(value.id)).toMatchObject({ state: 'DONE', total: 2, done: 2 })
    const { value: next } = await start({ kind: 'NOTE', text: 'bens own' }, await arrive(1), { as: fixture.ben })
    await bens.next(({ runId }) => runId === next.id)
    expect(bens.events.some(({ runId }) => runId === value.id)).toBe(false)
    for (const client of clients) await client.dispose()
  })

  it('guests and viewers may not', async () => {
    const on = await arrive(1)
    const { value: guest } = await fixture.run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id: on[0] },
    )
    const viewer = await fixture.makeUser({ organization: fixture.organization, role: 'viewer' })
    for (const as of [guest.token, viewer])
      expect((await start({ kind: 'CLOSE' }, on, { as: as as MadeUser })).code).toBe('FORBIDDEN')
  })

  it('/v2 begins, reads, cancels and undoes runs', async () => {
    const on = await taken(2)
    const id = systemClock.newId()
    const body = { act: { step: { kind: 'close' } }, id, conversations: on }
    const begun = await fixture.rest(fixture.ann, 'POST', '/v2/conversations/bulk', body)
    expect(begun).toMatchObject({ status: 200, body: { id, total: 2, kinds: ['close'] } })
    const path = `/v2/bulkruns/${id}`
    const shown = await until(
      () => fixture.rest(fixture.ann, 'GET', path),
      (answer) => answer.body.state !== 'running',
    )
    expect(shown).toMatchObject({ status: 200, body: { state: 'done', done: 2, refusals: [] } })
    expect((await fixture.rest(fixture.ann, 'POST', `${path}/cancel`)).body).toMatchObject({ state: 'done' })
    expect((await fixture.rest(fixture.ann, 'POST', `${path}/undo`)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ state: 'UNDONE', undone: 2 })
    expect((await fixture.rest(fixture.ben, 'GET', path)).status).toBe(404)
    expect((await fixture.rest(fixture.ann, 'GET', '/v2/bulkruns/nonsense')).status).toBe(404)
  })

  it('runs are kept for 7 days', async () => {
    const run = await done({ kind: 'NOTE', text: 'old' }, await arrive(1))
    const { pruneBulkRuns } = await import('../../src/modules/conversations/bulk/bulk-run.js')
    const day = 86_400_000
    await pruneBulkRuns(fixture.server.database, new Date(fixture.clock.now().getTime() + 6 * day))
    expect(await read(run.id)).toMatchObject({ state: 'DONE' })
    await pruneBulkRuns(fixture.server.database, new Date(fixture.clock.now().getTime() + 7 * day + 1_000))
    expect((await fixture.run(fixture.ann, READ, { id: run.id })).code).toBe('NOT_FOUND')
  })
})

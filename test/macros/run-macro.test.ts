import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { keptRefusal } from '../../src/modules/conversations/acts/run-macro.js'
import type { SnoozeUntil } from '../../src/modules/macros/macro-step.js'
import { snoozeEnd } from '../../src/modules/conversations/acts/snooze-until.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { MadeUser } from '../support/factories.js'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'

const RUN = `mutation ($macro: ID!, $on: [ID!]!, $id: ID!, $last: ID) {
  runMacro(macro: $macro, conversations: $on, id: $id, ifLastMessage: $last) {
    conversationId isDone undoUntil refusal { code reason message step } conversation { status category } } }`
const CREATE = 'mutation ($input: CreateMacroInput!) { createMacro(input: $input) { id } }'
const UNDO = 'mutation ($id: ID!) { undoClose(conversation: $id) { status } }'

interface Result {
  conversationId: string
  isDone: boolean
  undoUntil: string | null
  refusal: { code: string; reason: string; message: string; step: number | null } | null
  conversation: { status: string; category: string | null } | null
}

describe('runMacro', () => {
  let fixture: ConversationFixture
  let other: TestServer
  let label: string
  let form: string
  let count = 0
  beforeAll(async () => {
    fixture = await startConversationFixture()
    other = await startTestServer({}, { beside: fixture })
    label = await make('/v2/labels', { name: 'Lift-out' })
    form = await make('/v2/forms', { name: 'Intake', fields: [{ key: 'a' }] })
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
  const macroOf = async (steps: object[], more: object = {}, as = fixture.ann): Promise<string> => {
    const input = { name: `macro ${++count}`, steps, ...more }
    const { value, code, message } = await fixture.run<{ id: string }>(as, CREATE, { input })
    if (code) throw new Error(message)
    return value.id
  }
  const run = (
    macro: string,
    on: string[],
    { as = fixture.ann, id = systemClock.newId(), last = null as string | null } = {},
  ) => fixture.run<Result[]>(as, RUN, { macro, on, id, last })
  const arrive = async (name = 'Konstantina Papadimitriou'): Promise<string> => {
    const contact = { profile: { name, email: `${systemClock.newId()}@example.com` } }
    return (await fixture.create({ contact, messages: [{ role: 'CONTACT', text: 'hello' }] })).id
  }
  const taken = async (by: MadeUser = fixture.ann): Promise<string> => {
    const id = await arrive()
    await fixture.command(by, id, '/accept')
    return id
  }
  const milestones = async (id: string): Promise<string[]> => {
    const rows = await fixture.server.database.query<{ kind: string }>(
      'select kind from milestone where conversation_id = $1 order by nth',
      [id],
    )
    return rows.map(({ kind }) => kind)
  }
  const stateOf = async (id: string): Promise<unknown> => {
    const query = (text: string) => fixture.server.database.query(text, [id])
    return [
      await query('select to_jsonb(c) as row from conversation c where id = $1'),
      await query('select to_jsonb(m) as row from message m where conversation_id = $1 order by position'),
      await query('select to_jsonb(p) as row from participant p where conversation_id = $1 order by user_id'),
      await query('select kind from milestone where conversation_id = $1 order by nth'),
      await query(`select kind from job where payload ->> 'conversation' = $1::text`),
    ]
  }

  it('does all steps in order, and closes what waited: the closing alone is undone', async () => {
    const macro = await macroOf([
      { kind: 'REPLY', text: 'Dear {{ givenName }}, Thursday is yours. {{ other }}' },
      { kind: 'LABELS', add: [label] },
      { kind: 'CATEGORY', category: 'Engine' },
      { kind: 'FORM', form },
      { kind: 'NOTE', text: 'Crane 1' },
      { kind: 'CLOSE' },
    ])
    const id = await arrive()
    const { value, code } = await run(macro, [id])
    expect(code).toBeUndefined()
    expect(value).toEqual([
      {
        conversationId: id,
        isDone: true,
        undoUntil: expect.any(String),
        refusal: null,
        conversation: { status: 'CLOSED', category: 'Engine' },
      },
    ])
    const shown = await fixture.show(id)
    expect(texts(shown)).toEqual([
      'hello',
      'Dear Konstantina, Thursday is yours. {{ other }}',
      '/set @category Engine',
      '+Intake',
      'Crane 1',
    ])
    expect(shown.messages.edges.slice(1).every(({ node }) => node.userId === fixture.ann.id)).toBe(true)
    expect(await milestones(id)).toEqual(
      expect.arrayContaining(['accepted', 'agentTurn', 'labelled', 'macro', 'categorised']),
    )
    expect(await milestones(id)).not.toContain('closed')
    const { value: undone } = await fixture.run<{ status: string }>(fixture.ann, UNDO, { id })
    expect(undone.status).toBe('ACTIVE')
    expect(await milestones(id)).toContain('agentTurn')
    expect((await fixture.show(id)).participants).toMatchObject([{ userId: fixture.ann.id, accepted: true }])
    const report = await fixture.run<{ totals: { count: number }[] }>(
      fixture.admin,
      `query ($from: DateTime!, $to: DateTime!) { report(metrics: [MACRO_RUNS], from: $from, to: $to, timezone: "UTC") {
        totals { count } } }`,
      span(),
    )
    expect(report.value.totals[0]!.count).toBeGreaterThanOrEqual(1)
  })

  const span = (): { from: string; to: string } => {
    const day = Math.floor(fixture.clock.now().getTime() / 86_400_000) * 86_400_000
    return { from: new Date(day).toISOString(), to: new Date(day + 86_400_000).toISOString() }
  }

  it('guests see of it what was said to them alone', async () => {
    const macro = await macroOf([
      { kind: 'REPLY', text: 'for you' },
      { kind: 'NOTE', text: 'between us' },
      { kind: 'LABELS', add: [label] },
      { kind: 'SNOOZE', minutes: 5 },
    ])
    const id = await taken()
    await run(macro, [id])
    const { value } = await fixture.run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const guest = await fixture.run<Record<string, unknown>>(
      value.token,
      `query ($id: ID!) { conversation(id: $id) { labelIds snoozedUntil messages { edges { node { text } } } } }`,
      { id },
    )
    expect(guest.value).toEqual({
      labelIds: [],
      snoozedUntil: null,
      messages: { edges: [{ node: { text: 'hello' } }, { node: { text: 'for you' } }] },
    })
    expect((await run(macro, [id], { as: value.token as never })).code).toBe('FORBIDDEN')
  })

  it('all or none: whatever cannot be done leaves the conversation as it was, and the others go on', async () => {
    const macro = await macroOf([
      { kind: 'REPLY', text: 'see you' },
      { kind: 'LABELS', add: [label] },
      { kind: 'HAND_OVER', user: fixture.ben.id, note: 'yours' },
    ])
    const [mine, bens, gone] = [await taken(), await taken(fixture.ben), systemClock.newId()]
    await fixture.command(fixture.ben, bens, '/leave')
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { archiveLabel(id: $id) { id } }', {
      id: await make('/v2/labels', { name: `unused ${++count}` }),
    })
    // Ben is busy with nothing, but Cara has left: her macro cannot be done.
    const cara = await fixture.makeAgent({ displayName: 'Cara Crane' })
    const away = await macroOf([
      { kind: 'REPLY', text: 'Cara will see to it' },
      { kind: 'HAND_OVER', user: cara.id },
    ])
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: cara.id })
    const before = await stateOf(mine)
    const { value: refused } = await run(away, [mine])
    expect(refused[0]!.refusal).toMatchObject({ code: 'UNPROCESSABLE', reason: 'STEP_GONE', step: 2 })
    expect(refused[0]!.refusal!.message).toContain('"Cara Crane"')
    expect(await stateOf(mine)).toEqual(before)

    const { value } = await run(macro, [gone, mine, bens])
    expect(value.map(({ isDone }) => isDone)).toEqual([false, true, true])
    expect(value[0]!.refusal).toMatchObject({ code: 'NOT_FOUND', step: null })
    expect(value[0]!.conversation).toBeNull()
    for (const id of [mine, bens]) {
      const { participants, messages } = await fixture.show(id)
      expect(participants.filter(({ accepted }) => accepted).map(({ userId }) => userId)).toEqual([fixture.ben.id])
      expect(texts({ messages }).slice(-3)).toEqual(['see you', 'yours', 'handed over to Ben'])
    }
  })

  it('names what a step names and is archived meanwhile', async () => {
    const old = await make('/v2/labels', { name: 'Winter storage' })
    const intake = await make('/v2/forms', { name: 'Old intake', fields: [] })
    const labels = await macroOf([
      { kind: 'REPLY', text: 'x' },
      { kind: 'LABELS', add: [old] },
    ])
    const asks = await macroOf([{ kind: 'FORM', form: intake }])
    const channel = await fixture.makeChannel('Old berths', [fixture.ann])
    const gives = await macroOf([
      { kind: 'NOTE', text: 'x' },
      { kind: 'HAND_OVER', channel },
    ])
    await fixture.rest(fixture.admin, 'DELETE', `/v2/labels/${old}`)
    await fixture.rest(fixture.admin, 'DELETE', `/v2/forms/${intake}`)
    await fixture.rest(fixture.admin, 'DELETE', `/v2/channels/${channel}`)
    const id = await taken()
    const before = await stateOf(id)
    for (const [macro, step, name, reason] of [
      [labels, 2, 'Winter storage', 'LABEL_ARCHIVED'],
      [asks, 1, 'Old intake', 'STEP_GONE'],
      [gives, 2, 'Old berths', 'STEP_GONE'],
    ] as const) {
      const { refusal } = (await run(macro, [id])).value[0]!
      expect(refusal).toMatchObject({ reason, step })
      expect(refusal!.message).toContain(name)
    }
    expect(await stateOf(id)).toEqual(before)
  })

  it('a repeat with the same id gets the first answer, from any node, and does nothing twice', async () => {
    const macro = await macroOf([{ kind: 'NOTE', text: 'once' }, { kind: 'CLOSE' }])
    const [mine, bens] = [await taken(), await taken(fixture.ben)]
    const id = systemClock.newId()
    const first = await run(macro, [mine, bens], { id })
    expect(first.value.map(({ isDone }) => isDone)).toEqual([true, false])
    // What refused it is over by now: the answer stays.
    await fixture.command(fixture.ann, bens, '/accept')
    const variables = { macro, on: [mine, bens], id }
    const repeats = await Promise.all([run(macro, [mine, bens], { id }), other.gql(fixture.ann, RUN, variables)])
    // The conversation is shown as it is now.
    const kept = (results: Result[]): object[] => results.map((result) => ({ ...result, conversation: null }))
    for (const again of [repeats[0].value, (repeats[1].data as { runMacro: Result[] }).runMacro])
      expect(kept(again)).toEqual(kept(first.value))
    expect(texts(await fixture.show(mine)).filter((text) => text === 'once')).toHaveLength(1)
    expect(texts(await fixture.show(bens))).not.toContain('once')
    // The same id is of this run alone.
    const another = await macroOf([{ kind: 'NOTE', text: 'else' }])
    expect((await run(another, [mine], { id })).details).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' })
    // And of two at the same time on two nodes, one does it.
    const twice = await taken()
    const both = { macro, on: [twice], id: systemClock.newId() }
    const answers = await Promise.all([fixture, other].map((node) => node.gql(fixture.ann, RUN, both)))
    for (const { data } of answers) expect((data as { runMacro: Result[] }).runMacro[0]!.isDone).toBe(true)
    expect(texts(await fixture.show(twice)).filter((text) => text === 'once')).toHaveLength(1)
  })

  it('refuses a conversation in which somebody wrote since, and one that it is not meant for', async () => {
    const macro = await macroOf([{ kind: 'CLOSE' }])
    const id = await taken()
    const last = (await fixture.show(id)).messages.edges.at(-1)!.node.id
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'one more thing' })
    const { value } = await run(macro, [id], { last })
    expect(value[0]!.refusal).toMatchObject({ reason: 'CHANGED_MEANWHILE', step: null })
    expect((await fixture.show(id)).status).toBe('ACTIVE')
    const berths = await fixture.makeChannel('Berths', [fixture.ann])
    const meant = await macroOf([{ kind: 'NOTE', text: 'x' }], { channels: [berths] })
    expect((await run(meant, [id])).value[0]!.refusal).toMatchObject({ reason: 'MACRO_NOT_MEANT' })
    await fixture.command(fixture.admin, id, '/notify', { meta: { channels: [berths] } })
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const theirs = await macroOf(
      [{ kind: 'NOTE', text: 'x' }],
      { isShared: true, organization: below.id },
      fixture.admin,
    )
    expect((await run(theirs, [id], { as: fixture.admin })).value[0]!.refusal).toMatchObject({
      reason: 'MACRO_NOT_MEANT',
    })
  })

  it('refuses an archived macro, and what is none of its caller', async () => {
    const macro = await macroOf([{ kind: 'NOTE', text: 'x' }])
    const [id, other_] = [await taken(), await taken()]
    expect((await run(macro, [id], { as: fixture.ben })).code).toBe('NOT_FOUND')
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization() })
    const theirs = await macroOf([{ kind: 'NOTE', text: 'x' }], {}, stranger)
    expect((await run(theirs, [id], { as: stranger })).value[0]!.refusal).toMatchObject({ code: 'NOT_FOUND' })
    await fixture.run(fixture.ann, 'mutation ($id: ID!) { archiveMacro(id: $id) { id } }', { id: macro })
    expect((await run(macro, [id])).details).toMatchObject({ reason: 'MACRO_ARCHIVED' })
    const fine = await macroOf([{ kind: 'NOTE', text: 'x' }])
    expect((await run(fine, [])).details).toMatchObject({ field: 'conversations' })
    expect(
      (
        await run(
          fine,
          Array.from({ length: 101 }, () => systemClock.newId()),
        )
      ).code,
    ).toBe('BAD_USER_INPUT')
    expect((await run(fine, [id, id.toUpperCase()])).details).toMatchObject({ field: 'conversations[1]' })
    expect((await run(fine, [id], { id: 'nonsense' })).details).toMatchObject({ field: 'id' })
    expect((await run(fine, [id, other_], { last: id })).details).toMatchObject({ field: 'ifLastMessage' })
  })

  it('snoozes until a time of the day in the zone of whoever runs it', async () => {
    await fixture.run(
      fixture.ann,
      'mutation ($id: ID!, $zone: String!) { updateUser(id: $id, patch: { settings: { timezone: $zone } }) { id } }',
      { id: fixture.ann.id, zone: 'Asia/Tokyo' },
    )
    const now = (text: string) => ({ user: fixture.ann.id, now: new Date(text) })
    const ends = async (until_: SnoozeUntil, at: string): Promise<string> =>
      (
        await snoozeEnd(fixture.server.database, now(at), { kind: 'snooze', minutes: null, until: until_ })
      ).toISOString()
    // 15:00 of a Wednesday in Tokyo, and 16:30.
    const [early, late] = ['2030-06-05T06:00:00Z', '2030-06-05T07:30:00Z']
    expect(await ends('afternoon', early)).toBe('2030-06-05T08:00:00.000Z')
    expect(await ends('afternoon', late)).toBe('2030-06-06T08:00:00.000Z')
    expect(await ends('tomorrow', early)).toBe('2030-06-05T23:00:00.000Z')
    expect(await ends('nextWeek', early)).toBe('2030-06-09T23:00:00.000Z')
    const macro = await macroOf([{ kind: 'SNOOZE', until: 'TOMORROW' }])
    const id = await arrive()
    expect((await run(macro, [id])).value[0]!.isDone).toBe(true)
    const { value } = await fixture.run<{ status: string; snoozedUntil: string }>(
      fixture.ann,
      'query ($id: ID!) { conversation(id: $id) { status snoozedUntil } }',
      { id },
    )
    expect(value.status).toBe('ACTIVE')
    expect(value.snoozedUntil).toMatch(/T23:00:00.000Z$/)
  })

  it('keeps two milestones apart: what was done before the closing counts, whether or not it stands', async () => {
    const macro = await macroOf([{ kind: 'LABELS', add: [label] }, { kind: 'CLOSE' }])
    const id = await taken()
    const { value } = await run(macro, [id])
    expect(await milestones(id)).toEqual(expect.arrayContaining(['labelled', 'macro']))
    fixture.clock.advance(Date.parse(value[0]!.undoUntil!) - fixture.clock.now().getTime() + 1_000)
    fixture.server.jobs.wake()
    await until(
      () => milestones(id),
      (kinds) => kinds.includes('closed'),
    )
    const rows = await fixture.server.database.query<{ nth: number }>(
      'select nth from milestone where conversation_id = $1 order by nth',
      [id],
    )
    expect(rows.map(({ nth }) => nth)).toEqual(rows.map((_, index) => index + 1))
  })

  it('is the same over /v2', async () => {
    const call = (method: string, path: string, body?: object) => fixture.rest(fixture.ann, method, path, body)
    const steps = [
      { kind: 'note', text: 'by REST' },
      { kind: 'snooze', until: 'tomorrow' },
    ]
    const made = await call('POST', '/v2/macros', { name: 'By REST', steps })
    expect(made).toMatchObject({ status: 201, body: { name: 'By REST', owner: fixture.ann.id, steps, channels: [] } })
    const macro = made.body.id as string
    expect(await call('PATCH', `/v2/macros/${macro}`, { shortcut: 'rest' })).toMatchObject({
      status: 200,
      body: { shortcut: 'rest', steps },
    })
    expect((await call('GET', '/v2/macros?shortcut=rest')).body).toMatchObject([{ id: macro }])
    const [one, two] = [await taken(), systemClock.newId()]
    const body = { conversations: [one, two], id: systemClock.newId() }
    const ran = await call('POST', `/v2/macros/${macro}/run`, body)
    expect(ran).toMatchObject({
      status: 200,
      body: [
        { conversation: one, isDone: true },
        { conversation: two, isDone: false, refusal: { code: 'NOT_FOUND' } },
      ],
    })
    expect((await call('POST', `/v2/macros/${macro}/run`, body)).body).toEqual(ran.body)
    expect((await call('POST', `/v2/macros/${macro}/run`, { conversations: [one] })).status).toBe(400)
    expect((await call('DELETE', `/v2/macros/${macro}`)).body.archivedAt).toEqual(expect.any(String))
    expect((await call('POST', `/v2/macros/${macro}/run`, { ...body, id: systemClock.newId() })).status).toBe(422)
    expect((await fixture.rest(fixture.ben, 'GET', `/v2/macros/${macro}`)).status).toBe(404)
  })
})

it('shows a refusal that another version of the server kept for a reason that this one does not know', () => {
  const kept = { code: 'UNPROCESSABLE', message: 'no', step: null } as const
  expect(keptRefusal({ ...kept, reason: 'A_LATER_ONE' as never }).reason).toBe('CONFLICT')
  expect(keptRefusal({ ...kept, reason: 'STEP_GONE' }).reason).toBe('STEP_GONE')
})

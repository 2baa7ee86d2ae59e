import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startConversationFixture, until, type ConversationFixture, type Shown } from './conversation-fixture.js'

const CLOSE = `mutation ($id: ID!, $last: ID) {
  closeConversation(conversation: $id, ifLastMessage: $last) { undoUntil conversation { status clocks { id state } } } }`
const UNDO = 'mutation ($id: ID!) { undoClose(conversation: $id) { status } }'

interface Closing {
  undoUntil: string
  conversation: { status: string }
}

describe('closeConversation and undoClose', () => {
  let fixture: ConversationFixture
  let open: Shown

  beforeAll(async () => {
    fixture = await startConversationFixture()
    const targets = ['QUEUE', 'FIRST_RESPONSE', 'RESOLUTION'].map((clock) => ({ clock, minutes: 60 }))
    const { code } = await fixture.run(
      fixture.admin,
      'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }',
      { input: { name: 'All', conditions: { all: [] }, targets } },
    )
    expect(code).toBeUndefined()
  })
  afterAll(() => fixture.close())
  beforeEach(async () => {
    open = await fixture.inStatus('ACTIVE')
  })

  const close = (as = fixture.ann, last: string | null = null) => fixture.run<Closing>(as, CLOSE, { id: open.id, last })
  const undo = (as = fixture.ann) => fixture.run<{ status: string }>(as, UNDO, { id: open.id })

  /** Everything that reports, clocks and rights stand on, without the numbers of the change itself. */
  async function stored(): Promise<unknown> {
    const query = <Row extends object>(text: string) => fixture.server.database.query<Row>(text, [open.id])
    const [conversation] = await query<{ row: Record<string, unknown> }>(
      'select to_jsonb(c) as row from conversation c where id = $1',
    )
    // Closing and bringing back are two turns: who has seen neither is told.
    const { version, turn, milestone_count: count, updated_at: _, ...rest } = conversation!.row
    expect([version, turn, count]).not.toContain(undefined)
    return {
      conversation: rest,
      participants: await query(
        'select to_jsonb(p) - $$updated_at$$ as row from participant p where conversation_id = $1 order by user_id',
      ),
      milestones: await query(
        'select nth, kind, at, user_id, ms, turn, detail from milestone where conversation_id = $1 order by nth',
      ),
      clocks: await query('select to_jsonb(k) as row from clock k where conversation_id = $1 order by nth, kind'),
    }
  }
  const milestones = async (): Promise<string[]> => {
    const rows = await fixture.server.database.query<{ said: string }>(
      "select kind || coalesce(':' || detail, '') as said from milestone where conversation_id = $1 order by nth",
      [open.id],
    )
    return rows.map(({ said }) => said)
  }

  it('closes for all who have accepted it, though the last message has no answer', async () => {
    await fixture.command(fixture.ben, open.id, '/accept')
    await fixture.send(fixture.bot, open.id, { role: 'CONTACT', text: 'anybody?' })
    const { value, code } = await close()
    expect(code).toBeUndefined()
    expect(value.conversation.status).toBe('CLOSED')
    const shown = await fixture.show(open.id)
    expect(shown.participants.filter(({ accepted, active, inbox }) => accepted || active || inbox)).toEqual([])
  })

  it('leaves nothing behind when it is undone: state, participants, clocks and milestones are as before', async () => {
    await fixture.send(fixture.bot, open.id, { role: 'CONTACT', text: 'still there?' })
    const before = await stored()
    await close()
    expect(await stored()).not.toEqual(before)
    const { value, code } = await undo()
    expect([code, value.status]).toEqual([undefined, 'ACTIVE'])
    expect(await stored()).toEqual(before)
    // Both may be repeated: the first answer may have been lost.
    expect((await undo()).value.status).toBe('ACTIVE')
    await close()
    await close()
    await undo()
    expect(await stored()).toEqual(before)
  })

  it('counts once the time to undo it is over, with the times at which it was closed', async () => {
    const { value } = await close()
    expect(Date.parse(value.undoUntil) - fixture.clock.now().getTime()).toBeLessThanOrEqual(15_000)
    expect(await milestones()).not.toContain('closed')
    fixture.clock.advance(15_500)
    expect((await undo()).details).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
    await until(milestones, (all) => all.some((each) => each.startsWith('closed')))
    expect(await milestones()).toContain('agentLeft')
    const [closed] = await fixture.server.database.query<{ at: Date }>(
      "select at from milestone where conversation_id = $1 and kind = 'closed'",
      [open.id],
    )
    expect(closed!.at.getTime()).toBeLessThanOrEqual(Date.parse(value.undoUntil) - 15_000)
    const said = await fixture.server.database.query(
      "select user_id from message where conversation_id = $1 and text = '/close'",
      [open.id],
    )
    expect(said).toEqual([{ user_id: fixture.ann.id }])
  })

  it('says of a case that it was closed unanswered', async () => {
    await fixture.send(fixture.bot, open.id, { role: 'CONTACT', text: 'anybody?' })
    await close()
    fixture.clock.advance(15_500)
    expect(await until(milestones, (all) => all.some((each) => each.startsWith('closed')))).toContain(
      'closed:unanswered',
    )
  })

  it('takes no number of a milestone twice when it is undone after somebody else has changed the closed one', async () => {
    const make = 'mutation ($name: String!) { createLabel(input: { name: $name }) { id } }'
    const { value: label } = await fixture.run<{ id: string }>(fixture.admin, make, { name: 'after the end' })
    await close()
    const set = 'mutation ($id: ID!, $add: [ID!]) { setLabels(conversation: $id, add: $add) { id } }'
    expect(await fixture.run(fixture.bot, set, { id: open.id, add: [label.id] })).not.toHaveProperty('code')
    expect(await undo()).not.toHaveProperty('code')
    for (const [by, role] of [
      [fixture.bot, 'CONTACT'],
      [fixture.ann, 'AGENT'],
      [fixture.bot, 'CONTACT'],
      [fixture.ann, 'AGENT'],
    ] as const)
      expect(await fixture.send(by, open.id, { role, text: 'and then' })).not.toHaveProperty('code')
    const all = await milestones()
    expect(all.filter((kind) => kind === 'agentTurn').length).toBeGreaterThanOrEqual(2)
    expect(all.some((kind) => kind.startsWith('labelled'))).toBe(true)
    expect(all.some((kind) => kind.startsWith('closed'))).toBe(false)
  })

  it.each(['the conversation', 'its contact'])('counts when %s is deleted before it stands', async (what) => {
    await close()
    const text =
      what === 'the conversation'
        ? 'mutation ($id: ID!) { deleteConversation(id: $id) }'
        : 'mutation ($id: ID!) { deleteContact(id: $id) }'
    const id = what === 'the conversation' ? open.id : open.contactId
    expect(await fixture.run(fixture.admin, text, { id })).not.toHaveProperty('code')
    const all = await milestones()
    expect(all.slice(-4)).toEqual(expect.arrayContaining(['agentLeft', 'closed', 'deleted']))
    expect(all.filter((kind) => kind === 'closed')).toHaveLength(1)
    expect(
      await fixture.server.database.query("select 1 from job where kind = 'conversation.closing' and key = $1", [
        `conversation.closing:${open.id}`,
      ]),
    ).toEqual([])
  })

  it('is no part of the next case, whose clocks are counted again before it stands', async () => {
    const clocks = 'query ($id: ID!) { conversation(id: $id) { clocks { clock state startedAt } } }'
    const reapply = 'mutation ($id: ID!) { reapplySla(conversation: $id) { id } }'
    const running = async () =>
      (
        await fixture.run<{ clocks: { clock: string; state: string; startedAt: string }[] }>(fixture.ann, clocks, {
          id: open.id,
        })
      ).value.clocks.filter(({ state }) => state !== 'MET' && state !== 'CANCELLED')
    fixture.clock.advance(5_000)
    await close()
    fixture.clock.advance(5_000)
    await fixture.send(fixture.bot, open.id, { role: 'CONTACT', text: 'one more thing' })
    const before = await running()
    expect(before.map(({ clock }) => clock)).toContain('RESOLUTION')
    expect(await fixture.run(fixture.admin, reapply, { id: open.id })).not.toHaveProperty('code')
    expect(await running()).toEqual(before)
  })

  it('is refused to others, for another last message, and when somebody wrote meanwhile', async () => {
    expect((await close(fixture.ben)).code).toBe('UNPROCESSABLE')
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization() })
    expect((await close(stranger)).code).toBe('NOT_FOUND')
    expect((await close(fixture.ann, fixture.clock.newId())).details).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
    await close()
    expect((await undo(fixture.ben)).details).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
    await fixture.send(fixture.bot, open.id, { role: 'CONTACT', text: 'one more thing' })
    expect((await undo()).details).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
    expect((await fixture.show(open.id)).status).toBe('QUEUED')
  })
})

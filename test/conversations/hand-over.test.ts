import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import type { Shown } from './conversation-fixture.js'
import { until } from '../support/until.js'
import { startOffice, type Office } from './office-fixture.js'
import { streamsOf } from './streams-fixture.js'

const HAND_OVER = `mutation ($id: ID!, $user: ID, $channel: ID, $note: String, $evenIfAway: Boolean, $evenIfFull: Boolean, $skills: [ID!]) {
  handOverConversation(conversation: $id, user: $user, channel: $channel, note: $note, evenIfAway: $evenIfAway,
    evenIfFull: $evenIfFull, skills: $skills) {
    status channels channelsOffline participants { userId accepted inbox }
    messages(last: 3) { edges { node { text isBackchannel role } } } } }`

describe('handOverConversation', () => {
  let fixture: Office
  beforeAll(async () => {
    fixture = await startOffice()
  })
  afterAll(() => fixture.close())

  interface Answer {
    handOverConversation: Shown & {
      channelsOffline: string[]
      messages: { edges: { node: { text: string; isBackchannel: boolean; role: string } }[] }
    }
  }
  const handOver = (variables: object) =>
    fixture.run<Answer['handOverConversation']>(fixture.ann, HAND_OVER, variables as Record<string, unknown>)

  it('transfers the conversation to a colleague in one step, with a note: it stays active and is never routed', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const { value, code } = await handOver({ id, user: fixture.ben.id, note: 'he wants a crane' })
    expect(code).toBeUndefined()
    expect(value.status).toBe('ACTIVE')
    expect(value.participants).toEqual([{ userId: fixture.ben.id, accepted: true, inbox: true }])
    const said = value.messages.edges.map(({ node }) => node as unknown as { text: string; isBackchannel: boolean })
    expect(said.map(({ text }) => text).slice(-2)).toEqual(['he wants a crane', 'handed over to Ben'])
    expect(said.slice(-2).every((each) => each.isBackchannel)).toBe(true)
  })

  it('transfers it back to the queue of a channel, without running workflows', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const channel = await fixture.makeChannel('Second', [fixture.ben])
    const { value, code } = await handOver({ id, channel })
    expect(code).toBeUndefined()
    expect([value.status, ...value.channels, ...value.channelsOffline]).toEqual(['QUEUED', channel])
    expect(value.participants).toEqual([])
  })

  describe('the note', () => {
    const noteOf = async (id: string, as: MadeUser | string = fixture.ben) => {
      const query = 'query ($id: ID!) { conversation(id: $id) { handOverNoteId handOverNote { id text } } }'
      const { value } = await fixture.run<{ handOverNoteId: string | null; handOverNote: { text: string } | null }>(
        as,
        query,
        { id },
      )
      expect(value.handOverNoteId === null).toBe(value.handOverNote === null)
      return value.handOverNote?.text ?? null
    }
    const given = async () => {
      const { id } = await fixture.inStatus('ACTIVE')
      await handOver({ id, user: fixture.ben.id, note: 'he wants a crane' })
      return id
    }

    it('is kept for whoever takes it, until the case is closed, and is nothing for the consumer', async () => {
      const id = await given()
      expect(await noteOf(id)).toBe('he wants a crane')
      await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'A crane is on its way.' })
      expect(await noteOf(id)).toBe('he wants a crane')
      const { value: guest } = await fixture.run<{ token: string }>(
        fixture.admin,
        'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
        { id },
      )
      expect(await noteOf(id, guest.token)).toBeNull()
      const handBack = { id, user: fixture.ann.id, note: null }
      expect(await fixture.run(fixture.ben, HAND_OVER, handBack)).not.toHaveProperty('code')
      expect(await noteOf(id)).toBe('he wants a crane')
      const close = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
      expect(await fixture.run(fixture.ann, close, { id })).not.toHaveProperty('code')
      expect(await noteOf(id)).toBeNull()
      const undo = 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }'
      expect(await fixture.run(fixture.ann, undo, { id })).not.toHaveProperty('code')
      expect(await noteOf(id)).toBe('he wants a crane')
    })

    it('goes with a merge, and away with its message', async () => {
      const id = await given()
      const { id: target } = await fixture.inStatus('ACTIVE')
      expect(await fixture.command(fixture.admin, target, `/import ${id}`)).not.toHaveProperty('code')
      expect(await noteOf(target)).toBe('he wants a crane')
      expect(await noteOf(id)).toBeNull()
      const { value } = await fixture.run<{ handOverNote: { id: string } }>(
        fixture.ben,
        'query ($id: ID!) { conversation(id: $id) { handOverNote { id } } }',
        { id: target },
      )
      await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: value.handOverNote.id })
      expect(await noteOf(target)).toBeNull()
    })

    it('is a summary that is sent together with /enqueue', async () => {
      const { id } = await fixture.inStatus('ACTIVE')
      const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
      const send = `mutation ($id: ID!, $messages: [MessageInput!]!) { sendMessages(conversation: $id, messages: $messages) { id } }`
      const note = { text: 'asks for a crane', isBackchannel: true }
      const messages = [note, { type: 'COMMAND', text: '/enqueue' }]
      expect(await fixture.run(bot, send, { id, messages })).not.toHaveProperty('code')
      expect(await noteOf(id)).toBe('asks for a crane')
      // With a delay before it each is an operation of its own.
      const { id: later } = await fixture.inStatus('ACTIVE')
      const slow = [{ role: 'AGENT', text: 'One moment.', delay: 1_000 }, ...messages]
      expect(await fixture.run(bot, send, { id: later, messages: slow })).not.toHaveProperty('code')
      fixture.clock.advance(2_000)
      await fixture.becomes(later, 'QUEUED')
      expect(await noteOf(later)).toBe('asks for a crane')
    })

    it('is the summary, not what the bot was still writing', async () => {
      const { id } = await fixture.inStatus('ACTIVE')
      const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
      const streams = streamsOf(fixture)
      const { value: stream } = await streams.begin(bot, id, { isBackchannel: true })
      await streams.append(bot, stream.id, 0, 'let me think about')
      const send = `mutation ($id: ID!, $messages: [MessageInput!]!) { sendMessages(conversation: $id, messages: $messages) { id } }`
      const messages = [
        { text: 'asks for a crane', isBackchannel: true },
        { type: 'COMMAND', text: '/enqueue' },
      ]
      expect(await fixture.run(bot, send, { id, messages })).not.toHaveProperty('code')
      expect(await noteOf(id)).toBe('asks for a crane')
    })
  })

  it('is refused to a paused bot, which could do nothing with it', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    const run = (verb: string) =>
      fixture.run(fixture.admin, `mutation ($id: ID!) { ${verb}(id: $id) { id } }`, { id: bot.id })
    await run('pauseBot')
    expect(await handOver({ id, user: bot.id })).toMatchObject({ details: { reason: 'AGENT_UNAVAILABLE' } })
    await run('resumeBot')
    expect(await handOver({ id, user: bot.id })).not.toHaveProperty('code')
  })

  it('leaves nothing with a bot that is paused at that moment, by itself or with all others', async () => {
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    const own = (verb: string) =>
      fixture.run(fixture.admin, `mutation ($id: ID!) { ${verb}Bot(id: $id) { id } }`, { id: bot.id })
    const all = (verb: string) =>
      fixture.run(fixture.admin, `mutation ($id: ID!) { ${verb}Bots(organization: $id) { id } }`, {
        id: fixture.organization.id,
      })
    let given = 0
    for (let round = 0; round < 12; round += 1) {
      const { id } = await fixture.inStatus('ACTIVE')
      const [stop, goOn] = round % 2 === 0 ? [own, own] : [all, all]
      const [handed, stopped] = await Promise.all([handOver({ id, user: bot.id }), stop('pause')])
      expect(stopped).not.toHaveProperty('code')
      if (!handed.code) given += 1
      await until(async () => !(await fixture.show(id)).participants.some(({ userId }) => userId === bot.id))
      expect(await goOn('resume')).not.toHaveProperty('code')
    }
    expect(given).toBeGreaterThan(0)
  })

  it('is refused without a participation, an open conversation or a target', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const foreign = await fixture.makeOrganization()
    const outsider = await fixture.makeUser({ organization: foreign })
    expect((await handOver({ id, user: outsider.id })).code).toBe('NOT_FOUND')
    expect((await handOver({ id, channel: await fixture.makeChannel('Foreign', [], foreign) })).code).toBe('NOT_FOUND')
    expect((await handOver({ id, channel: 'x' })).code).toBe('NOT_FOUND')
    expect((await handOver({ id })).code).toBe('BAD_USER_INPUT')
    expect((await handOver({ id, user: fixture.ann.id })).code).toBe('BAD_USER_INPUT')
    expect((await handOver({ id, user: fixture.ben.id, channel: fixture.channel })).code).toBe('BAD_USER_INPUT')
    expect((await fixture.run(fixture.ben, HAND_OVER, { id, user: fixture.ann.id })).code).toBe('UNPROCESSABLE')
    const queued = await fixture.inStatus('QUEUED')
    expect((await handOver({ id: queued.id, user: fixture.ben.id })).code).toBe('UNPROCESSABLE')
    expect((await fixture.show(id)).participants.map(({ userId }) => userId)).toEqual([fixture.ann.id])
  })

  describe('to a colleague without room', () => {
    const fill = async (units: number) => {
      const [giver, colleague] = [await fixture.makeAgent(), await fixture.makeAgent({ displayName: 'Cat' })]
      const channel = await fixture.makeChannel(`Full ${crypto.randomUUID()}`, [giver, colleague])
      for (let n = 0; n < units / 4; n++) await fixture.command(colleague, await fixture.wait(channel), '/accept')
      const ids = [await fixture.wait(channel), await fixture.wait(channel)]
      for (const id of ids) await fixture.command(giver, id, '/accept')
      return { giver, colleague, channel, ids }
    }

    it('is refused, and counts until then', async () => {
      const { giver, colleague, ids } = await fill(8)
      expect(await fixture.run(giver, HAND_OVER, { id: ids[0], user: colleague.id })).not.toHaveProperty('code')
      expect(await fixture.loadOf(colleague)).toBe(12)
      expect(await fixture.run(giver, HAND_OVER, { id: ids[1], user: colleague.id })).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'user', reason: 'AT_CAPACITY', load: 12, capacity: 12, weight: 4 },
      })
      expect(await fixture.loadOf(colleague)).toBe(12)
      expect((await fixture.show(ids[1]!)).participants.map(({ userId }) => userId)).toEqual([giver.id])
    })

    it('never passes the capacity, however many hand over at once', async () => {
      const { colleague, channel } = await fill(4)
      const givers = await Promise.all(Array.from({ length: 6 }, () => fixture.makeAgent()))
      const ids = await Promise.all(givers.map(() => fixture.wait(channel)))
      await Promise.all(givers.map((each, index) => fixture.command(each, ids[index]!, '/accept')))
      const answers = await Promise.all(
        givers.map((each, index) => fixture.run(each, HAND_OVER, { id: ids[index], user: colleague.id })),
      )
      expect(answers.filter(({ code }) => code === undefined)).toHaveLength(2)
      expect(await fixture.loadOf(colleague)).toBe(12)
    })

    it('is possible for supervisors of a channel and administrators who mean it, and for nobody else', async () => {
      const { giver, colleague, channel, ids } = await fill(12)
      const meant = { user: colleague.id, evenIfFull: true }
      expect(await fixture.run(giver, HAND_OVER, { id: ids[0], ...meant })).toMatchObject({ code: 'FORBIDDEN' })
      const members = [{ user: giver.id, supervisor: true }, { user: colleague.id }]
      const supervise =
        'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
      expect(await fixture.run(fixture.admin, supervise, { id: channel, patch: { members } })).not.toHaveProperty(
        'code',
      )
      expect(await fixture.run(giver, HAND_OVER, { id: ids[0], ...meant })).not.toHaveProperty('code')
      await fixture.command(fixture.admin, ids[1]!, '/accept')
      expect(await fixture.run(fixture.admin, HAND_OVER, { id: ids[1], ...meant })).not.toHaveProperty('code')
      expect(await fixture.loadOf(colleague)).toBe(20)
    })

    it('takes no room of one who has the conversation already, and refuses what has no effect on a channel', async () => {
      const { giver, colleague, channel, ids } = await fill(8)
      await fixture.command(colleague, ids[0]!, '/accept')
      expect(await fixture.loadOf(colleague)).toBe(12)
      expect(await fixture.run(giver, HAND_OVER, { id: ids[0], user: colleague.id })).not.toHaveProperty('code')
      for (const flag of ['evenIfAway', 'evenIfFull'])
        expect(await fixture.run(giver, HAND_OVER, { id: ids[1], channel, [flag]: true })).toMatchObject({
          code: 'BAD_USER_INPUT',
          details: { field: flag },
        })
    })
  })

  it('to a team is never offered to the giver in that queueing, though it is the only one there', async () => {
    const [giver, other] = [await fixture.makeAgent(), await fixture.makeAgent()]
    const channel = await fixture.channelWith({ mode: 'OFFER', offerSeconds: 300, preferLastSeconds: 300 }, [
      giver,
      other,
    ])
    await fixture.ready(giver)
    const id = await fixture.wait(channel)
    await fixture.offered(id, giver)
    await fixture.command(giver, id, '/accept')
    expect(await handOverAs(giver, { id, channel })).not.toHaveProperty('code')
    // Another one that waits is offered: the matcher has looked.
    const later = await fixture.wait(channel)
    await fixture.offered(later, giver)
    const { offer, routingTrace } = await fixture.stateOf(id)
    expect(offer).toBeNull()
    expect(routingTrace[0]!.candidates).toContainEqual({ userId: giver.id, outcome: 'HANDED_OVER', load: 4 })
    // Nor when it is notified or queued once more while it waits.
    for (const [text, more] of [
      ['/notify', { meta: { channels: [channel] } }],
      ['/enqueue', {}],
      ['/notify', { meta: { channels: [channel] } }],
    ] as const) {
      expect(await fixture.command(fixture.admin, id, text, more)).not.toHaveProperty('code')
      const next = await fixture.wait(channel)
      await fixture.offered(next, giver)
      expect((await fixture.stateOf(id)).offer).toBeNull()
      await fixture.command(giver, next, '/accept')
      await fixture.command(giver, next, '/leave')
    }
    await fixture.ready(other)
    await fixture.offered(id, other)
    await fixture.command(other, id, '/accept')
    expect(await handOverAs(other, { id, channel })).not.toHaveProperty('code')
    await fixture.offered(id, giver)
    await fixture.disconnect()
  })

  it('to a team is offered to the giver, last, once a supervisor has chosen another queue', async () => {
    const [giver, other] = [await fixture.makeAgent(), await fixture.makeAgent()]
    const team = await fixture.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [giver])
    const elsewhere = await fixture.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [giver, other])
    await fixture.ready(giver)
    await fixture.ready(other)
    const ids = [await fixture.wait(team), await fixture.wait(team)]
    for (const id of ids) {
      await fixture.offered(id, giver)
      await fixture.command(giver, id, '/accept')
      expect(await handOverAs(giver, { id, channel: team })).not.toHaveProperty('code')
    }
    const notify = (id: string) => fixture.command(fixture.admin, id, '/notify', { meta: { channels: [elsewhere] } })
    expect(await notify(ids[0]!)).not.toHaveProperty('code')
    await fixture.offered(ids[0]!, other)
    await fixture.setAvailability(other, 'AWAY')
    expect(await notify(ids[1]!)).not.toHaveProperty('code')
    await fixture.offered(ids[1]!, giver)
    await fixture.disconnect()
  })

  describe('and then a merge', () => {
    const IMPORT =
      'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { status } }'
    const merge = (id: string, origin: string) => fixture.run(fixture.admin, IMPORT, { id, origin })
    /** An agent who has handed a conversation over to a team, and a closed conversation of the same channel. */
    const given = async () => {
      const [giver, other] = [await fixture.makeAgent(), await fixture.makeAgent()]
      const team = await fixture.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [giver])
      const elsewhere = await fixture.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [giver, other])
      await fixture.ready(giver)
      const id = await fixture.wait(team)
      await fixture.offered(id, giver)
      await fixture.command(giver, id, '/accept')
      expect(await handOverAs(giver, { id, channel: team })).not.toHaveProperty('code')
      return { giver, other, team, elsewhere, id }
    }

    it('is not offered back to the giver in the same queue', async () => {
      const { giver, team, id } = await given()
      await fixture.setAvailability(giver, 'AWAY')
      const into = await fixture.wait(team)
      expect(await merge(into, id)).not.toHaveProperty('code')
      await fixture.setAvailability(giver, 'AVAILABLE')
      // Another one that waits is offered: the matcher has looked.
      const later = await fixture.wait(team)
      await fixture.offered(later, giver)
      const { offer, routingTrace } = await fixture.stateOf(into)
      expect(offer).toBeNull()
      expect(routingTrace[0]!.candidates).toContainEqual(
        expect.objectContaining({ userId: giver.id, outcome: 'HANDED_OVER' }),
      )
      // It is kept through another merge and through being queued anew.
      const last = await fixture.wait(team)
      expect(await merge(last, into)).not.toHaveProperty('code')
      await fixture.command(giver, later, '/accept')
      await fixture.offered(await fixture.wait(team), giver)
      expect((await fixture.stateOf(last)).offer).toBeNull()
      await fixture.disconnect()
    })

    it('is offered to the giver, last, in a queue in which it did not wait', async () => {
      const { giver, other, elsewhere, id } = await given()
      await fixture.ready(other)
      for (const agent of [giver, other]) await fixture.setAvailability(agent, 'AWAY')
      const into = await fixture.wait(elsewhere)
      expect(await merge(into, id)).not.toHaveProperty('code')
      await fixture.setAvailability(giver, 'AVAILABLE')
      await fixture.offered(into, giver)
      await fixture.disconnect()
    })

    it('that queues a closed one keeps it in the queue of the team, and leaves the giver out there', async () => {
      const { giver, team, id } = await given()
      const { id: into } = await fixture.inStatus('CLOSED')
      expect(await merge(into, id)).not.toHaveProperty('code')
      const [row] = await fixture.server.database.query<{ needs: object; channels: string[] }>(
        'select needs, channels from conversation where id = $1 and status = $2',
        [into, 'queued'],
      )
      expect(row).toEqual({ needs: { exceptUsers: [giver.id] }, channels: [team] })
      await fixture.disconnect()
    })
  })

  // The last: from then on its contact center offers conversations.
  it('asks for skills of the next agent, whom the channel then offers it', async () => {
    const make = 'mutation ($name: String!) { createSkill(input: { name: $name }) { id } }'
    const skill = (await fixture.run<{ id: string }>(fixture.admin, make, { name: `Sails ${crypto.randomUUID()}` }))
      .value.id
    const [giver, other, able] = [await fixture.makeAgent(), await fixture.makeAgent(), await fixture.makeAgent()]
    const channel = await fixture.channelWith({ mode: 'OFFER' }, [giver, other, able])
    const give = 'mutation ($u: ID!, $s: [ID!]) { updateStaff(user: $u, patch: { skills: $s }) { load } }'
    await fixture.run(fixture.admin, give, { u: able.id, s: [skill] })
    const id = await fixture.wait(channel)
    await fixture.command(giver, id, '/accept')
    const refused = (variables: object) => handOverAs(giver, { id, ...variables })
    expect(await refused({ channel, skills: [crypto.randomUUID()] })).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'skills[0]' },
    })
    expect(await refused({ channel, skills: ['sails'] })).toMatchObject({ details: { field: 'skills[0]' } })
    expect(await refused({ user: other.id, skills: [skill] })).toMatchObject({ details: { field: 'skills' } })
    const pull = await fixture.channelWith({ mode: 'PULL' }, [giver, able])
    const alone = await fixture.channelWith({ mode: 'OFFER' }, [giver, other])
    for (const nowhere of [pull, alone])
      expect(await refused({ channel: nowhere, skills: [skill] })).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'skills' },
      })
    const viewer = await fixture.makeAgent()
    await fixture.run(fixture.admin, give, { u: viewer.id, s: [skill] })
    const unable = await fixture.channelWith({ mode: 'OFFER' }, [giver, viewer])
    const role = 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: VIEWER }) { id } }'
    expect(await fixture.run(fixture.admin, role, { id: viewer.id })).not.toHaveProperty('code')
    expect(await refused({ channel: unable, skills: [skill] })).toMatchObject({ details: { field: 'skills' } })
    expect(await handOverAs(giver, { id, channel, skills: [skill] })).not.toHaveProperty('code')
    // As long as it waits, the skill is needed.
    for (const each of [able, viewer]) await fixture.run(fixture.admin, give, { u: each.id, s: [] })
    const forget = 'mutation ($id: ID!) { deleteSkill(id: $id) }'
    expect(await fixture.run(fixture.admin, forget, { id: skill })).toMatchObject({
      details: { reason: 'IN_USE', conversations: 1 },
    })
    await fixture.run(fixture.admin, give, { u: able.id, s: [skill] })
    await fixture.ready(other)
    // Another one that waits is offered: the matcher has looked.
    await fixture.offered(await fixture.wait(channel), other)
    expect((await fixture.stateOf(id)).offer).toBeNull()
    // Queued again where it waits, and merged into another one: what was asked for stays.
    const notify =
      'mutation ($id: ID!, $channel: ID!) { notifyConversation(conversation: $id, channels: [$channel]) { id } }'
    expect(await fixture.run(fixture.admin, notify, { id, channel })).not.toHaveProperty('code')
    expect(await needsOf(id)).toEqual({ askedSkills: [skill], exceptUsers: [giver.id] })
    await fixture.setAvailability(other, 'AWAY')
    const target = await fixture.wait(channel)
    await fixture.command(fixture.admin, target, `/import ${id}`)
    expect(await needsOf(target)).toEqual({ askedSkills: [skill], exceptUsers: [giver.id] })
    await fixture.ready(able)
    await fixture.offered(target, able)
    // In channels in which it did not wait, nothing is asked for any more.
    const anew = await fixture.wait(channel)
    await fixture.command(giver, anew, '/accept')
    expect(await handOverAs(giver, { id: anew, channel, skills: [skill] })).not.toHaveProperty('code')
    expect(await fixture.command(fixture.admin, anew, '/enqueue')).not.toHaveProperty('code')
    expect(await needsOf(anew)).toEqual({ exceptUsers: [giver.id] })
    await fixture.disconnect()
  })

  const needsOf = async (id: string) => {
    const rows = await fixture.server.database.query<{ needs: object }>(
      'select needs from conversation where id = $1',
      [id],
    )
    return rows[0]!.needs
  }
  const handOverAs = (as: MadeUser, variables: Record<string, unknown>) => fixture.run(as, HAND_OVER, variables)
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { COMMANDS } from '../../src/modules/conversations/commands/index.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

// Speaking or acting in another's name: `user` of a message (2.9, 4.7) and of a command (4.8).
let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

describe("a command in a colleague's name", () => {
  it('is refused, except for commands with a user in 4.8', () => {
    const takesUser = [...new Set(COMMANDS.values())].filter((command) => command.takesUser).map(({ name }) => name)
    expect(takesUser.toSorted()).toEqual(['accept', 'follow', 'join', 'leave', 'unfollow'])
  })

  it.each(['agent', 'bot', 'administrator'] as const)('by an %s', async (who) => {
    const as = { agent: fixture.ben, bot: fixture.bot, administrator: fixture.admin }[who]
    const { id, messages } = await fixture.inStatus('ACTIVE')
    const message = messages.edges[0]!.node.id
    const commands = [
      ['/set step 3'],
      ['/set', { meta: { a: 1 } }],
      ['/set @name Mine'],
      ['/action like', { meta: { message } }],
      ['/action comment I said so', { meta: { message } }],
      ['>reboot'],
      ['/assign', { meta: { users: [fixture.ben.id] } }],
      ['/notify'],
      ['/send'],
      ['/block'],
      [`/import ${id}`],
    ] as const
    for (const [text, more = {}] of commands) {
      expect([text, (await fixture.command(as, id, text, { ...more, user: fixture.ann.id })).code]).toEqual([
        text,
        'FORBIDDEN',
      ])
    }
    const after = await fixture.show(id)
    expect(after.messages.edges).toHaveLength(messages.edges.length)
    // One's own id is nobody else's.
    expect((await fixture.command(as, id, '/set step 3', { user: as.id })).code).toBeUndefined()
  })

  it('is refused in the messages of a create and of a clicked button, too', async () => {
    const messages = [{ type: 'COMMAND', text: '/set a b', user: fixture.ann.id }]
    expect((await fixture.tryCreate({ messages, touchpoint: 'WEB' })).code).toBe('FORBIDDEN')
    const { id } = await fixture.inStatus('ACTIVE')
    const text = JSON.stringify({ type: 'command', text: '/set a b', user: fixture.ann.id })
    const click = {
      type: 'POSTBACK',
      role: 'CONTACT',
      text,
      actions: [{ type: 'POSTBACK', text: 'Go', payload: text }],
    }
    expect((await fixture.send(fixture.bot, id, click)).code).toBe('FORBIDDEN')
  })
})

describe('a message on behalf of another', () => {
  it('is sent by an automation or an administrator, for users that it sees (2.9, 4.7 rule 4)', async () => {
    const colleague = await fixture.makeAgent()
    const outsider = await fixture.makeUser({ organization: await fixture.makeContactCenter() })
    const { id } = await fixture.create()
    for (const role of ['AGENT', 'BOT']) {
      const say = async (as: typeof fixture.ann, user: string) =>
        (await fixture.send(as, id, { role, text: `${role} of ${as.id}`, user })).code
      expect(await say(fixture.ann, colleague.id)).toBe('FORBIDDEN')
      expect(await say(fixture.bot, outsider.id)).toBe('NOT_FOUND')
      expect(await say(fixture.bot, colleague.id)).toBeUndefined()
      expect(await say(fixture.admin, colleague.id)).toBeUndefined()
    }
  })
})

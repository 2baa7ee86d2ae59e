import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { MAY_SUGGEST, suggesting } from './copilot-fixture.js'
import { acting, refused } from './governed-bot.js'

const REPLY = { reply: { text: 'Your order is on its way, and should be there on Friday.' } }

let fixture: ConversationFixture
let by: ReturnType<typeof suggesting>
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  by = suggesting(fixture)
  bot = await by.governed(MAY_SUGGEST)
  await by.setCategories('Billing', 'Orders')
})
afterAll(async () => {
  await fixture?.close()
})

const articleOf = async (status: string, as: MadeUser = fixture.admin): Promise<string> => {
  const make = 'mutation ($input: CreateArticleInput!) { createArticle(input: $input) { id } }'
  const input = { title: 'Returns', body: '<p>Within 30 days.</p>', status }
  return (await must(fixture.run<{ id: string }>(as, make, { input }))).id
}
const messageOf = (id: string | null, as: MadeUser | string = fixture.admin) =>
  must(
    fixture.run<Record<string, unknown>>(
      as,
      'query ($id: ID!) { message(id: $id) { user { id } isAutomated approvedById proposal { id botId outcome } } }',
      { id },
    ),
  )

describe('a suggestion', () => {
  it('of each kind has an input of its own, and needs the mode SUGGEST for what it would be', async () => {
    const [{ id }, other, article] = [await by.waiting(), await by.waiting(), await articleOf('PUBLISHED')]
    const KINDS: [suggestion: object, shown: object][] = [
      [REPLY, { kind: 'REPLY', action: 'REPLY', text: REPLY.reply.text, input: { role: 'agent' } }],
      [{ category: 'Billing' }, { kind: 'CATEGORY', action: 'SET', category: 'Billing' }],
      [{ fields: { order: 7 } }, { kind: 'FIELDS', action: 'SET', fields: { order: 7 } }],
      [{ merge: other.id }, { kind: 'MERGE', action: 'OTHER', mergeId: other.id }],
      [{ article }, { kind: 'ARTICLE', action: 'REPLY', articleId: article, text: null, input: {} }],
      [{ summary: 'Asks for the order.' }, { kind: 'SUMMARY', action: 'NOTE', text: 'Asks for the order.' }],
    ]
    for (const [suggestion, shown] of KINDS) {
      const none = await by.governed(acting())
      expect(await by.trySuggest(none, id, suggestion)).toMatchObject(refused((shown as { action: string }).action))
      const made = await by.suggested(bot, id, suggestion)
      expect(made).toMatchObject({ ...shown, status: 'PENDING', outcome: null, botId: bot.id })
      expect(await by.pendingIn(id)).toEqual([made.id])
      await must(by.reject(made))
    }
    expect(await by.textsOf(id)).toEqual(['hello'])
  })

  it('that cannot be taken is refused, with the field', async () => {
    const { id } = await by.waiting()
    const gone = await by.waiting()
    await must(fixture.send(fixture.admin, (await by.waiting()).id, { type: 'COMMAND', text: `/import ${gone.id}` }))
    const elsewhere = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const theirs = await articleOf('PUBLISHED', elsewhere)
    const REFUSED: [suggestion: object, field: string, more: object][] = [
      [{}, 'suggestion', { code: 'BAD_USER_INPUT' }],
      [{ category: 'Billing', summary: 'both' }, 'suggestion', { code: 'BAD_USER_INPUT' }],
      [{ category: 'Unheard' }, 'suggestion.category', { details: { reason: 'UNKNOWN_CATEGORY' } }],
      [{ category: '1' }, 'suggestion.category', { code: 'BAD_USER_INPUT' }],
      [{ category: ' ' }, 'suggestion.category', { code: 'BAD_USER_INPUT' }],
      [{ fields: {} }, 'suggestion.fields', { code: 'BAD_USER_INPUT' }],
      [{ fields: { _page: 1 } }, 'suggestion.fields._page', { code: 'BAD_USER_INPUT' }],
      [{ merge: id }, 'suggestion.merge', { details: { reason: 'IMPORT_IMPOSSIBLE' } }],
      [{ merge: gone.id }, 'suggestion.merge', { details: { reason: 'IMPORT_IMPOSSIBLE' } }],
      [{ merge: 'no id' }, 'suggestion.merge', { code: 'BAD_USER_INPUT' }],
      [{ merge: fixture.clock.newId() }, 'suggestion.merge', { code: 'NOT_FOUND' }],
      [{ article: await articleOf('DRAFT') }, 'suggestion.article', { details: { reason: 'NOT_PUBLISHED' } }],
      [{ article: theirs }, 'suggestion.article', { code: 'NOT_FOUND' }],
      [{ article: 'no id' }, 'suggestion.article', { code: 'NOT_FOUND' }],
      [{ summary: ' ' }, 'suggestion.summary', { code: 'BAD_USER_INPUT' }],
      [{ summary: 'x'.repeat(70_000) }, 'suggestion.summary', { code: 'BAD_USER_INPUT' }],
      [{ reply: { text: 'for us', role: 'BOT' } }, 'suggestion.reply.role', { code: 'BAD_USER_INPUT' }],
      [{ reply: { text: 'x', delay: 5 } }, 'suggestion.reply.delay', { code: 'BAD_USER_INPUT' }],
      [{ reply: { text: 'x', mark: await by.markOf(id) } }, 'suggestion.reply.mark', { code: 'BAD_USER_INPUT' }],
    ]
    for (const [suggestion, field, more] of REFUSED) {
      const answer = await by.trySuggest(bot, id, suggestion)
      expect([suggestion, answer.details]).toMatchObject([suggestion, { field }])
      expect(answer).toMatchObject(more)
    }
    const read = { article: await articleOf('PUBLISHED') }
    expect(await by.trySuggest(bot, gone.id, read, { mark: await by.markOf(gone.id) })).toMatchObject({
      details: { reason: 'CONVERSATION_STATUS' },
    })
    expect(await by.trySuggest(fixture.ann, id, REPLY)).toMatchObject({ code: 'FORBIDDEN' })
    const held = await by.markOf(id)
    await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'and?' }))
    expect(await by.trySuggest(bot, id, { category: 'Billing' }, { mark: held })).toMatchObject({
      details: { reason: 'MOVED_ON', field: 'mark' },
    })
    expect(await by.pendingIn(id)).toEqual([])
  })

  it('takes the place of its own of that kind alone, and three wait at most', async () => {
    const { id } = await by.waiting()
    const first = await by.suggested(bot, id, { category: 'Billing' })
    const second = await by.suggested(bot, id, { fields: { order: 7 } })
    const third = await by.suggested(bot, id, { category: 'Orders' })
    expect(await by.read(first)).toMatchObject({ status: 'REPLACED', outcome: 'IGNORED', category: null })
    const reply = await by.suggested(bot, id, REPLY)
    expect(await by.trySuggest(bot, id, { summary: 'long' })).toMatchObject({ details: { reason: 'TOO_MANY' } })
    expect(await by.pendingIn(id)).toEqual([second.id, third.id, reply.id])
  })

  it('is approved where it has a message, and is else for people to do', async () => {
    const own = await by.governed(MAY_SUGGEST.map(({ action }) => ({ action, mode: 'APPROVE' })))
    const [{ id }, other] = [await by.waiting(), await by.waiting()]
    const category = await by.suggested(own, id, { category: 'Billing' })
    expect(await must(by.approve(category))).toMatchObject({ status: 'APPROVED', outcome: 'ACCEPTED' })
    expect((await fixture.show(id)).category).toBe('Billing')
    for (const suggestion of [{ merge: other.id }, { article: await articleOf('PUBLISHED') }]) {
      const made = await by.suggested(own, id, suggestion)
      expect(await by.approve(made)).toMatchObject({ details: { reason: 'PROPOSAL_KIND', kind: made.kind } })
    }
    // The mode SUGGEST alone does not do it.
    const reply = await by.suggested(bot, other.id, REPLY)
    expect(await by.approve(reply)).toMatchObject(refused('REPLY', 'SUGGEST'))
    expect(await by.textsOf(other.id)).toEqual(['hello'])
  })
})

describe('a message that names it', () => {
  it('is its agent’s own: unchanged it was accepted, else edited, by how much', async () => {
    const { id } = await by.waiting()
    const first = await by.suggested(bot, id, REPLY)
    const sent = await must(by.answer(id, first, `  ${REPLY.reply.text}\n`))
    expect(await by.read(first)).toMatchObject({
      status: 'TAKEN',
      outcome: 'ACCEPTED',
      changedShare: 0,
      decidedById: fixture.ann.id,
      messageId: sent.id,
      text: null,
      input: {},
    })
    expect(await messageOf(sent.id)).toEqual({
      user: { id: fixture.ann.id },
      isAutomated: null,
      approvedById: null,
      proposal: { id: first.id, botId: bot.id, outcome: 'ACCEPTED' },
    })
    expect(await by.pendingIn(id)).toEqual([])
    await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'and now?' }))
    const second = await by.suggested(bot, id, REPLY)
    await must(by.answer(id, second, REPLY.reply.text.replace('Friday', 'Monday')))
    const { outcome, changedShare } = await by.read(second)
    expect(outcome).toBe('EDITED')
    expect(changedShare).toBeGreaterThan(0)
    expect(changedShare).toBeLessThan(0.1)
    const guest = await must(
      fixture.run<{ token: string }>(
        fixture.bot,
        'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
        { id },
      ),
    )
    const query = `query ($id: ID!) { conversation(id: $id) { messages(first: 50) { nodes { proposal { id } } } } }`
    const seen = await must(
      fixture.run<{ messages: { nodes: { proposal: object | null }[] } }>(guest.token, query, { id }),
    )
    expect(seen.messages.nodes.length).toBeGreaterThan(2)
    expect(seen.messages.nodes.filter(({ proposal }) => proposal !== null)).toEqual([])
  })

  it('may be an article, a note of a summary, or what is set', async () => {
    const { id } = await by.waiting()
    const article = await by.suggested(bot, id, { article: await articleOf('PUBLISHED') })
    await must(by.answer(id, article, 'See https://help.example.com/returns'))
    expect(await by.read(article)).toMatchObject({ outcome: 'ACCEPTED', changedShare: null, articleId: null })
    const summary = await by.suggested(bot, id, { summary: 'Asks for the order.' })
    expect(await by.answer(id, summary, 'Asks for the order.')).toMatchObject({
      details: { reason: 'PROPOSAL_KIND', kind: 'SUMMARY', field: 'proposal' },
    })
    await must(by.answer(id, summary, 'Asks for the order.', fixture.ann, { isBackchannel: true, role: 'BOT' }))
    expect(await by.read(summary)).toMatchObject({ outcome: 'ACCEPTED' })
    const category = await by.suggested(bot, id, { category: 'Billing' })
    await must(fixture.send(fixture.ann, id, { type: 'COMMAND', text: '/set @category Orders', proposal: category.id }))
    expect(await by.read(category)).toMatchObject({ outcome: 'EDITED' })
    expect((await fixture.show(id)).category).toBe('Orders')
  })

  it('is sent once, counted once, and by people in its conversation alone', async () => {
    const [{ id }, other] = [await by.waiting(), await by.waiting()]
    const made = await by.suggested(bot, id, REPLY)
    expect(await by.answer(other.id, made, 'elsewhere')).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'proposal' },
    })
    expect(await by.answer(id, { id: fixture.clock.newId() }, 'unknown')).toMatchObject({ code: 'NOT_FOUND' })
    for (const more of [{ user: fixture.ben.id }, {}])
      expect(await by.answer(id, made, 'x', fixture.bot, more)).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'proposal' },
      })
    const own = { id: fixture.clock.newId() }
    const both = [
      await must(by.answer(id, made, REPLY.reply.text, fixture.ann, own)),
      await must(by.answer(id, made, REPLY.reply.text, fixture.ann, own)),
    ]
    expect(both[0]!.id).toBe(both[1]!.id)
    expect(await by.answer(id, made, 'once more')).toMatchObject({
      details: { reason: 'PROPOSAL_ENDED', status: 'TAKEN', field: 'proposal' },
    })
    expect(await by.textsOf(id)).toEqual(['hello', REPLY.reply.text])
  })
})

describe('takeProposal', () => {
  it('sets or merges as its caller, and does nothing twice', async () => {
    const [{ id }, origin] = [await by.waiting(), await by.waiting()]
    const category = await by.suggested(bot, id, { category: 'Billing' })
    const fields = await by.suggested(bot, id, { fields: { order: 7 } })
    const key = crypto.randomUUID()
    const both = [await must(by.take(category, fixture.ann, key)), await must(by.take(category, fixture.ann, key))]
    expect(both[0]).toEqual(both[1])
    expect(both[0]).toMatchObject({ status: 'TAKEN', outcome: 'ACCEPTED', decidedById: fixture.ann.id })
    await must(by.take(fields, fixture.ben))
    expect(await fixture.show(id)).toMatchObject({ category: 'Billing', meta: { order: 7 } })
    expect(await messageOf(both[0]!.messageId)).toMatchObject({
      user: { id: fixture.ann.id },
      proposal: { id: category.id },
    })
    expect(await by.take(category)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED', status: 'TAKEN' } })
    const merge = await by.suggested(bot, id, { merge: origin.id })
    await must(by.take(merge))
    expect((await fixture.show(origin.id)).status).toBe('ARCHIVED')
    expect(await by.read(merge)).toMatchObject({ status: 'TAKEN', outcome: 'ACCEPTED' })
  })

  it('is for what is set, by people of the tenant', async () => {
    const { id } = await by.waiting()
    const reply = await by.suggested(bot, id, REPLY)
    expect(await by.take(reply)).toMatchObject({ details: { reason: 'PROPOSAL_KIND', kind: 'REPLY' } })
    const category = await by.suggested(bot, id, { category: 'Billing' })
    expect(await by.take(category, bot)).toMatchObject({ details: { reason: 'PERSON_REQUIRED' } })
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    expect(await by.take(category, stranger)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await by.pendingIn(id)).toEqual([reply.id, category.id])
  })
})

describe('what others do', () => {
  it('makes stale what they should have been told before, and leaves the rest', async () => {
    const each = async (id: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        await Promise.all(
          [{ category: 'Billing' }, { fields: { order: 7 } }, REPLY].map(async (suggestion) => {
            const { id: proposal } = await by.suggested(bot, id, suggestion)
            return [Object.keys(suggestion)[0]!, proposal]
          }),
        ),
      )
    const send =
      (message: object, as = fixture.ann) =>
      (id: string) =>
        must(fixture.send(as, id, message))
    const ACTS: [name: string, act: (id: string) => Promise<unknown>, left: string[]][] = [
      ['the consumer writes', send({ role: 'CONTACT', text: 'and?' }, fixture.admin), []],
      ['an agent answers', send({ role: 'AGENT', text: 'On Friday.' }), ['category', 'fields']],
      ['an agent accepts', send({ type: 'COMMAND', text: '/accept' }), ['category', 'fields', 'reply']],
      ['an agent leaves a note', send({ isBackchannel: true, text: 'do not refund' }), ['category', 'fields']],
      ['an agent sets the category', send({ type: 'COMMAND', text: '/set @category Orders' }), ['fields', 'reply']],
      ['an agent sets a field', send({ type: 'COMMAND', text: '/set size XL' }), ['category', 'reply']],
      [
        'an agent sets the language',
        send({ type: 'COMMAND', text: '/set @language de' }),
        ['category', 'fields', 'reply'],
      ],
    ]
    for (const [name, act, left] of ACTS) {
      const { id } = await by.waiting()
      const made = await each(id)
      await act(id)
      const pending = await by.pendingIn(id)
      expect([
        name,
        Object.keys(made)
          .filter((kind) => pending.includes(made[kind]!))
          .toSorted(),
      ]).toEqual([name, left])
      for (const gone of Object.values(made).filter((proposal) => !pending.includes(proposal)))
        expect(await by.read({ id: gone })).toMatchObject({ status: 'STALE', outcome: 'IGNORED', text: null })
    }
  })

  it('ends it with its conversation: closed, merged, deleted', async () => {
    const [closed, merged, target, deleted] = await Promise.all([1, 2, 3, 4].map(() => by.waiting()))
    const proposals = new Map<string, string>()
    for (const { id } of [closed!, merged!, target!, deleted!])
      proposals.set(id, (await by.suggested(bot, id, { category: 'Billing' })).id)
    const { ann, admin } = fixture
    await must(fixture.send(ann, closed!.id, { role: 'AGENT', text: 'done' }))
    await must(fixture.run(ann, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', closed))
    await must(fixture.send(ann, target!.id, { type: 'COMMAND', text: `/import ${merged!.id}` }))
    const statusIn = async ({ id }: { id: string }) => (await by.read({ id: proposals.get(id)! })).status
    expect(await statusIn(closed!)).toBe('ENDED')
    expect(await statusIn(merged!)).toBe('ENDED')
    expect(await statusIn(target!)).toBe('STALE')
    const undo = 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }'
    await must(fixture.run(ann, undo, closed))
    expect(await by.pendingIn(closed!.id)).toEqual([])
    await fixture.rest(admin, 'DELETE', `/v2/conversations/${deleted!.id}`)
    expect(await by.take({ id: proposals.get(deleted!.id)! })).toMatchObject({ code: 'NOT_FOUND' })
  })
})

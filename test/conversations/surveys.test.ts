import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { FarSide } from '../touchpoints/test-provider.js'
import { newContact, startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

interface Rating {
  id: string
  conversationId: string
  touchpoint: string | null
  scale: string
  notAsked: string | null
  askedAt: string | null
  score: number | null
  comment: string | null
  ratedAt: string | null
  user: { displayName: string } | null
  channel: { id: string } | null
  contact: { id: string } | null
}
interface Question {
  id: string
  text: string
  rating: Rating | null
}

const RATING = `id conversationId touchpoint scale notAsked askedAt score comment ratedAt user { displayName } channel { id } contact { id }`
const RATINGS = `query ($filter: RatingFilter) { ratings(first: 100, filter: $filter) { edges { node { ${RATING} } } } }`
const ANSWER = `mutation ($id: ID!, $score: Int!, $comment: String) {
  answerSurvey(rating: $id, score: $score, comment: $comment) { ${RATING} } }`
const SET = `mutation ($id: ID!, $survey: ChannelSurveyInput) { updateChannel(id: $id, patch: { survey: $survey }) {
  survey { scale text delaySeconds onceDays touchpoints } } }`
const CLOSE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
const UNDO = 'mutation ($id: ID!) { undoClose(conversation: $id) { status } }'
const QUESTIONS = `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { id text rating { ${RATING} } } } } } }`
const GUEST = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
const MERGE = 'mutation ($into: ID!, $origin: ID!) { importConversation(conversation: $into, origin: $origin) { id } }'
const UNDO_MS = 15_000
const DAY_MS = 86_400_000

const far = new FarSide({ email: true })
let fixture: ConversationFixture
let ann: MadeUser
/** Tokens where those of before have expired. */
let admin: MadeUser | string
let agent: MadeUser | string
let bot: MadeUser | string
let channel: string
let isLate = false

/** True if it has services for mail and SMS: without them, consumers are reached on the web alone. */
let hasServices = false

async function start(): Promise<void> {
  hasServices = false
  fixture = await startConversationFixture({}, { touchpoints: far.touchpoints })
}
async function makeServices(): Promise<void> {
  hasServices = true
  for (const type of ['email', 'sms']) {
    await done(
      fixture.run(fixture.admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
        input: { type },
      }),
    )
  }
}
/** Lets days pass, after which everybody signs in anew. */
async function daysLater(days: number): Promise<void> {
  isLate = true
  fixture.clock.advance(days * DAY_MS)
  admin = await fixture.tokenFor(fixture.admin)
  agent = await fixture.tokenFor(ann)
  bot = await fixture.tokenFor(fixture.bot)
}
beforeAll(start)
beforeEach(async () => {
  if (isLate) {
    await fixture.close()
    await start()
    isLate = false
  }
  admin = fixture.admin
  far.sent.splice(0)
  far.answer = ({ id }) => ({ providerId: `far-${id}`, status: 'sent' })
  ann = await fixture.makeAgent({ displayName: 'Ann' })
  agent = ann
  bot = fixture.bot
  channel = await fixture.makeChannel(`Team ${crypto.randomUUID()}`, [ann])
})
afterAll(() => fixture.close())

async function done<T>(asked: Promise<{ value: T; code?: string; message?: string }>): Promise<T> {
  const { value, code, message } = await asked
  if (code) throw new Error(`${code}: ${message}`)
  return value
}
const setSurvey = (survey: object | null, id = channel) =>
  fixture.run<{ survey: object | null }>(admin, SET, { id, survey })
const nodes = <Node>({ edges }: { edges: { node: Node }[] }): Node[] => edges.map(({ node }) => node)
const ratingsOf = async (conversation: string): Promise<Rating[]> =>
  nodes(await done(fixture.run(admin, RATINGS, { filter: { conversation: { eq: conversation } } })))
const questionsOf = async (id: string, as: MadeUser | string = admin): Promise<Question[]> => {
  const { messages } = await done(fixture.run<{ messages: { edges: { node: Question }[] } }>(as, QUESTIONS, { id }))
  return nodes(messages).filter(({ rating }) => rating)
}
const guestOf = async (id: string): Promise<string> =>
  (await done(fixture.run<{ token: string }>(admin, GUEST, { id }))).token
const answer = (as: MadeUser | string, id: string, score: number, comment?: string) =>
  fixture.run<Rating>(as, ANSWER, { id, score, comment })
const milestones = (id: string): Promise<{ kind: string; user_id: string; detail: string | null }[]> =>
  fixture.server.database.query(
    `select kind, user_id, detail from milestone where conversation_id = $1 and kind in ('asked', 'rated') order by nth`,
    [id],
  )

/** A conversation that Ann has, and has answered. */
async function answered(input: Record<string, unknown> = {}, say = true): Promise<string> {
  const { id } = await fixture.create(input)
  await done(fixture.command(admin, id, '/notify', { meta: { channels: [channel] } }))
  await done(fixture.send(bot, id, { role: 'CONTACT', text: 'hello' }))
  await done(fixture.command(agent, id, '/accept'))
  if (say) await done(fixture.send(agent, id, { role: 'AGENT', text: 'hi' }))
  return id
}
const close = (id: string) => done(fixture.run(agent, CLOSE, { id }))
/** Closes it and lets the time to ask come. @returns what is known of its cases, once there is something */
async function closed(id: string, afterMs = UNDO_MS): Promise<Rating[]> {
  const before = (await ratingsOf(id)).length
  await close(id)
  fixture.clock.advance(afterMs + 1)
  return until(
    () => ratingsOf(id),
    (ratings) => ratings.length > before,
  )
}
async function asked(input: Record<string, unknown> = {}): Promise<{ id: string; rating: Rating }> {
  const id = await answered(input)
  const [rating] = await closed(id)
  return { id, rating: rating! }
}

describe('the survey of a channel', () => {
  it('has defaults, and is taken away by null', async () => {
    expect((await setSurvey({})).value.survey).toEqual({
      ...{ scale: 'FIVE', text: null, delaySeconds: 0, onceDays: 30, touchpoints: null },
    })
    expect((await setSurvey(null)).value.survey).toBeNull()
  })

  it.each([
    [{ delaySeconds: 86_401 }, 'survey.delaySeconds'],
    [{ delaySeconds: -1 }, 'survey.delaySeconds'],
    [{ onceDays: 366 }, 'survey.onceDays'],
    [{ text: '  ' }, 'survey.text'],
    [{ text: 'x'.repeat(501) }, 'survey.text'],
    [{ touchpoints: [] }, 'survey.touchpoints'],
  ])('refuses %j', async (survey, field) => {
    const { code, details } = await setSurvey(survey)
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', field])
  })

  it('is in /v2, and refuses the same there', async () => {
    const patch = (survey: object) => fixture.rest(fixture.admin, 'PATCH', `/v2/channels/${channel}`, { survey })
    const { body, status } = await patch({ scale: 'thumbs', touchpoints: ['web'] })
    expect([status, body.survey]).toMatchObject([200, { scale: 'thumbs', touchpoints: ['web'] }])
    expect((await patch({ scale: 'six' })).status).toBe(400)
  })
})

describe('a closed case', () => {
  it('is asked about when its closing stands, and rated once', async () => {
    await setSurvey({ text: 'Are you happy?' })
    const { id, rating } = await asked()
    expect(rating).toMatchObject({ touchpoint: 'WEB', scale: 'FIVE', notAsked: null, score: null })
    expect(rating).toMatchObject({ user: { displayName: 'Ann' }, channel: { id: channel } })
    const guest = await guestOf(id)
    const [question] = await questionsOf(id, guest)
    expect(question).toMatchObject({ text: 'Are you happy?', rating: { id: rating.id, scale: 'FIVE', score: null } })
    const client = liveClient(fixture.url, await fixture.tokenFor(ann))
    const live = subscribe<{ __typename: string; message?: Question }>(
      client,
      'conversation',
      `subscription ($id: ID!) { conversation(id: $id) { __typename ... on MessageChanged { message { id rating { score } } } } }`,
      { id },
    )
    await live.next()
    expect((await done(answer(guest, rating.id, 4, ' Quick. '))).comment).toBe('Quick.')
    // The mark of its delivery may come in between.
    const changed = await live.next(({ message }) => message?.rating?.score === 4)
    expect(changed.message).toMatchObject({ id: question!.id, rating: { score: 4 } })
    await client.dispose()
    expect((await fixture.show(id)).status).toBe('CLOSED')
    expect(await milestones(id)).toEqual([
      { kind: 'asked', user_id: ann.id, detail: null },
      { kind: 'rated', user_id: ann.id, detail: '4' },
    ])
  })

  it('takes one of two answers at once, and the same one again', async () => {
    await setSurvey({ scale: 'THUMBS' })
    const { id, rating } = await asked()
    const guest = await guestOf(id)
    const both = await Promise.all([answer(guest, rating.id, 1), answer(guest, rating.id, 0)])
    expect(both.filter(({ code }) => !code)).toHaveLength(1)
    expect(both.find(({ code }) => code)?.details.reason).toBe('ALREADY_RATED')
    const [{ score }] = (await ratingsOf(id)) as [Rating]
    expect((await answer(guest, rating.id, score!)).code).toBeUndefined()
    expect((await milestones(id)).map(({ kind }) => kind)).toEqual(['asked', 'rated'])
  })

  it.each([0, 6])('refuses a score of %d on a scale of five', async (score) => {
    await setSurvey({})
    const { id, rating } = await asked()
    const { code, details } = await answer(await guestOf(id), rating.id, score)
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', 'score'])
  })

  it('is rated by its own guest alone', async () => {
    await setSurvey({})
    const { id, rating } = await asked()
    const other = await guestOf((await fixture.create()).id)
    expect((await answer(other, rating.id, 5)).code).toBe('NOT_FOUND')
    expect((await answer(agent, rating.id, 5)).details.reason).toBe('GUEST_REQUIRED')
    expect((await answer(await guestOf(id), crypto.randomUUID(), 5)).code).toBe('NOT_FOUND')
    await daysLater(14)
    expect((await answer(await guestOf(id), rating.id, 5)).details.reason).toBe('SURVEY_OVER')
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const { value } = await fixture.run(stranger, `query ($id: ID!) { rating(id: $id) { id } }`, { id: rating.id })
    expect(value).toBeNull()
  })

  it('is not asked about after an undone closing, and once when it is closed again', async () => {
    await setSurvey({})
    const id = await answered()
    await close(id)
    await done(fixture.run(agent, UNDO, { id }))
    fixture.clock.advance(UNDO_MS + 1)
    const ratings = await closed(id)
    expect(ratings).toHaveLength(1)
    expect(await questionsOf(id)).toHaveLength(1)
  })

  it('is asked about anew as another case, unless the contact was asked a short time ago', async () => {
    await setSurvey({ onceDays: 7 })
    const { id } = await asked()
    const again = async (): Promise<Rating[]> => {
      await done(fixture.send(bot, id, { role: 'CONTACT', text: 'one more thing' }))
      await done(fixture.command(admin, id, '/notify', { meta: { channels: [channel] } }))
      await done(fixture.send(agent, id, { role: 'AGENT', text: 'yes' }))
      return closed(id)
    }
    expect((await again()).map(({ notAsked }) => notAsked)).toEqual(['ASKED_RECENTLY', null])
    await daysLater(8)
    expect((await again())[0]!.notAsked).toBeNull()
  })

  it('notes why the first of two cases was not asked for that were closed one after the other', async () => {
    await setSurvey({ scale: 'THUMBS', onceDays: 0 })
    const id = await answered()
    await close(id)
    await done(fixture.send(bot, id, { role: 'CONTACT', text: 'one more thing' }))
    await done(fixture.command(agent, id, '/accept'))
    await done(fixture.send(agent, id, { role: 'AGENT', text: 'there' }))
    // Closed, taken back, and closed again: one case.
    fixture.clock.advance(1_000)
    await close(id)
    await done(fixture.run(agent, UNDO, { id }))
    fixture.clock.advance(1_000)
    await close(id)
    fixture.clock.advance(UNDO_MS + 1)
    const ratings = await until(
      () => ratingsOf(id),
      (found) => found.length === 2,
    )
    expect(ratings.map(({ notAsked }) => notAsked).toSorted()).toEqual(['REOPENED', null])
    expect(await questionsOf(id)).toHaveLength(1)
    const left = () => fixture.server.database.query("select 1 from job where kind = 'survey.ask'")
    await until(left, (jobs) => jobs.length === 0)
  })

  it('says why nobody is asked', async () => {
    await setSurvey({ touchpoints: ['EMAIL'] })
    expect((await closed(await answered())).map(({ notAsked }) => notAsked)).toEqual(['OTHER_TOUCHPOINT'])
    await setSurvey({ delaySeconds: 3_600 })
    const bots = await answered({}, false)
    await done(fixture.send(bot, bots, { role: 'AGENT', text: 'I am a bot' }))
    expect((await closed(bots, 3_600_000))[0]!.notAsked).toBe('NO_AGENT')
    const blocked = await answered()
    await close(blocked)
    await done(fixture.command(agent, blocked, '/block'))
    fixture.clock.advance(3_600_001)
    await until(
      () => ratingsOf(blocked),
      ([rating]) => rating?.notAsked === 'BLOCKED',
    )
    const unreachable = await answered({ touchpoint: 'SMS', contact: { profile: { telephone: '+31612345688' } } })
    expect((await closed(unreachable, 3_600_000))[0]!.notAsked).toBe('UNREACHABLE')
    const reopened = await answered()
    await close(reopened)
    fixture.clock.advance(UNDO_MS + 1)
    await done(fixture.send(bot, reopened, { role: 'CONTACT', text: 'wait' }))
    fixture.clock.advance(3_600_000)
    await until(
      () => ratingsOf(reopened),
      ([rating]) => rating?.notAsked === 'REOPENED',
    )
    expect(await questionsOf(reopened)).toEqual([])
  })

  it('is asked about by the channel that had it last', async () => {
    await setSurvey({ text: 'First?' })
    const second = await fixture.makeChannel(`Second ${crypto.randomUUID()}`, [ann])
    await setSurvey({ text: 'Second?' }, second)
    const id = await answered()
    const HAND_OVER = 'mutation ($id: ID!, $to: ID!) { handOverConversation(conversation: $id, channel: $to) { id } }'
    await done(fixture.run(agent, HAND_OVER, { id, to: second }))
    await done(fixture.command(agent, id, '/accept'))
    expect((await closed(id))[0]!.channel!.id).toBe(second)
    expect((await questionsOf(id))[0]!.text).toBe('Second?')
    const without = await fixture.makeChannel(`Third ${crypto.randomUUID()}`, [ann])
    const none = await answered()
    await done(fixture.run(agent, HAND_OVER, { id: none, to: without }))
    await done(fixture.command(agent, none, '/accept'))
    await close(none)
    const other = await asked()
    expect(other.rating.notAsked).toBeNull()
    expect(await ratingsOf(none)).toEqual([])
  })

  it('takes its question along when it is merged', async () => {
    await setSurvey({})
    const { id: origin, rating } = await asked()
    const guest = await guestOf(origin)
    const into = await answered()
    await done(fixture.run(agent, MERGE, { into, origin }))
    expect((await questionsOf(into)).map((each) => each.rating!.id)).toEqual([rating.id])
    expect((await answer(guest, rating.id, 5, 'Good.')).code).toBeUndefined()
    expect((await ratingsOf(into)).map(({ score, comment }) => [score, comment])).toEqual([[5, 'Good.']])
  })

  it('keeps the score when the contact is deleted, and not the words', async () => {
    await setSurvey({})
    const { id, rating } = await asked()
    await done(answer(await guestOf(id), rating.id, 2, 'canary of the comment'))
    await done(fixture.run(admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: rating.contact!.id }))
    const [kept] = await ratingsOf(id)
    expect(kept).toMatchObject({ score: 2, comment: null, contact: null })
    const left = await fixture.server.database.query(`select 1 from rating_comment where comment like '%canary%'`)
    expect(left).toEqual([])
  })

  it('keeps no words of a deleted contact where the conversation was merged into another contact', async () => {
    await setSurvey({})
    const [rated, late] = [await asked(), await asked()]
    const guest = await guestOf(late.id)
    await done(answer(await guestOf(rated.id), rated.rating.id, 2, `canary${'\r\n'.repeat(900)}merged`))
    const into = await answered()
    for (const { id: origin } of [rated, late]) await done(fixture.run(agent, MERGE, { into, origin }))
    for (const { rating } of [rated, late])
      await done(fixture.run(admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: rating.contact!.id }))
    expect(await fixture.server.database.query(`select 1 from rating_comment where comment like 'canary%'`)).toEqual([])
    expect(await answer(guest, late.rating.id, 1, 'canary after')).toHaveProperty('code')
    expect((await ratingsOf(into)).map(({ comment }) => comment)).toEqual([null, null])
  })

  it('is in reports', async () => {
    await setSurvey({})
    const from = new Date(Math.floor(fixture.clock.now().getTime() / 3_600_000) * 3_600_000)
    for (const score of [5, 2]) {
      const { id, rating } = await asked()
      await done(answer(await guestOf(id), rating.id, score))
    }
    await asked()
    const { totals } = await done(
      fixture.run<{ totals: { metric: string; count: number; share: number | null; ratio: number | null }[] }>(
        admin,
        `query ($from: DateTime!, $to: DateTime!, $channel: ID!) { report(metrics: [ASKED, RATED, RATING], from: $from, to: $to,
          filter: { channels: [$channel] }) { totals { metric count share ratio } } }`,
        { from: from.toISOString(), to: new Date(from.getTime() + 3 * 3_600_000).toISOString(), channel },
      ),
    )
    expect(totals).toEqual([
      { metric: 'ASKED', count: 3, share: null, ratio: null },
      { metric: 'RATED', count: 2, share: 2 / 3, ratio: null },
      { metric: 'RATING', count: 2, share: null, ratio: 3.5 },
    ])
  })

  it('is listed in /v2', async () => {
    await setSurvey({})
    const { id, rating } = await asked()
    await done(answer(await guestOf(id), rating.id, 3, 'Fair.'))
    const { body } = await fixture.rest(ann, 'GET', `/v2/ratings/${rating.id}`)
    expect(body).toMatchObject({ id: rating.id, conversation: id, channel, user: ann.id, score: 3, comment: 'Fair.' })
    const list = await fixture.rest(ann, 'GET', `/v2/ratings?conversation=${id}`)
    expect(list.body).toHaveLength(1)
  })
})

describe('the link of a survey', () => {
  async function link(input: Record<string, unknown>): Promise<{ id: string; rating: Rating; url: string }> {
    await setSurvey({ onceDays: 0 })
    if (!hasServices) await makeServices()
    const found = await asked(input)
    const [question] = await questionsOf(found.id)
    const address = /http\S+/.exec(question!.text)![0]
    return { ...found, url: fixture.url + new URL(address).pathname + new URL(address).search }
  }
  const open = async (url: string, init?: RequestInit) => {
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  }
  const rate = (url: string, form: Record<string, string>) =>
    open(url, { method: 'POST', body: new URLSearchParams(form) })

  it.each([
    ['EMAIL', newContact()],
    ['SMS', { profile: { name: 'Carl', telephone: '+31612345699' } }],
  ])('comes by %s: a scanner that follows it rates nothing', async (touchpoint, contact) => {
    const { id, url, rating } = await link({ touchpoint, contact, language: 'nl' })
    expect(rating.touchpoint).toBe(touchpoint)
    await until(
      async () => far.sent.map(({ message }) => message.text ?? ''),
      (texts) => texts.some((text) => text.includes('/r/')),
    )
    for (let each = 0; each < 2; each++) {
      const page = await open(url)
      expect(page.status).toBe(200)
      expect(page.text).toContain('Hoe was uw gesprek met ons?')
    }
    expect((await ratingsOf(id))[0]!.score).toBeNull()
    expect((await rate(url, {})).status).toBe(400)
    expect((await rate(url, { score: '4', comment: '<b>Prima</b>' })).text).toContain('Bedankt')
    expect((await rate(url, { score: '1' })).text).toContain('Bedankt')
    expect((await open(url)).text).toContain('Bedankt')
    expect((await ratingsOf(id))[0]).toMatchObject({ score: 4, comment: '<b>Prima</b>' })
    expect((await fixture.show(id)).status).toBe('CLOSED')
  })

  it('is refused when it is forged, of another rating, or late', async () => {
    const { url, rating } = await link({ touchpoint: 'EMAIL', contact: newContact() })
    const other = await link({ touchpoint: 'EMAIL', contact: newContact() })
    expect((await open(url.replace('signature=', 'signature=x'))).status).toBe(403)
    expect((await open(other.url.replace(other.rating.id, rating.id))).status).toBe(403)
    expect((await open(`${fixture.url}/r/none`)).status).toBe(403)
    await daysLater(14)
    expect((await open(url)).status).toBe(403)
    expect((await rate(url, { score: '5' })).status).toBe(403)
  })
})

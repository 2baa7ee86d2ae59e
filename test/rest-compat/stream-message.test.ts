import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { streamsOf, textRead } from '../conversations/streams-fixture.js'
import { until } from '../support/until.js'

let fixture: ConversationFixture
let streams: ReturnType<typeof streamsOf>
beforeAll(async () => {
  fixture = await startConversationFixture()
  streams = streamsOf(fixture)
})
afterAll(() => fixture.close())

const waiting = () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })

/** A request whose body is written as the test goes on. */
async function open(id: string, query = '?stream=true', headers: Record<string, string> = {}) {
  const token = await fixture.tokenFor(fixture.bot)
  const outgoing = httpRequest(`${fixture.url}/v2/conversations/${id}/messages${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain; charset=utf-8', ...headers },
  })
  outgoing.on('error', () => undefined)
  const answer = once(outgoing, 'response').then(async ([response]) => {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    return { status: response.statusCode as number, body: JSON.parse(text) as Record<string, unknown> }
  })
  return { outgoing, answer }
}

const shownIn = async (id: string) =>
  (
    await fixture.run<{ streams: { id: string; text: string }[] }>(
      fixture.ann,
      'query ($id: ID!) { conversation(id: $id) { streams { id text } } }',
      { id },
    )
  ).value.streams

describe('POST /v2/conversations/:id/messages?stream=true', () => {
  it('shows each chunk as it comes, and answers with the message', async () => {
    const { id } = await waiting()
    const agent = await streams.watch(fixture.ann, id)
    await agent.next(({ __typename }) => __typename === 'ConversationSnapshot')
    const { outgoing, answer } = await open(id)
    outgoing.write('Your ')
    const [stream] = await until(
      () => shownIn(id),
      (shown) => shown[0]?.text === 'Your ',
    )
    // A character that is cut in two.
    const [first, second] = [Buffer.from('👍').subarray(0, 2), Buffer.from('👍').subarray(2)]
    outgoing.write(Buffer.concat([Buffer.from('order '), first]))
    await until(() => textRead(agent.events, stream!.id) === 'Your order ')
    outgoing.write(second)
    await until(() => textRead(agent.events, stream!.id) === 'Your order 👍')
    outgoing.end('.')
    expect(await answer).toMatchObject({
      status: 201,
      body: { id: stream!.id, text: 'Your order 👍.', role: 'agent', type: 'chat', isAutomated: true },
    })
    await agent.next(({ message }) => message?.text === 'Your order 👍.')
    await agent.close()
  })

  it('is for the team with role=bot', async () => {
    const { id } = await waiting()
    const { outgoing, answer } = await open(id, '?stream=true&role=bot')
    outgoing.end('a thought')
    expect(await answer).toMatchObject({ status: 201, body: { role: 'bot', text: 'a thought' } })
  })

  it('ends at once when a person takes over, while the body goes on', async () => {
    const { id } = await waiting()
    const { outgoing, answer } = await open(id)
    outgoing.write('Your order ')
    await until(
      () => shownIn(id),
      (shown) => shown[0]?.text === 'Your order ',
    )
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'I take it' })
    outgoing.write('is')
    expect(await answer).toMatchObject({ status: 422, body: { reason: 'STREAM_ENDED', ending: 'takenOver' } })
    outgoing.destroy()
  })

  it('tells an author who is silent that it has ended, without waiting for more', async () => {
    const { id } = await waiting()
    const { outgoing, answer } = await open(id)
    outgoing.write('Let me see')
    const [shown] = await until(
      () => shownIn(id),
      (all) => all[0]?.text === 'Let me see',
    )
    await streams.stop(fixture.ann, shown!.id)
    expect(await answer).toMatchObject({ status: 422, body: { reason: 'STREAM_ENDED', ending: 'stopped' } })
    outgoing.destroy()
  })

  it('is held by If-Match, and what was shown stays', async () => {
    const { id } = await waiting()
    const etag = (await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${id}`)).headers.get('etag')!
    const { outgoing, answer } = await open(id, undefined, { 'if-match': etag })
    outgoing.write('Yes')
    await until(
      () => shownIn(id),
      (shown) => shown[0]?.text === 'Yes',
    )
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'wait' }, undefined)
    await fixture.send(fixture.ann, id, { role: 'BOT', isBackchannel: true, text: 'look' })
    outgoing.end('!')
    expect(await answer).toMatchObject({ status: 412, body: { reason: 'MOVED_ON' } })
    const { messages } = await fixture.show(id)
    expect(messages.edges.map(({ node }) => node.text)).toContain('Yes!')
  })

  it('refuses what it cannot show', async () => {
    const { id } = await waiting()
    const send = async (query: string, body: string | Buffer, headers?: Record<string, string>) => {
      const { outgoing, answer } = await open(id, query, headers)
      outgoing.end(body)
      return answer
    }
    expect(await send('?stream=yes', 'x')).toMatchObject({ status: 400, body: { field: 'stream' } })
    expect(await send('?stream=true&role=contact', 'x')).toMatchObject({ status: 400, body: { field: 'role' } })
    expect(await send('?stream=true&select=id', 'x')).toMatchObject({ status: 400, body: { field: 'select' } })
    expect(await send('?stream=true', '')).toMatchObject({ status: 422, body: { reason: 'STREAM_EMPTY' } })
    expect(await send('?stream=true', Buffer.from([0x61, 0xff]))).toMatchObject({
      status: 400,
      body: { field: 'body' },
    })
    expect(await send('', 'x')).toMatchObject({ status: 415 })
    expect(await send('?stream=true', '{"text":"x"}', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
    })
    // A repeat would be a second message.
    expect(await send('?stream=true', 'x', { 'idempotency-key': 'a' })).toMatchObject({
      status: 400,
      body: { field: 'Idempotency-Key' },
    })
    expect(await shownIn(id)).toEqual([])
    expect((await send('?stream=true', 'x'.repeat(70_000))).body).toMatchObject({
      reason: 'STREAM_ENDED',
      ending: 'limit',
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createRequest, MessageStream, StreamEnded, withPart, type Written } from '@switchboard/client'
import { startConversationFixture, texts, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const waiting = () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
const shownIn = async (id: string): Promise<string[]> => {
  const query = 'query ($id: ID!) { conversation(id: $id) { streams { text } } }'
  const { value } = await fixture.run<{ streams: { text: string }[] }>(fixture.ann, query, { id })
  return value.streams.map(({ text }) => text)
}
/** Loses the answer of every third request. */
const lossy = (): typeof fetch => {
  let count = 0
  return async (...given) => {
    const answer = await fetch(...given)
    count += 1
    if (count % 3 === 0) throw new TypeError('the connection broke off')
    return answer
  }
}
const streamTo = async (conversation: string, more: { fetch?: typeof fetch; id?: string } = {}) => {
  const { id, ...options } = more
  const request = createRequest({ serverUrl: fixture.url, token: await fixture.tokenFor(fixture.bot), ...options })
  return new MessageStream({ request, conversation, message: id === undefined ? {} : { id } })
}

describe('a message stream of the client', () => {
  it('says every token once, though answers are lost', async () => {
    const { id } = await waiting()
    const stream = await streamTo(id, { fetch: lossy() })
    const text = 'Your order 👍 is on its way. '.repeat(20)
    for (const token of text.match(/.{1,3}/gs)!) stream.write(token)
    const message = await stream.finish()
    expect(message!.id).toBe(stream.id)
    expect(texts(await fixture.show(id))).toEqual(['hello', text])
    expect(stream.signal.aborted).toBe(false)
  })

  it('sends part after part at a pace that readers can bear, and the rest with its end', async () => {
    const { id } = await waiting()
    const sentAt: number[] = []
    const paced: typeof fetch = (url, init) => {
      if (typeof init?.body === 'string' && init.body.includes('appendMessage')) sentAt.push(performance.now())
      return fetch(url, init)
    }
    const stream = await streamTo(id, { fetch: paced })
    let text = ''
    const write = (token: string): void => {
      stream.write(token)
      text += token
    }
    write('Your ')
    // Each token comes while the part before is on its way, or waits for its time.
    for (let parts = 1; parts < 5; parts += 1) {
      await until(() => sentAt.length === parts)
      write('order ')
    }
    await stream.finish()
    expect(texts(await fixture.show(id))).toEqual(['hello', text])
    const between = sentAt.slice(0, 4).flatMap((at, index, all) => (index > 0 ? [at - all[index - 1]!] : []))
    expect(between.filter((ms) => ms < 115)).toEqual([])
    expect(sentAt).toHaveLength(5)
  })

  it('says what is written while it says that more is to come', async () => {
    const { id } = await waiting()
    let isHeld = false
    let letGo: () => void = () => undefined
    const empty = new Promise<void>((resolve) => (letGo = resolve))
    const holding: typeof fetch = async (url, init) => {
      if (typeof init?.body === 'string' && /"text":""/.test(init.body)) {
        isHeld = true
        await empty
      }
      return fetch(url, init)
    }
    const stream = await streamTo(id, { fetch: holding })
    await stream.begin()
    // The author thinks for longer than a part may fail to come.
    await until(() => isHeld)
    stream.write('A thought.')
    const finished = stream.finish()
    letGo()
    await finished
    expect(texts(await fixture.show(id))).toEqual(['hello', 'A thought.'])
  })

  it('keeps its pace after an end that was held, and says the rest', async () => {
    const { id } = await waiting()
    const read = 'query ($id: ID!) { conversation(id: $id) { mark } }'
    const { mark } = (await fixture.run<{ mark: string }>(fixture.bot, read, { id })).value
    const request = createRequest({ serverUrl: fixture.url, token: await fixture.tokenFor(fixture.bot) })
    const stream = new MessageStream({ request, conversation: id, message: { mark } })
    stream.write('Your order')
    await until(async () => (await shownIn(id))[0] === 'Your order')
    await fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'wait' })
    await expect(stream.finish()).rejects.toMatchObject({ reason: 'MOVED_ON' })
    for (const token of [' is', ' on', ' its', ' way']) stream.write(token)
    await until(async () => (await shownIn(id))[0] === 'Your order is on its way')
    await stream.stop()
  })

  it('aborts its signal when a person takes over, and lets nothing be added', async () => {
    const { id } = await waiting()
    const stream = await streamTo(id)
    stream.write('Your order ')
    await until(async () => (await shownIn(id))[0] === 'Your order ')
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'I take it' })
    stream.write('is')
    await until(() => stream.signal.aborted)
    expect(stream.signal.reason).toBeInstanceOf(StreamEnded)
    expect(() => stream.write('x')).toThrow(StreamEnded)
    await expect(stream.finish()).rejects.toThrow(StreamEnded)
  })

  it('goes on with nothing that an earlier run has finished, and begins anew what it has left', async () => {
    const { id } = await waiting()
    const own = fixture.clock.newId()
    const first = await streamTo(id, { id: own })
    first.write('half')
    await until(async () => (await shownIn(id))[0] === 'half')
    const second = await streamTo(id, { id: own })
    second.write('whole')
    await second.finish()
    expect(texts(await fixture.show(id))).toEqual(['hello', 'half', 'whole'])
    const third = await streamTo(id, { id: second.id })
    third.write('again')
    await third.finish()
    expect(texts(await fixture.show(id))).toHaveLength(3)
    await first.stop()
  })

  it('is stopped with what was shown', async () => {
    const { id } = await waiting()
    const stream = await streamTo(id)
    stream.write('Your')
    await until(async () => (await shownIn(id))[0] === 'Your')
    await stream.stop()
    expect(texts(await fixture.show(id))).toEqual(['hello', 'Your'])
    const untouched = await streamTo(id)
    await untouched.stop()
    expect(await shownIn(id)).toEqual([])
  })
})

describe('what is written', () => {
  const part = (offset: number, text: string, ending: string | null = null) => ({
    messageId: 'm',
    offset,
    text,
    ending,
  })
  it.each<[string, ReturnType<typeof part>[], string | undefined]>([
    ['grows', [part(0, 'ab'), part(2, 'cd')], 'abcd'],
    ['is not changed by a repeat', [part(0, 'abcd'), part(1, 'bc')], 'abcd'],
    ['takes what is new of a repeat', [part(0, 'ab'), part(0, 'abcd')], 'abcd'],
    ['waits for the whole after a gap', [part(0, 'ab'), part(3, 'd')], 'ab'],
    ['stays at its end until its message comes', [part(0, 'ab'), part(2, '', 'DONE')], 'ab'],
    ['goes at its end if nothing was shown', [part(0, ''), part(0, '', 'STOPPED')], undefined],
  ])('%s', (_, parts, text) => {
    const written = parts.reduce<Written>(withPart, new Map())
    expect(written.get('m')?.text).toBe(text)
  })
})

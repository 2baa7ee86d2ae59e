import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ServerResponse } from 'node:http'
import { until } from '../../support/until.js'
import { lines, startAgentFixture, type AgentFixture } from './agent-fixture.js'
import { begin, end, refuse, says, saysInPieces, startModel, write, type ModelStandIn } from './model-stand-in.js'

const QUESTION = 'How long does delivery take?'
const ANSWER = 'Drie werkdagen, café 👍🏽 inbegrepen. 我们三天送到。'

let app: AgentFixture
let model: ModelStandIn
beforeAll(async () => {
  app = await startAgentFixture()
  model = await startModel()
})
afterEach(() => {
  model.requests.length = 0
  model.aborted = 0
})
afterAll(async () => {
  await model.close()
  await app.close()
})

const ended = (id: string) =>
  until(
    () => app.shown(id),
    (all) => all.some(({ type, role, ending }) => type === 'COMMAND' || (role === 'AGENT' && ending === null)),
  )

/** Asks it, and waits until it has answered or handed over. @returns what was written, without the commands */
async function ask(behaviour: ModelStandIn['behaviour'], more: { answerMs?: number } = {}): Promise<string[]> {
  model.behaviour = behaviour
  const { url, key } = model
  let written: string[] = []
  const errors = await app.during(
    async () => {
      const id = await app.asks(QUESTION)
      await ended(id)
      await app.isIdle()
      written = lines((await app.shown(id)).filter(({ type }) => type === 'CHAT'))
    },
    { model: { url, key, name: 'stand-in', ...more } },
  )
  expect(errors).toEqual([])
  expect(written.shift()).toBe(`contact: ${QUESTION}`)
  return written
}

describe('the example agent with a model', () => {
  it('is asked as the published contract has it, with article and question as data', async () => {
    expect(await ask(says(ANSWER))).toEqual([`agent: ${ANSWER}`])
    const [request] = model.requests
    expect(request).toMatchObject({ model: 'stand-in', stream: true, messages: [{ role: 'system' }, { role: 'user' }] })
    expect(JSON.parse(request!.messages[1]!.content)).toMatchObject({
      question: QUESTION,
      article: { title: QUESTION, body: expect.stringContaining('within three working days') },
    })
    expect(request!.messages[0]!.content).not.toContain(QUESTION)
  })

  it('says every character once, though pieces end within characters and tokens within emoji', async () => {
    expect(await ask(saysInPieces(ANSWER))).toEqual([`agent: ${ANSWER}`])
  })

  it('begins with what was held back while it might have been the word for not knowing', async () => {
    expect(await ask(says('UN has three working days.'))).toEqual(['agent: UN has three working days.'])
  })

  it.each(['UNKNOWN', ' UNKNOWN.', 'UNKNOWN. The article does not mention paint.'])(
    'hands over what the model does not know, and shows nothing: %j',
    async (said) => {
      expect(await ask(says(said))).toEqual([
        `note: The article does not say it. The question: ${QUESTION}\nThe article: ${QUESTION}`,
      ])
    },
  )

  it.each([429, 500, 503])('asks again a model that answers %i, after the time that it names', async (status) => {
    const answer = await ask((response) => {
      if (model.requests.length === 1) refuse(response, status, 'busy', { 'retry-after': '1' })
      else void says(ANSWER)(response)
    })
    expect([answer, model.requests.length]).toEqual([[`agent: ${ANSWER}`], 2])
  })

  it.each([
    [401, 1],
    [500, 3],
  ])('hands over if it goes on to answer %i', async (status, times) => {
    const [note, ...more] = await ask((response) => refuse(response, status, 'no'))
    expect([note, more]).toEqual([expect.stringContaining(`note: The model failed: it answered ${status}.`), []])
    expect(model.requests).toHaveLength(times)
  })

  it('hands over what the model broke off, below what was shown', async () => {
    const error = JSON.stringify({ error: { message: 'The server had an error', code: 429 } })
    const ends: ((response: ServerResponse) => unknown)[] = [
      (response) => response.end(`data: ${error}\n\n`),
      (response) => response.destroy(),
      (response) => response.end(),
      (response) => response.end('data: {"choices": [\n\n'),
    ]
    for (const breakOff of ends) {
      const written = await ask(async (response) => {
        begin(response)
        write(response, 'Three working')
        // It breaks off once this is shown.
        await until(async () => response.destroyed || (await app.anyStreaming()).includes('Three working'))
        breakOff(response)
      })
      expect(written).toEqual(['agent: Three working (STOPPED)', expect.stringContaining('note: The model failed: ')])
    }
  })

  it('hands over an answer that was too long for the model', async () => {
    const written = await ask(async (response) => {
      begin(response)
      write(response, 'Three working')
      await until(async () => response.destroyed || (await app.anyStreaming()).includes('Three working'))
      end(response, 'length')
    })
    expect(written).toEqual(['agent: Three working (STOPPED)', expect.stringContaining('its answer is too long')])
  })

  it('hands over what a model does not end, in time, and lets go of it', async () => {
    const written = await ask(
      (response) => {
        begin(response)
        const timer = setInterval(() => write(response, 'and '), 50)
        response.once('close', () => clearInterval(timer))
      },
      { answerMs: 1_500 },
    )
    expect(written).toEqual([
      expect.stringMatching(/^agent: and .*\(STOPPED\)$/),
      expect.stringContaining('note: The model failed: '),
    ])
    await until(() => model.aborted === 1)
  })

  it('lets go of a model whose answer somebody has stopped, and does not begin it anew', async () => {
    model.behaviour = (response) => {
      begin(response)
      write(response, 'Three ')
    }
    const { url, key } = model
    const errors = await app.during(
      async () => {
        const id = await app.asks(QUESTION)
        await until(async () => (await app.streaming(id)).includes('Three '))
        const query = 'query ($id: ID!) { conversation(id: $id) { streams { id } } }'
        const { value } = await app.run<{ streams: { id: string }[] }>(app.ann, query, { id })
        await app.run(app.ann, 'mutation ($id: ID!) { stopMessage(id: $id) { id } }', value.streams[0])
        await until(() => model.aborted === 1)
        await app.isIdle()
        expect(lines(await app.shown(id)).slice(1)).toEqual(['agent: Three  (STOPPED)'])
      },
      { model: { url, key, name: 'stand-in' } },
    )
    expect([errors, model.requests.length]).toEqual([[], 1])
  })
})

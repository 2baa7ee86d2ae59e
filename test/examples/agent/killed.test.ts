import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../../support/until.js'
import { lines, startAgentFixture, type AgentFixture } from './agent-fixture.js'
import { begin, says, startModel, write, type ModelStandIn } from './model-stand-in.js'

const QUESTION = 'How long does delivery take?'
const ANSWER = 'Three working days.'
/** Events that were taken come again after this time, and a stream to which nothing is added is lost. */
const LEASE_MS = 61_000

let app: AgentFixture
let model: ModelStandIn
let victim: ChildProcess | undefined
beforeAll(async () => {
  app = await startAgentFixture()
  model = await startModel()
})
afterEach(() => {
  model.requests.length = 0
})
afterAll(async () => {
  victim?.kill('SIGKILL')
  await model.close()
  await app.close()
})

/** Runs `npm run agent`, without its build. */
function startVictim(): void {
  const { serverUrl: SERVER_URL, token: BOT_TOKEN, service: SERVICE } = app.options
  const env = { ...process.env, SERVER_URL, BOT_TOKEN, SERVICE, MODEL_URL: model.url, MODEL_KEY: model.key }
  victim = spawn(
    process.execPath,
    ['--conditions=@switchboard/source', 'test/support/typescript-process.mjs', 'examples/agent/main.ts'],
    { env, stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

async function kill(): Promise<void> {
  victim!.kill('SIGKILL')
  await once(victim!, 'close')
  victim = undefined
}

const answersIn = async (id: string): Promise<string[]> =>
  lines((await app.shown(id)).filter(({ role, type }) => role === 'AGENT' && type === 'CHAT'))

/** Runs another process' worth of the agent until nothing is left to do. */
async function goOn(): Promise<void> {
  model.behaviour = says(ANSWER)
  app.clock.advance(LEASE_MS)
  const { url, key } = model
  expect(await app.during(async () => void (await app.isIdle()), { model: { url, key, name: 'stand-in' } })).toEqual([])
}

describe('the example agent, killed', () => {
  it('in the middle of a stream, leaves what was shown, and gives the whole answer once', async () => {
    model.behaviour = (response) => {
      begin(response)
      write(response, 'Three wor')
    }
    startVictim()
    const id = await app.asks(QUESTION)
    await until(async () => (await app.streaming(id)).includes('Three wor'))
    await kill()
    await goOn()
    expect(await answersIn(id)).toEqual([
      expect.stringMatching(/^agent: Three wor \((LOST|STOPPED)\)$/),
      `agent: ${ANSWER}`,
    ])
  })

  it('in the middle of an event, before it has said anything, answers it once', async () => {
    model.behaviour = () => undefined
    startVictim()
    const id = await app.asks(QUESTION)
    await until(() => model.requests.length === 1)
    await kill()
    await goOn()
    expect(await answersIn(id)).toEqual([`agent: ${ANSWER}`])
  })

  it('after its answer, before it has proposed the category, says nothing twice', async () => {
    // It stops where its answer ends: what comes after that is under way when it is killed.
    model.behaviour = says(ANSWER)
    startVictim()
    const id = await app.asks(QUESTION)
    await until(async () => (await answersIn(id)).includes(`agent: ${ANSWER}`))
    await kill()
    await goOn()
    expect(await answersIn(id)).toEqual([`agent: ${ANSWER}`])
    await until(
      () => app.proposals(id),
      (all) => all.length === 1,
    )
  })

  it('in the middle of a second answer, loses no question: it answers, or people are to', async () => {
    model.behaviour = says(ANSWER)
    startVictim()
    const id = await app.asks(QUESTION)
    await until(async () => (await answersIn(id)).includes(`agent: ${ANSWER}`))
    await app.isIdle()
    model.behaviour = (response) => {
      begin(response)
      write(response, 'By lor')
    }
    await app.says(id, 'And how long does delivery of boats take?')
    await until(async () => (await app.streaming(id)).includes('By lor'))
    await kill()
    await goOn()
    const all = await answersIn(id)
    const isAnswered = all.filter((line) => line === `agent: ${ANSWER}`).length === 2
    expect(isAnswered || (await app.show(id)).status === 'QUEUED').toBe(true)
    expect(all.length).toBeLessThanOrEqual(3)
  })
})

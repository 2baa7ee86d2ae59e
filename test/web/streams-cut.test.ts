import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { BrowserContext, Locator, Page, WebSocketRoute } from 'playwright-core'
import { freePort } from '../../bench/chaos/free-port.js'
import { Victim } from '../../bench/chaos/victim.js'
import { until } from '../support/until.js'
import { botsOf } from './support/bots.js'
import { describeInBrowser } from './support/in-browser.js'
import { signIn } from './support/office.js'
import { listenAloud, saidAloud } from './support/said-aloud.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

const WORDS = ['It left ', 'the harbour ', 'yesterday, ', 'and arrives ', 'tomorrow.'] as const
const WHOLE = WORDS.join('')
/** An author that is alive says so, however long the pages take. */
const ALIVE_MS = 1_000

/** A page that reads, and its connection. */
interface Reader {
  page: Page
  context: BrowserContext
  log: Locator
  cut(): Promise<void>
  mend(): Promise<void>
}

describeInBrowser('an answer that grows while its readers are cut off', (world) => {
  /** The node of the readers; the author writes at the other one. */
  let victim: Victim
  let url: string
  let service: string
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const env = {
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_PER_SECOND: '5000',
      GRAPHQL_COST_PER_MINUTE: '100000000',
      DATABASE_URL: world.office.databaseUrl,
    }
    victim = new Victim('test/support/node-process.mjs', env, `${url}/readyz`)
    await victim.start()
    service = await makeWebService(world.office)
  })
  afterAll(() => victim.kill())

  /** Opens a page whose sockets can be cut. */
  async function open(path: string, prepare: (page: Page) => Promise<Locator>): Promise<Reader> {
    const { page, context } = await world.open('about:blank')
    const sockets = new Set<WebSocketRoute>()
    await page.routeWebSocket('**/graphql', (socket) => {
      socket.connectToServer()
      sockets.add(socket)
    })
    await listenAloud(page)
    await page.goto(url + path)
    const log = await prepare(page)
    return {
      page,
      context,
      log,
      async cut() {
        await context.setOffline(true)
        await Promise.all([...sockets].map((socket) => socket.close()))
        sockets.clear()
      },
      mend: () => context.setOffline(false),
    }
  }

  /** Opens a widget and a console that read one conversation. */
  async function openBoth(question: string): Promise<{ id: string; readers: Reader[] }> {
    const visitor = await open(`/widget/demo?service=${service}`, async (page) => {
      const widget = widgetOf(page)
      await widget.open()
      await widget.say(question)
      return widget.log
    })
    const { id } = await agentViewOf(world.office, question)
    const agent = await open('/console', async (page) => {
      await signIn(page, world.office.ann)
      await page.goto(`${url}/console/c/${id}`)
      const log = page.getByRole('log')
      await log.getByText(question).waitFor()
      return log
    })
    return { id, readers: [visitor, agent] }
  }

  /** Begins an answer, whose author is there until it is finished. */
  async function begin(conversation: string) {
    const { run } = botsOf(world.office)
    const { bot } = world.office
    const { id } = await run(
      bot,
      'mutation ($c: ID!, $m: MessageInput!) { beginMessage(conversation: $c, message: $m) { id } }',
      { c: conversation, m: { role: 'AGENT' } },
    )
    let length = 0
    let last: Promise<unknown> = Promise.resolve()
    const add = (text: string): Promise<unknown> =>
      (last = last.then(async () => {
        const append =
          'mutation ($id: ID!, $offset: Int!, $text: String!) { appendMessage(id: $id, offset: $offset, text: $text) }'
        length = await run(bot, append, { id, offset: length, text })
      }))
    const alive = setInterval(() => void add('').catch(() => undefined), ALIVE_MS)
    return {
      add,
      async finish() {
        clearInterval(alive)
        await last
        await run(bot, 'mutation ($id: ID!, $n: Int!) { finishMessage(id: $id, length: $n) { id } }', { id, n: length })
      },
    }
  }

  const bubbleOf = ({ log }: Reader): Locator => log.locator('[aria-busy=true]')

  /** Tells whether each reader has the answer once, and has heard once that it is coming, and once what it is. */
  async function expectWhole(readers: readonly Reader[]): Promise<void> {
    for (const reader of readers) {
      await bubbleOf(reader).waitFor({ state: 'detached' })
      await reader.log.getByText(WHOLE, { exact: true }).waitFor()
      expect(await reader.log.getByText(WHOLE).count()).toBe(1)
      expect(await saidAloud(reader.page, 'is answering')).toEqual([expect.stringContaining('Widget is answering')])
      const whole = await saidAloud(reader.page, WORDS[4])
      expect(whole).toEqual([expect.stringContaining(WHOLE)])
    }
  }

  const readersSee = (readers: readonly Reader[], text: string): Promise<unknown> =>
    Promise.all(readers.map((reader) => bubbleOf(reader).getByText(text).waitFor()))

  /** Begins an answer, of which both readers see the first words and have heard that it comes. */
  async function answering(question: string) {
    const { id, readers } = await openBoth(question)
    const answer = await begin(id)
    await answer.add(WORDS[0])
    await readersSee(readers, WORDS[0].trim())
    for (const { page } of readers) await until(async () => (await saidAloud(page, 'is answering')).length > 0)
    return { readers, answer }
  }

  /** Goes on after words that the readers missed, to the end. */
  async function goOn({ readers, answer }: Awaited<ReturnType<typeof answering>>): Promise<void> {
    await readersSee(readers, 'It left the harbour yesterday,')
    await answer.add(WORDS[3])
    await readersSee(readers, 'It left the harbour yesterday, and arrives')
    await answer.add(WORDS[4])
    await answer.finish()
  }

  it('is whole after a cut, and is said aloud once', async () => {
    const begun = await answering('Where is my order, after a cut?')
    const { readers, answer } = begun
    for (const reader of readers) await reader.cut()
    await answer.add(WORDS[1])
    await answer.add(WORDS[2])
    for (const reader of readers) await reader.mend()
    await goOn(begun)
    await expectWhole(begun.readers)
  })

  it('is whole when it was finished during the cut', async () => {
    const { readers, answer } = await answering('Where is my order, before long?')
    for (const reader of readers) await reader.cut()
    for (const word of WORDS.slice(1)) await answer.add(word)
    await answer.finish()
    for (const reader of readers) await reader.mend()
    await expectWhole(readers)
  })

  it("is whole after its readers' node was killed, and is said aloud once", async () => {
    const begun = await answering('Where is my order, after that?')
    await victim.kill()
    await begun.answer.add(WORDS[1])
    await begun.answer.add(WORDS[2])
    await victim.start()
    await goOn(begun)
    await expectWhole(begun.readers)
  })
})

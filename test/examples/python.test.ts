import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { isInstalled, MUST_RUN_ALL } from '../support/programs.js'
import { until } from '../support/until.js'

/** Debian's own, for which python3-websockets is installed. */
const PYTHON = '/usr/bin/python3'
const hasWebsockets = isInstalled(PYTHON) && spawnSync(PYTHON, ['-c', 'import websockets']).status === 0
if (!hasWebsockets && MUST_RUN_ALL) throw new Error('REQUIRE_ALL_SUITES is set, but there is no python3-websockets')
const describeIfThere = hasWebsockets ? describe : describe.skip

// The client of docs/guide/wire.md.
describeIfThere('examples/watch_queue.py', () => {
  let app: ConversationFixture
  let client: ChildProcess | null = null
  let shown: { event: string; waiting: string[] }[] = []
  let said = ''
  let status: number | null = null
  beforeAll(async () => {
    app = await startConversationFixture()
    await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    client?.kill()
    cut()
    wire.close()
    await app.close()
  })

  /** A network between the two that is cut. */
  const ends = new Set<Socket>()
  const wire = createServer((one) => {
    const other = connect(app.server.port, '127.0.0.1')
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      ends.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  const cut = (): void => {
    for (const end of ends) end.destroy()
    ends.clear()
  }

  function run(token: string): void {
    shown = []
    status = null
    said = ''
    const env = { ...process.env, SERVER_URL: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`, TOKEN: token }
    client = spawn(PYTHON, ['examples/watch_queue.py'], { env })
    let text = ''
    client.stdout!.on('data', (chunk: Buffer) => {
      text += String(chunk)
      const lines = text.split('\n')
      text = lines.pop()!
      shown.push(...lines.map((line) => JSON.parse(line)))
    })
    client.stderr!.on('data', (chunk: Buffer) => (said += String(chunk)))
    // Not 'exit': what it said last may come later.
    client.on('close', (code) => (status = code))
  }
  const waiting = (): string[] | undefined => shown.at(-1)?.waiting
  const queue = async (text: string): Promise<string> =>
    (await app.create({ messages: [{ role: 'CONTACT', text }] })).id

  it('keeps the queue, also over a cut, without a second snapshot', async () => {
    await queue('first')
    run(await app.tokenFor(app.ann))
    await until(() => waiting()?.includes('first'))
    expect(shown.map(({ event }) => event)).toEqual(['QueueSnapshot'])
    const second = await queue('second')
    await until(() => waiting()?.includes('second'))
    cut()
    await queue('third')
    await app.command(app.ben, second, '/accept')
    await until(() => waiting()?.includes('third') && !waiting()!.includes('second'))
    expect(shown.filter(({ event }) => event === 'QueueSnapshot')).toHaveLength(1)
    client!.kill()
  })

  it('ends with the reason when it may not', async () => {
    run('nonsense')
    await until(() => status !== null)
    expect([status, said]).toEqual([1, expect.stringContaining('closed with 4403')])
  })
})

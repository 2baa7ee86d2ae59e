import { expect, it } from '@jest/globals'
import type { CDPSession, Page } from 'playwright-core'
import { describeInBrowser } from './support/in-browser.js'
import { signIn } from './support/office.js'

const WAITING = 50
/**
 * Budgets of a visit with an empty cache and of the next one: what goes over the wire, both ways, and exchanges that
 * wait for another.
 */
const BUDGETS = {
  'first visit': { bytes: 125_000, roundTrips: 10 },
  'next visit': { bytes: 35_000, roundTrips: 8 },
}

interface Exchange {
  name: string
  /** Seconds. */
  from: number
  to: number
}

interface Cost {
  requests: number
  bytes: number
  socketFrames: number
  socketBytes: number
  /** The longest sequence of exchanges of which each began when the one before it was over. */
  roundTrips: number
  ms: number
}

/** Counts what a page exchanges with the server. A subscription lasts until its first event. */
async function watch(session: CDPSession): Promise<(since: number) => Cost> {
  const exchanges = new Map<string, Exchange>()
  let [bytes, socketFrames, socketBytes] = [0, 0, 0]
  const begin = (id: string, name: string, from: number) => exchanges.set(id, { name, from, to: Number.NaN })
  const end = (id: string, to: number) => {
    const exchange = exchanges.get(id)
    if (exchange && Number.isNaN(exchange.to)) exchange.to = to
  }
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    begin(requestId, request.url, timestamp)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    // From the cache: nothing went over the wire.
    if (encodedDataLength === 0) exchanges.delete(requestId)
    bytes += encodedDataLength
    end(requestId, timestamp)
  })
  session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, timestamp }) => {
    begin(requestId, 'socket', timestamp)
  })
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, timestamp }) => end(requestId, timestamp))
  session.on('Network.webSocketFrameSent', ({ response, timestamp }) => {
    socketFrames++
    socketBytes += Buffer.byteLength(response.payloadData)
    const { type, id = 'connection' } = JSON.parse(response.payloadData) as { type: string; id?: string }
    if (['connection_init', 'subscribe'].includes(type)) begin(`frame ${id}`, `${type} ${id}`, timestamp)
  })
  session.on('Network.webSocketFrameReceived', ({ response, timestamp }) => {
    socketFrames++
    socketBytes += Buffer.byteLength(response.payloadData)
    const { id = 'connection' } = JSON.parse(response.payloadData) as { id?: string }
    end(`frame ${id}`, timestamp)
  })
  await session.send('Network.enable')
  return (since) => {
    const done = [...exchanges.values()].filter(({ to }) => !Number.isNaN(to)).toSorted((a, b) => a.to - b.to)
    let roundTrips = 0
    let last = 0
    for (const { from, to } of done) {
      if (from < last) continue
      roundTrips++
      last = to
    }
    const requests = done.filter(({ name }) => name.startsWith('http')).length
    return { requests, bytes, socketFrames, socketBytes, roundTrips, ms: Math.round(performance.now() - since) }
  }
}

describeInBrowser('the first screen of the console', (world) => {
  const measure = async (page: Page): Promise<Cost> => {
    const session = await page.context().newCDPSession(page)
    const costOf = await watch(session)
    const since = performance.now()
    await page.goto(`${world.office.url}/console`)
    await page.getByText(`${WAITING} waiting`, { exact: true }).first().waitFor()
    await page.getByRole('list', { name: 'Queue' }).getByRole('listitem').first().waitFor()
    const cost = costOf(since)
    await session.detach()
    return cost
  }

  it(`shows a queue of ${WAITING} within a budget of bytes and round trips`, async () => {
    for (let count = 0; count < WAITING; count++) await world.office.arrive(`Consumer ${count}`, `Question ${count}`)
    const { page, context } = await world.open('/console')
    await signIn(page, world.office.ann)
    const session = await context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await session.detach()
    const costs = { 'first visit': await measure(page), 'next visit': await measure(page) }
    process.stdout.write(`${JSON.stringify(costs, null, 2)}\n`)
    for (const [visit, { bytes, socketBytes, roundTrips }] of Object.entries(costs)) {
      const budget = BUDGETS[visit as keyof typeof BUDGETS]
      // A page that exchanged nothing was not measured.
      expect([visit, bytes + socketBytes > 1_000, roundTrips > 1]).toEqual([visit, true, true])
      expect(bytes + socketBytes).toBeLessThan(budget.bytes)
      expect(roundTrips).toBeLessThanOrEqual(budget.roundTrips)
    }
  })
})

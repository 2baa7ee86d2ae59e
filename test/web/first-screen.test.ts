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
  bytes: number
}

/** Keeps the time at which the queue was shown, in milliseconds since 1970. */
const KEEP_SHOWN_AT = `
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('.rows li') || !document.body.textContent.includes('${WAITING} waiting')) return
    observer.disconnect()
    globalThis.shownAt = performance.timeOrigin + performance.now()
  }).observe(document, { childList: true, subtree: true, characterData: true })`

interface Cost {
  requests: number
  bytes: number
  socketFrames: number
  socketBytes: number
  /** The longest sequence of exchanges of which each began when the one before it was over. */
  roundTrips: number
  ms: number
}

/**
 * Counts what a page exchanges with the server. A subscription lasts until its first event.
 * @returns what was exchanged by a time, in milliseconds since 1970: what comes after is loaded ahead, while nobody waits
 */
async function watch(session: CDPSession): Promise<(until: number) => Cost> {
  const exchanges = new Map<string, Exchange>()
  const frames: { at: number; bytes: number }[] = []
  /** Seconds between 1970 and the beginning of the other times. */
  let epoch = Number.NaN
  let beganAt = Number.NaN
  const begin = (id: string, name: string, from: number) => exchanges.set(id, { name, from, to: Number.NaN, bytes: 0 })
  const end = (id: string, to: number) => {
    const exchange = exchanges.get(id)
    if (exchange && Number.isNaN(exchange.to)) exchange.to = to
  }
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, wallTime }) => {
    if (Number.isNaN(epoch)) [epoch, beganAt] = [wallTime - timestamp, timestamp]
    begin(requestId, request.url, timestamp)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    // From the cache: nothing went over the wire.
    if (encodedDataLength === 0) exchanges.delete(requestId)
    const exchange = exchanges.get(requestId)
    if (exchange) exchange.bytes = encodedDataLength
    end(requestId, timestamp)
  })
  session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, timestamp }) => {
    begin(requestId, 'socket', timestamp)
  })
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, timestamp }) => end(requestId, timestamp))
  session.on('Network.webSocketFrameSent', ({ response, timestamp }) => {
    frames.push({ at: timestamp, bytes: Buffer.byteLength(response.payloadData) })
    const { type, id = 'connection' } = JSON.parse(response.payloadData) as { type: string; id?: string }
    if (['connection_init', 'subscribe'].includes(type)) begin(`frame ${id}`, `${type} ${id}`, timestamp)
  })
  session.on('Network.webSocketFrameReceived', ({ response, timestamp }) => {
    frames.push({ at: timestamp, bytes: Buffer.byteLength(response.payloadData) })
    const { id = 'connection' } = JSON.parse(response.payloadData) as { id?: string }
    end(`frame ${id}`, timestamp)
  })
  await session.send('Network.enable')
  return (until) => {
    const last = until / 1_000 - epoch
    const done = [...exchanges.values()].filter(({ to }) => to <= last).toSorted((a, b) => a.to - b.to)
    const told = frames.filter(({ at }) => at <= last)
    let roundTrips = 0
    let overAt = 0
    for (const { from, to } of done) {
      if (from < overAt) continue
      roundTrips++
      overAt = to
    }
    return {
      requests: done.filter(({ name }) => name.startsWith('http')).length,
      bytes: sum(done),
      socketFrames: told.length,
      socketBytes: sum(told),
      roundTrips,
      ms: Math.round((last - beganAt) * 1_000),
    }
  }
}

const sum = (all: readonly { bytes: number }[]): number => all.reduce((total, { bytes }) => total + bytes, 0)

describeInBrowser('the first screen of the console', (world) => {
  const measure = async (page: Page): Promise<Cost> => {
    const session = await page.context().newCDPSession(page)
    const costOf = await watch(session)
    await page.goto(`${world.office.url}/console`)
    await page.getByText(`${WAITING} waiting`, { exact: true }).first().waitFor()
    await page.getByRole('list', { name: 'Queue' }).getByRole('listitem').first().waitFor()
    const cost = costOf(await page.evaluate<number>('shownAt'))
    await session.detach()
    // What it has loaded is kept for the next visit.
    await page.waitForLoadState('networkidle')
    return cost
  }

  it(`shows a queue of ${WAITING} within a budget of bytes and round trips`, async () => {
    for (let count = 0; count < WAITING; count++) await world.office.arrive(`Consumer ${count}`, `Question ${count}`)
    const { page, context } = await world.open('/console')
    await signIn(page, world.office.ann)
    const session = await context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await session.detach()
    await page.addInitScript(KEEP_SHOWN_AT)
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

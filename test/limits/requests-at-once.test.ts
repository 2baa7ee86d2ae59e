import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { mock } from 'node:test'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { RequestsAtOnce } from '../../src/platform/limits/requests-at-once.js'

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()))
const isCut = ({ req }: ServerResponse): boolean => req.socket.destroyed
const closed = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    raw.once('close', resolve)
    raw.destroy()
  })

let now = 0

/** Lets time pass in which the request's connection sends so much. */
function send(raw: ServerResponse, bytes: number, seconds = 0): void {
  Object.defineProperty(raw.req.socket, 'bytesRead', { value: raw.req.socket.bytesRead + bytes, configurable: true })
  now += seconds * 1_000
  if (seconds > 0) mock.timers.tick(seconds * 1_000)
}

function fakeTime(): void {
  mock.timers.enable({ apis: ['setInterval'] })
  jest.spyOn(performance, 'now').mockImplementation(() => now)
}

afterEach(() => {
  mock.timers.reset()
  jest.restoreAllMocks()
})

describe('concurrent requests of a kind', () => {
  it('are counted until their connections close', async () => {
    const atOnce = new RequestsAtOnce({ total: 1, address: 1 })
    const first = response()
    atOnce.enter({ raw: first }, { address: '192.0.2.1' })
    expect(() => atOnce.enter({ raw: response() }, { address: '192.0.2.2' })).toThrow('too many concurrent requests')
    await closed(first)
    atOnce.enter({ raw: response() }, { address: '192.0.2.2' })
  })

  it('leave no place taken if they closed before they were counted', async () => {
    const atOnce = new RequestsAtOnce({ total: 1, address: 1 })
    const gone = response()
    await closed(gone)
    atOnce.enter({ raw: gone }, { address: '192.0.2.1' })
    expect(() => atOnce.enter({ raw: response() }, { address: '192.0.2.1' })).not.toThrow()
  })

  it('of one organization leave places to others', () => {
    const atOnce = new RequestsAtOnce({ total: 2, organization: 1, address: 2 })
    atOnce.enter({ raw: response() }, { address: '192.0.2.1', organization: 'a' })
    expect(() => atOnce.enter({ raw: response() }, { address: '192.0.2.1', organization: 'a' })).toThrow('too many')
    atOnce.enter({ raw: response() }, { address: '192.0.2.1', organization: 'b' })
  })

  it('of which the slowest of who holds the most ends for the next one', async () => {
    const atOnce = new RequestsAtOnce({ total: 5, organization: 4, address: 3 })
    const [slow, fast, third, other, newest] = Array.from({ length: 5 }, response)
    for (const raw of [fast, slow, third]) atOnce.enter({ raw: raw! }, { address: '2001:db8::1', organization: 'a' })
    for (const raw of [fast, third]) Object.defineProperty(raw!.req.socket, 'bytesRead', { value: 100_000 })
    atOnce.enter({ raw: other! }, { address: '192.0.2.2', organization: 'a' })
    atOnce.enter({ raw: newest! }, { address: '192.0.2.3', organization: 'b' })
    // Its network, a /64, has its share.
    expect(() => atOnce.enter({ raw: response() }, { address: '2001:db8::2', organization: 'b' })).toThrow('too many')
    expect([fast, slow, third, other, newest].some((raw) => isCut(raw!))).toBe(false)
    // All places of the organization and of all are taken: one end makes room for both.
    atOnce.enter({ raw: response() }, { address: '192.0.2.4', organization: 'a' })
    expect([fast, slow, third, other, newest].map((raw) => isCut(raw!))).toEqual([false, true, false, false, false])
    await closed(slow!)
    // The place counts once, and who holds two keeps them for the one that would then hold as many.
    expect(() => atOnce.enter({ raw: response() }, { address: '192.0.2.4', organization: 'c' })).toThrow('too many')
  })

  it('end for nobody at once if each network holds one', () => {
    const atOnce = new RequestsAtOnce({ total: 2, address: 2 })
    const both = [response(), response()]
    for (const [at, raw] of both.entries()) atOnce.enter({ raw }, { address: `192.0.2.${at}` })
    expect(() => atOnce.enter({ raw: response() }, { address: '192.0.2.9' })).toThrow('too many concurrent requests')
    expect(both.some(isCut)).toBe(false)
  })

  it('of one caller in several networks are counted together', () => {
    const atOnce = new RequestsAtOnce({ total: 3, address: 3, caller: 3 })
    const others = [response(), response()]
    for (const [at, raw] of others.entries()) atOnce.enter({ raw }, { address: `192.0.2.${at}`, caller: 'guest' })
    const single = response()
    atOnce.enter({ raw: single }, { address: '192.0.2.8', caller: 'another' })
    atOnce.enter({ raw: response() }, { address: '192.0.2.9', caller: 'a third' })
    expect(others.filter(isCut)).toHaveLength(1)
    expect(isCut(single)).toBe(false)
  })

  it.each([
    ['a /56', (at: number) => `2001:db8:0:${at.toString(16)}::1`],
    ['a /48', (at: number) => `2001:db8:0:${at.toString(16)}00::1`],
    ['a /24', (at: number) => `198.51.100.${at}`],
  ])('of networks within %s are counted together', (_, addressOf) => {
    const atOnce = new RequestsAtOnce({ total: 6, address: 2 })
    const single = response()
    atOnce.enter({ raw: single }, { address: '203.0.113.1' })
    const attack = Array.from({ length: 5 }, response)
    for (const [at, raw] of attack.entries()) atOnce.enter({ raw }, { address: addressOf(at + 1) })
    // As if the only one beside them were the slowest.
    for (const raw of attack) send(raw, 1_000)
    expect(() => atOnce.enter({ raw: response() }, { address: addressOf(9) })).toThrow('too many concurrent requests')
    const two = [response(), response()]
    for (const raw of two) atOnce.enter({ raw }, { address: '192.0.2.1' })
    expect(attack.filter(isCut)).toHaveLength(2)
    // A network that holds two keeps them as well.
    expect(() => atOnce.enter({ raw: response() }, { address: addressOf(9) })).toThrow('too many concurrent requests')
    expect([single, ...two].some(isCut)).toBe(false)
  })

  it('end if they have been slow for some time, for who holds fewer', () => {
    fakeTime()
    const atOnce = new RequestsAtOnce({ total: 4, address: 2 })
    const all = Array.from({ length: 4 }, response)
    for (const [at, raw] of all.entries()) atOnce.enter({ raw }, { address: `192.0.${at}.1` })
    const [steady, complete, slower, slow] = all as [ServerResponse, ServerResponse, ServerResponse, ServerResponse]
    const enter = (address: string): void => atOnce.enter({ raw: response() }, { address })
    complete.req.complete = true
    // Much at first.
    send(slower, 2_000_000, 9)
    expect(() => enter('203.0.113.1')).toThrow('too many concurrent requests')
    for (let times = 0; times < 3; times += 1) {
      send(slow, 100_000)
      send(slower, 20_000)
      send(steady, 200_000, 10)
    }
    // Their own networks hold no fewer.
    for (const address of ['192.0.0.1', '192.0.0.9']) {
      expect(() => enter(address)).toThrow('too many concurrent requests')
    }
    enter('203.0.113.1')
    expect(all.map(isCut)).toEqual([false, false, true, false])
    // One prefix gets no second one so.
    expect(() => enter('203.0.113.2')).toThrow('too many concurrent requests')
    enter('198.51.100.1')
    expect(all.map(isCut)).toEqual([false, false, true, true])
    expect(() => enter('198.18.0.1')).toThrow('too many concurrent requests')
  })
})

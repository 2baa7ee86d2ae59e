import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { RequestsAtOnce } from '../../src/limits/requests-at-once.js'

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()))
const closed = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    raw.once('close', resolve)
    raw.destroy()
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
})

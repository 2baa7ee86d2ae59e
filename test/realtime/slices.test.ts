import { describe, expect, it } from '@jest/globals'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { LoopTurns } from '../../src/platform/fairness/loop-turns.js'
import { endInTurn } from '../../src/api/realtime/end-in-turn.js'
import { MessageOrder } from '../../src/api/realtime/message-order.js'

const SOCKETS = 20
const WORK_MS = 1

function work(): void {
  const end = performance.now() + WORK_MS
  while (performance.now() < end);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => void setImmediate(resolve))
}

describe('what many sockets do in one turn of the event loop', () => {
  it('leaves others their turn: the messages that they begin with', async () => {
    const turns = new LoopTurns()
    let handled = 0
    for (let socket = 0; socket < SOCKETS; socket += 1) {
      new MessageOrder(turns).run(() => {
        work()
        handled += 1
      })
    }
    expect(handled).toBeLessThan(3)
    await until(() => handled === SOCKETS)
  })

  it('leaves others their turn: that they end', async () => {
    const turns = new LoopTurns()
    const handled: string[] = []
    for (let id = 0; id < SOCKETS; id += 1) {
      const socket = new EventEmitter() as Socket
      socket.on('end', () => handled.push(`our own end of ${id}`))
      for (const event of ['end', 'close']) {
        socket.on(event, function (this: unknown) {
          work()
          expect(this).toBe(socket)
          handled.push(`${event} of ${id}`)
        })
      }
      endInTurn(socket, turns)
      socket.emit('end')
      socket.emit('close')
    }
    expect(handled.length).toBeLessThan(SOCKETS + 3)
    await until(() => handled.length === 3 * SOCKETS)
    for (let id = 0; id < SOCKETS; id += 1) {
      expect(handled.indexOf(`end of ${id}`)).toBeLessThan(handled.indexOf(`close of ${id}`))
    }
  })
})

describe("a socket's messages", () => {
  it('are handled in order while the first ones wait, and at once afterwards', async () => {
    const turns = new LoopTurns()
    const handled: number[] = []
    const order = new MessageOrder(turns)
    // Others are ahead.
    for (let other = 0; other < 5; other += 1) turns.run(work)
    for (let message = 0; message < 5; message += 1) order.run(() => handled.push(message))
    expect(handled).toEqual([])
    await until(() => handled.length === 5)
    expect(handled).toEqual([0, 1, 2, 3, 4])
    for (let other = 0; other < 5; other += 1) turns.run(work)
    order.run(() => handled.push(5))
    expect(handled).toEqual([0, 1, 2, 3, 4, 5])
  })
})

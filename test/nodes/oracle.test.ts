import { describe, expect, it } from '@jest/globals'
import { judge, Log } from '../../bench/chaos/oracle.js'
import { writeCursor } from '../../src/platform/events/cursor.js'

const STREAM = 7
/** Five events of a conversation, of which the second shows nothing. */
const types = ['message.added', 'conversation.created', 'message.added', 'participants.changed', 'message.added']
const log = new Log(new Map([[STREAM, new Map(types.map((type, index) => [index + 1, type]))]]))

function judged(...seen: [type: string, number: number][]) {
  const events = seen.map(([type, number]) => {
    return { type, cursor: writeCursor(new Map([[STREAM, { number, tag: 1 }]])) }
  })
  const { missed, repeated, disordered, resyncs } = judge(log, {
    seen: events,
    view: { counts: { snapshots: 1, repeated: 0, outOfStep: 0 } } as never,
  })
  return { missed, repeated, disordered, resyncs }
}

describe("the chaos harness's oracle", () => {
  const right = { missed: 0, repeated: 0, disordered: 0, resyncs: 0 }
  const first: [string, number] = ['ConversationSnapshot', 0]
  const rest: [string, number][] = [
    ['ParticipantsChanged', 4],
    ['MessageAdded', 5],
  ]

  it('reports nothing in a correct run', () => {
    expect(judged(first, ['MessageAdded', 1], ['MessageAdded', 3], ...rest)).toEqual(right)
    expect(judged(['ConversationSnapshot', 3], ...rest)).toEqual(right)
  })

  it('finds missing events, in between and at the end', () => {
    expect(judged(first, ['MessageAdded', 3], ...rest)).toMatchObject({ missed: 1, repeated: 0 })
    expect(judged(first, ['MessageAdded', 1], ['MessageAdded', 3])).toMatchObject({ missed: 2 })
  })

  it('finds duplicates, late events, and events that differ from the log', () => {
    const upTo: [string, number][] = [first, ['MessageAdded', 1], ['MessageAdded', 3]]
    expect(judged(...upTo, ['MessageAdded', 3], ...rest)).toMatchObject({ missed: 0, repeated: 1 })
    expect(judged(...upTo, ['MessageAdded', 1], ...rest)).toMatchObject({ disordered: 1 })
    expect(judged(...upTo, ['MessageAdded', 4], ['MessageAdded', 5])).toMatchObject({ missed: 1 })
  })

  it('reports snapshots that replaced events', () => {
    expect(judged(first, ['MessageAdded', 1], ['ConversationSnapshot', 4], ['MessageAdded', 5])).toMatchObject({
      resyncs: 1,
    })
  })
})

import { expect, it } from '@jest/globals'
import pino from 'pino'
import { AccessChangeListeners } from '../../src/platform/access/access-changes.js'
import { AccessBroadcast } from '../../src/platform/events/access-broadcast.js'
import { Dispatcher, type Ephemeral, type HintReceiver } from '../../src/platform/events/dispatcher.js'

it('tells every other node of a change of access, once, and asks the database nothing', async () => {
  const nodes: { receiver: HintReceiver; heard: string[]; changes: AccessChangeListeners }[] = []
  const wanted: string[] = []
  const sent: Ephemeral[] = []
  for (const index of [0, 1, 2]) {
    const hints = {
      publish: () => undefined,
      publishEphemeral(event: Ephemeral) {
        sent.push(event)
        for (const [at, { receiver }] of nodes.entries()) if (at !== index) receiver.ephemeral(event)
      },
      want: (stream: string) => void wanted.push(stream),
      unwant: () => undefined,
      connect: () => undefined,
      close: async () => undefined,
    }
    const query = () => Promise.reject(new Error('the database is asked'))
    const dispatcher = new Dispatcher({ sql: { query }, log: pino({ level: 'silent' }), hints })
    const changes = new AccessChangeListeners()
    const heard: string[] = []
    changes.add(new AccessBroadcast(dispatcher, changes))
    changes.add({ userChanged: (user) => void heard.push(user) })
    nodes.push({ receiver: dispatcher, heard, changes })
    expect(dispatcher.watchedCount).toBe(0)
  }
  expect(wanted).toEqual(['access', 'access', 'access'])
  nodes[1]!.changes.userChanged('ann')
  nodes[2]!.changes.userChanged('ben')
  await new Promise(setImmediate)
  expect(nodes.map(({ heard }) => heard.toSorted())).toEqual([
    ['ann', 'ben'],
    ['ann', 'ben'],
    ['ann', 'ben'],
  ])
  expect(sent).toHaveLength(2)

  // All guests of a bot, at once.
  for (let guest = 0; guest < 1_200; guest += 1) nodes[0]!.changes.userChanged(`guest ${guest}`)
  await new Promise(setImmediate)
  expect(nodes.map(({ heard }) => heard.length)).toEqual([1_202, 1_202, 1_202])
  expect(sent).toHaveLength(5)
})

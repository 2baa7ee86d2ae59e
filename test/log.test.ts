import { expect, it } from '@jest/globals'
import { openLog } from '../src/platform/log.js'
import { until } from './support/until.js'

interface Line {
  msg: string
  requestId?: string
  repeated?: number
}

function open(): { lines: Line[]; log: ReturnType<typeof openLog> } {
  const lines: Line[] = []
  return { lines, log: openLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Line) }) }
}

it('an error that repeats is written once a second, with how many there were', async () => {
  const { lines, log } = open()
  const fail = (text: string): Error => new TypeError(text)
  for (let at = 0; at < 1_000; at += 1) log.error({ err: fail(`of ${at}`), requestId: String(at) }, 'unexpected error')
  expect(lines).toMatchObject([{ msg: 'unexpected error', requestId: '0' }])
  await until(() => lines.length === 2)
  expect(lines[1]).toMatchObject({ msg: 'unexpected error', requestId: '999', repeated: 999 })
})

it('errors of different places, and lines without an error, are written as they come', () => {
  const { lines, log } = open()
  log.error({ err: new Error('here') }, 'failed')
  log.error({ err: new Error('there') }, 'failed')
  const same = new Error('anywhere')
  log.child({ part: 'jobs' }).warn({ err: same }, 'first')
  log.warn({ err: same }, 'second')
  for (let at = 0; at < 3; at += 1) log.info({ at }, 'request')
  expect(lines.map(({ msg }) => msg)).toEqual(['failed', 'failed', 'first', 'second', 'request', 'request', 'request'])
})

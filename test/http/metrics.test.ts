import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from '@jest/globals'
import { Metrics } from '../../src/platform/metrics.js'
import { until } from '../support/until.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Metrics of a server that ends: its gauges hold the server. */
function ofEndedServer(): WeakRef<object> {
  const server = { waiting: 1 }
  new Metrics().gauge('waiting', 'What waits.', () => server.waiting)
  return new WeakRef(server)
}

it('lets go of a server that has ended: what observes the process is not of one server', async () => {
  const ended = [ofEndedServer(), ofEndedServer(), ofEndedServer()]
  const kept = await until(
    () => {
      collectGarbage()
      return ended.filter((each) => each.deref() !== undefined).length
    },
    (count) => count === 0,
  )
  expect(kept).toBe(0)
})

it('tells of the process and of the server, in each of several servers', async () => {
  for (const metrics of [new Metrics(), new Metrics()]) {
    const text = await metrics.text()
    for (const name of ['nodejs_gc_duration_seconds', 'process_cpu_seconds_total', 'switchboard_http_request_seconds'])
      expect(text.match(new RegExp(`^# TYPE ${name} `, 'gm'))).toHaveLength(1)
  }
})

import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { StoredEvent } from '../../src/platform/events/event.js'
import { inFanOutSpan } from '../../src/api/realtime/fan-out-span.js'
import { OpenTelemetryTracing } from '../../src/platform/tracing/open-telemetry-tracing.js'
import { startTracing } from '../../src/platform/tracing/open-telemetry.js'
import type { TracingConfig } from '../../src/platform/tracing/tracing-config.js'
import { tracing } from '../../src/platform/tracing/tracing.js'
import { until } from '../support/until.js'
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SAMPLED = `00-${TRACE}-00f067aa0ba902b7-01`
const UNSAMPLED = `00-${TRACE}-00f067aa0ba902b7-00`

let otlp: OtlpReceiver
beforeAll(async () => {
  otlp = await OtlpReceiver.start()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = otlp.url
  process.env.OTEL_BSP_SCHEDULE_DELAY = '20'
  await startTracing({ protocol: 'http/protobuf', ratio: 1, followsParents: true }, 'silent')
})
afterAll(async () => {
  await tracing().stop()
  otlp.close()
})

const tracingOf = (config: Partial<TracingConfig>): OpenTelemetryTracing =>
  new OpenTelemetryTracing({ protocol: 'http/protobuf', ratio: 0, followsParents: true, ...config }, async () => {})

interface Seen {
  isRecorded: boolean
  traceparent: string | undefined
  /** Headers that a request to another server has in addition. */
  passedOn: Readonly<Record<string, string>>
}

/** Returns what work of an incoming request finds. */
async function handle(
  traces: OpenTelemetryTracing,
  headers: Readonly<Record<string, string>>,
  route = '/graphql',
): Promise<Seen> {
  let seen: Promise<Seen> | undefined
  const server: Server = createServer((raw, response) => {
    const incoming = { raw, method: 'POST', routeOptions: { url: route } }
    traces.request(incoming, response, () => {
      seen = look(traces)
      void seen.then(() => response.end())
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const answered = once(request({ port, path: `${route}?x`, method: 'POST', headers }).end(), 'response')
  ;(await answered)[0].resume()
  server.close()
  return seen!
}

async function look(traces: OpenTelemetryTracing): Promise<Seen> {
  const url = new URL('http://127.0.0.1/')
  const passedOn = await traces.outgoing(
    'GET',
    url,
    async (headers) => headers,
    () => 200,
  )
  return { isRecorded: traces.place() !== null, traceparent: traces.traceparent(), passedOn }
}

async function exported(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]> {
  await until(() => otlp.spans.some(fits))
  return otlp.spans.filter(fits)
}

describe('whether a trace is recorded', () => {
  it.each(['x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${TRACE}-00f067aa0ba902b7-01`, `${SAMPLED}-more`])(
    'is decided by the server itself for the traceparent %s',
    async (traceparent) => {
      const none = { isRecorded: false, traceparent: undefined, passedOn: {} }
      expect(await handle(tracingOf({ ratio: 0 }), { traceparent })).toEqual(none)
      const seen = await handle(tracingOf({ ratio: 1 }), { traceparent })
      expect(seen.isRecorded).toBe(true)
      expect(seen.traceparent).not.toContain(TRACE)
    },
  )

  it('is what a client says, and else what the ratio says', async () => {
    expect((await handle(tracingOf({ ratio: 0 }), { traceparent: SAMPLED })).traceparent).toContain(TRACE)
    expect((await handle(tracingOf({ ratio: 0 }), {})).isRecorded).toBe(false)
    expect((await handle(tracingOf({ ratio: 1 }), {})).isRecorded).toBe(true)
    // By itself, `traceidratio`.
    const byItself = { followsParents: false }
    expect((await handle(tracingOf({ ...byItself, ratio: 0 }), { traceparent: SAMPLED })).isRecorded).toBe(false)
    expect((await handle(tracingOf({ ...byItself, ratio: 1 }), { traceparent: UNSAMPLED })).isRecorded).toBe(true)
  })

  it('is passed on where it is not', async () => {
    const passedOn = { isRecorded: false, traceparent: UNSAMPLED, passedOn: { traceparent: UNSAMPLED } }
    expect(await handle(tracingOf({ ratio: 1 }), { traceparent: UNSAMPLED })).toEqual(passedOn)
    const byRatio = tracingOf({ ratio: 0, followsParents: false })
    expect(await handle(byRatio, { traceparent: SAMPLED })).toEqual(passedOn)
  })

  it('is never for probes, whatever follows their path', async () => {
    for (const route of ['/healthz', '/readyz', '/metrics'])
      expect((await handle(tracingOf({ ratio: 1 }), { traceparent: SAMPLED }, route)).isRecorded).toBe(false)
  })

  it('is not decided again for what was stored with a job', async () => {
    const traces = tracingOf({ ratio: 0, followsParents: false })
    const isRecorded = async (): Promise<boolean> => traces.place() !== null
    expect(await traces.root('stored', {}, SAMPLED, isRecorded)).toBe(true)
    expect(await traces.root('stored', {}, UNSAMPLED, isRecorded)).toBe(false)
    expect(await traces.root('stored', {}, null, isRecorded)).toBe(false)
  })

  it('is all that is taken from a client: its tracestate goes nowhere', async () => {
    const { passedOn } = await handle(tracingOf({}), { traceparent: SAMPLED, tracestate: 'vendor=canary-state' })
    expect(Object.keys(passedOn)).toEqual(['traceparent'])
    await exported(({ name }) => name === 'POST /graphql')
    expect(otlp.raw).not.toContain('canary-state')
  })
})

describe('spans', () => {
  it('say what has failed, and nothing of its message', async () => {
    const refused = Object.assign(new Error('canary-message'), { code: '23505' })
    const connection = { host: 'db', port: 5432, database: 'test' }
    await expect(
      tracing().root('failing', {}, null, async () => {
        tracing().statement({ text: 'update "contact" set "name" = \'canary\'' }, connection)!.end(refused)
        await tracing().outgoing('GET', new URL('http://receiver/secret'), async () => 503, Number)
        throw new TypeError('canary-message')
      }),
    ).rejects.toThrow(TypeError)
    await tracing().root('reporting', {}, null, async () => tracing().failed('500'))
    const [failing] = await exported(({ name }) => name === 'failing')
    const [reporting] = await exported(({ name }) => name === 'reporting')
    const below = otlp.spans.filter(({ parentSpanId }) => parentSpanId === failing!.spanId)
    const types = [failing!, reporting!, ...below].map(({ name, isFailed, attributes }) => [
      name,
      isFailed,
      attributes['error.type'],
    ])
    expect(types).toEqual([
      ['failing', true, 'TypeError'],
      ['reporting', true, '500'],
      ['update contact', true, '23505'],
      ['GET', true, '503'],
    ])
    expect(otlp.raw).not.toMatch(/canary|secret/)
  })

  it.each([
    ['select "c0".* from "contact" as "c0" where "c0"."name" = \'from canary\'', 'select contact'],
    ["select 'canary' from canary", 'select'],
    ["select set_config('canary', 'from canary', true)", 'select'],
    ['insert into "public"."service" ("params") values (\'{"url":"canary"}\')', 'insert service'],
    ["DELETE FROM only message where text = 'it''s canary'", 'delete message'],
    ['select * from unnest($1::text[]) as canary', 'select'],
    ['begin; set local lock_timeout = 5', 'begin'],
    ["with canary as (select 'canary') select 1", 'with'],
    ["'canary'", 'statement'],
  ])('name the statement %s without what is in it', async (text, name) => {
    let span: ReturnType<ReturnType<typeof tracing>['statement']> = null
    await tracing().root('summary', {}, null, async () => {
      span = tracing().statement({ text }, { host: 'db', port: 5432 })
      span!.end()
    })
    expect((span as unknown as { span: { name: string } }).span.name).toBe(name)
  })

  it('name a statement as it is prepared, but not by a number', async () => {
    const name = async (given: string): Promise<string> =>
      tracing().root('summary', {}, null, async () => {
        const span = tracing().statement({ text: 'select 1 from job', name: given }, { host: 'db', port: 5432 })!
        span.end()
        return (span as unknown as { span: { name: string } }).span.name
      })
    expect(await name('append-events')).toBe('append-events')
    expect(await name('made-17')).toBe('select job')
  })

  it('of an event are one for all groups that receive it', async () => {
    const event = { stream: 's', type: 'message.created', number: 1, traceparent: SAMPLED } as unknown as StoredEvent
    const [long, short] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
    const both = [inFanOutSpan(event, 2, () => long.promise), inFanOutSpan(event, 3, () => short.promise)]
    short.resolve(1)
    expect(await both[1]).toBe(1)
    long.resolve(30)
    expect(await both[0]).toBe(30)
    const spans = await exported(({ name }) => name === 'fan-out')
    expect(spans).toHaveLength(1)
    expect(spans[0]).toMatchObject({
      traceId: TRACE,
      attributes: { 'switchboard.event': 'message.created', 'switchboard.groups': 2, 'switchboard.subscribers': 5 },
    })
  })
})

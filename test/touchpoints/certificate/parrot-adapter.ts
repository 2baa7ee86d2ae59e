import { createHmac, timingSafeEqual } from 'node:crypto'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown } from '../../../src/modules/touchpoints/adapter.js'
import type { InboundHead, InboundRequest } from '../../../src/modules/touchpoints/inbound-routes.js'
import type { Install } from '../../../src/modules/touchpoints/install.js'
import { plainText } from '../../../src/modules/touchpoints/plain-text.js'
import { callProvider } from '../../../src/modules/touchpoints/provider-call.js'
import { needed, paramApiUrl, paramText, usable } from '../../../src/modules/touchpoints/provider-params.js'
import { readOpenedService } from '../../../src/modules/touchpoints/touchpoint-service.js'
import { Forbidden } from '../../../src/platform/errors.js'
import { addJobs } from '../../../src/platform/jobs/job.js'
import { defineJob } from '../../../src/platform/jobs/job-type.js'
import { isPlainObject, storableText, type JsonObject } from '../../../src/platform/json.js'
import { OutboundHttp } from '../../../src/platform/outbound/outbound-http.js'
import { parseRequestJson } from '../../../src/platform/request-json.js'

/** A message of a person, as it waits in a job. */
interface Said {
  id: string
  person: string
  text: string
}

/** Stored before the provider gets its answer; handled once, in order for each person. */
const PARROT_EVENT = defineJob<{ service: string; said: Said }>('parrot.event', { service: 'string', said: 'object' })

const paramsOf = (given: JsonObject) => ({
  apiUrl: paramApiUrl(given, 'https://api.parrot.example'),
  token: paramText(given, 'token'),
  signingSecret: paramText(given, 'signingSecret'),
})

/** Installs Parrot, a made-up provider of the messenger that takes texts: `docs/guide/adapters.md` goes through it. */
export const installParrot: Install = ({ clock, config, database: sql, inbox, jobs, sealer }) => {
  const { webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Parrot/1', keepAlive: false })

  jobs.register(PARROT_EVENT, {
    isOutbound: false,
    async handler({ payload }) {
      const service = await readOpenedService({ sql, sealer }, 'parrot', payload.service)
      const { id, person, text } = payload.said
      if (service) await inbox.receive({ service, providerId: id, from: { handle: person }, message: { text } })
    },
  })

  return {
    kind: {
      touchpoint: 'messenger',
      window: { peopleMs: 24 * 3_600_000, machinesMs: 24 * 3_600_000 },
      params: ['apiUrl', 'token', 'signingSecret'],
      secrets: { token: ['apiUrl'], signingSecret: [] },
      readParams: (given) => (paramsOf(given), given),
    },
    adapter: {
      type: 'parrot',
      deduplicates: false,
      async send({ id, message, recipient, attachment, service, signal }) {
        const { apiUrl, token } = usable(paramsOf, service.params)
        const text = plainText(message, attachment?.url)
        if (text === '') throw new DeliveryRefused('the message has no text')
        const { status, answer, retryAfterMs } = await callProvider(
          { http, now: clock.now(), signal },
          {
            method: 'POST',
            url: `${apiUrl}/messages`,
            headers: { 'content-type': 'application/json', authorization: `Bearer ${needed(token, 'token')}` },
            body: JSON.stringify({ to: recipient, text, reference: id }),
          },
        )
        if (status === 200 && typeof answer.id === 'string') return { providerId: answer.id, status: 'sent' }
        const problem = `the provider answered ${status}`
        if (status === 429 || status === 503) throw new DeliveryFailed(problem, retryAfterMs)
        // It may have been taken all the same: nobody sends it again by themselves.
        if (status === 200 || status >= 500) throw new DeliveryUnknown(problem)
        throw new DeliveryRefused(problem)
      },
    },
    routes: [
      {
        type: 'parrot',
        path: '',
        method: 'POST',
        bytesMax: 65_536,
        admit: ({ headers }: InboundHead) => {
          if (typeof headers['x-parrot-signature'] !== 'string') throw new Forbidden('the signature is missing')
        },
        isSigned,
        async handle({ body, service }) {
          const said = saidIn(parseRequestJson(body.toString(), 'body'))
          const events = said.map((each) =>
            PARROT_EVENT.create({ service: service.id, said: each }, { key: `parrot:${service.id}:${each.person}` }),
          )
          await addJobs(sql, events, clock)
          jobs.wake()
          return { status: 200 }
        },
      },
    ],
    stop: async () => http.close(),
  }
}

function isSigned({ service, headers, body }: InboundRequest): boolean {
  const { signingSecret } = paramsOf(service.params)
  if (signingSecret === undefined) return false
  const expected = Buffer.from(createHmac('sha256', signingSecret).update(body).digest('hex'))
  const given = Buffer.from(String(headers['x-parrot-signature']))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Reads what is known, and passes over what is not: providers add fields. */
function saidIn(body: unknown): Said[] {
  const events = isPlainObject(body) && Array.isArray(body.events) ? body.events.filter(isPlainObject) : []
  return events.flatMap(({ id, from, text }) => {
    const all = [id, from, text]
    if (!all.every((each) => typeof each === 'string' && each !== '')) return []
    const [known, person, words] = all.map((each) => storableText(each as string, 4_000))
    return [{ id: known!, person: person!, text: words! }]
  })
}

import { Writable } from 'node:stream'
import fc from 'fast-check'
import pino from 'pino'
import { letNextComeDue } from '../../support/next-job.js'
import { until } from '../../support/until.js'
import { startProviderFixture } from '../provider-fixture.js'
import {
  EVENT_ACCIDENTS,
  SEND_ACCIDENTS,
  type CertifiedProvider,
  type EventAccident,
  type SaidEvent,
  type SendAccident,
} from './certified-provider.js'

/** Counts of a certificate; all but the first two must be zero. */
export interface Certificate {
  injections: number
  /** By accident, for the record. */
  accidents: Record<string, number>
  inboundLost: number
  inboundTwice: number
  /** Forged or broken events that were taken. */
  inboundForged: number
  sentTwice: number
  /** Taken by the provider and shown as failed, or shown as sent and never taken. */
  outcomesWrong: number
  /** Arrivals that the provider told before it answered the send, and that are not shown. */
  receiptsLost: number
  outOfOrder: number
  /** Events or deliveries that ended nowhere. */
  unnamed: number
  secretsInLogs: number
}

type Injection =
  | { kind: 'event'; person: number; accident: EventAccident }
  | { kind: 'send'; person: number; accident: SendAccident }

/** So few that what is said by one comes close together. */
const PEOPLE = 8
const ENDED = new Set(['sent', 'maybeSent', 'failed', 'delivered'])
const HOUR_MS = 3_600_000

/**
 * Injects accidents into what passes between the server and a provider, each with the same seed in the same order, and
 * counts what they did. Events of several people are told at once; each person is answered in turn.
 */
export async function certify(
  provider: CertifiedProvider,
  { seed, count }: { seed: number; count: number },
): Promise<Certificate> {
  const logged: string[] = []
  const sink = new Writable({ write: (chunk, _encoding, done) => (logged.push(String(chunk)), done()) })
  const fixture = await startProviderFixture(
    {},
    { log: pino({ level: 'debug' }, sink), touchpoints: provider.touchpoints, pace: 10 },
  )
  try {
    const service = await provider.makeService(fixture)
    const hook = fixture.hook(provider.type, service)
    const told: SaidEvent[] = []
    const forged: string[] = []
    const answers: { message: string; person: string; text: string; accident: SendAccident }[] = []
    const accidents: Record<string, number> = {}
    let said = 0

    const newEvent = (person: string, lateMs = 0): SaidEvent => {
      const number = ++said
      const at = fixture.app.clock.now().getTime() - lateMs
      return { person, id: `${provider.type}-in-${number}`, text: `said ${number}`, at }
    }
    const tellOne = async (event: SaidEvent, accident: EventAccident): Promise<void> => {
      if (accident === 'unsigned' || accident === 'cut') {
        const fake = { ...event, text: `forged ${event.text}` }
        const status = await provider.tell(hook, fake, accident)
        if (status < 400) forged.push(fake.text)
      }
      told.push(event)
      const calls = accident === 'atOnce' ? 5 : accident === 'doubled' ? 2 : 1
      const tellOnce = () => provider.tell(hook, event, accident === 'unknownFields' ? accident : 'none')
      if (accident === 'atOnce') await Promise.all(Array.from({ length: calls }, tellOnce))
      else for (let call = 0; call < calls; call += 1) await tellOnce()
    }
    const late: SaidEvent[] = []
    const tell = async (person: string, accident: EventAccident): Promise<void> => {
      const event = newEvent(person, accident === 'delayed' ? HOUR_MS : 0)
      if (accident === 'delayed') return void late.push(event)
      if (accident === 'reordered') await tellOne(newEvent(person), 'none')
      await tellOne(event, accident)
    }
    const conversationOf = async (person: string): Promise<string> => {
      const own = new Set(told.filter((event) => event.person === person).map(({ text }) => text))
      const [found] = await until(async () => {
        const received = (await fixture.receivedBy(service)).filter(({ text }) => text !== null && own.has(text))
        return received.length > 0 && received
      })
      return found!.conversation_id
    }
    const answer = async (person: string, accident: SendAccident): Promise<void> => {
      const conversation = await conversationOf(person)
      provider.prepare(accident, hook)
      const text = `answer ${answers.length + 1}`
      const message = await fixture.answer(conversation, { text })
      answers.push({ message, person, text, accident })
      await until(async () => {
        // What is tried again is tried at once, after the time that the provider asked for.
        await letNextComeDue(fixture.app, 'touchpoint.deliver')
        return ENDED.has((await fixture.delivery(message))?.status ?? '')
      })
    }

    const people = provider.people ?? PEOPLE
    for (let person = 0; person < people; person += 1) await tell(provider.person(person), 'none')
    for (const batch of batchesOf(injectionsOf({ seed, count, people }))) {
      for (const { kind, accident } of batch)
        accidents[`${kind} ${accident}`] = (accidents[`${kind} ${accident}`] ?? 0) + 1
      // Each person's events one after the other, different people at once.
      const events = batch.filter((injection) => injection.kind === 'event')
      const byPerson = Map.groupBy(events, ({ person }) => person)
      await Promise.all(
        [...byPerson].map(async ([person, own]) => {
          for (const { accident } of own) await tell(provider.person(person), accident as EventAccident)
        }),
      )
      for (const injection of batch) {
        if (injection.kind === 'send') await answer(provider.person(injection.person), injection.accident)
      }
      for (const event of late.splice(0)) await tellOne(event, 'none')
    }
    const isQuiet = async (): Promise<boolean> => {
      const kinds = [`${provider.type}.event`, `${provider.type}.media`, 'touchpoint.deliver']
      const left = await fixture.app.server.database.query('select 1 from job where kind = any($1::text[])', [kinds])
      return left.length === 0
    }
    await until(isQuiet)

    const received = (await fixture.receivedBy(service)).map(({ text, contact_id: contact }) => ({ text, contact }))
    const texts = received.map(({ text }) => text)
    const taken = provider.taken()
    const statuses = new Map<string, string>()
    for (const { message, text } of answers) statuses.set(text, (await fixture.delivery(message)).status)
    const takenTexts = new Set(taken.map(({ text }) => text))
    return {
      injections: count,
      accidents,
      inboundLost: told.filter(({ text }) => !texts.includes(text)).length,
      // Also what nobody has said, such as our own answers that were told back.
      inboundTwice: texts.length - told.filter(({ text }) => texts.includes(text)).length,
      inboundForged: forged.length + texts.filter((text) => text?.startsWith('forged')).length,
      sentTwice: taken.length - takenTexts.size,
      outcomesWrong: [...statuses].filter(([text, status]) => {
        return takenTexts.has(text) ? status === 'failed' : status !== 'failed'
      }).length,
      receiptsLost: answers.filter(({ accident, text }) => {
        return provider.hasReceipts && accident === 'receiptFirst' && statuses.get(text) !== 'delivered'
      }).length,
      outOfOrder:
        disorderOf(told, received) +
        disorderOf(
          answers,
          taken.map(({ person, text }) => ({ text, contact: person })),
        ),
      unnamed: [...statuses.values()].filter((status) => !ENDED.has(status)).length,
      secretsInLogs: provider.secrets.filter((secret) => logged.some((line) => line.includes(secret))).length,
    }
  } finally {
    await fixture.app.close()
    await provider.close()
  }
}

function injectionsOf({ seed, count, people }: Record<'seed' | 'count' | 'people', number>): Injection[] {
  const person = fc.nat({ max: people - 1 })
  const injection = fc.oneof(
    fc.record({ kind: fc.constant('event' as const), person, accident: fc.constantFrom(...EVENT_ACCIDENTS) }),
    fc.record({ kind: fc.constant('send' as const), person, accident: fc.constantFrom(...SEND_ACCIDENTS) }),
  )
  return fc.sample(injection, { seed, numRuns: count })
}

function batchesOf(injections: Injection[]): Injection[][] {
  const size = 10
  return Array.from({ length: Math.ceil(injections.length / size) }, (_, at) =>
    injections.slice(at * size, (at + 1) * size),
  )
}

/** Counts neighbours that came in another order than they were said, by person. */
function disorderOf(said: { person: string; text: string }[], got: { text: string | null; contact: string }[]): number {
  const place = new Map(said.map(({ text }, at) => [text, at]))
  let count = 0
  for (const [, own] of Map.groupBy(got, ({ contact }) => contact)) {
    const places = own.flatMap(({ text }) => place.get(text ?? '') ?? [])
    count += places.filter((at, index) => index > 0 && places[index - 1]! > at).length
  }
  return count
}

import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture, type Said } from '../provider-fixture.js'
import { ACCOUNT, bodyOf, startAccountApi, type AccountApi, type SentMessage } from './account-api.js'

export interface InstagramFixture extends ProviderFixture {
  api: AccountApi
  service: string
  /** A person nobody has heard of. */
  person(): string
  mid(): string
  /** The members of every event of a person, and of one of the account to them. */
  from(person: string): { sender: { id: string }; recipient: { id: string }; timestamp: number }
  to(person: string): { sender: { id: string }; recipient: { id: string }; timestamp: number }
  tell(...messaging: object[]): Promise<number>
  /** Waits until all events that were told are processed. */
  processed(): Promise<void>
  contactOf(person: string): Promise<string | undefined>
  saidBy(person: string, count?: number): Promise<Said[]>
  /** A conversation that a person began. */
  begun(text?: string): Promise<{ person: string; conversation: string; mid: string; message: string }>
  sentTo(person: string): SentMessage[]
  /** Messages of a conversation as an agent sees them. */
  shownOf(conversation: string): Promise<{ role: string; text: string | null; userId: string | null }[]>
  /** Names of events that had no use. */
  unnamed(): Promise<string[]>
  /** Runs an operation of the administrator, whose sign-in has ended by the time of the clock. @throws Error */
  // oxlint-disable-next-line typescript/no-explicit-any
  ask(query: string, variables: Record<string, unknown>): Promise<any>
  close(): Promise<void>
}

let people = 0
let mids = 0

export async function startInstagramFixture(
  ...options: Parameters<typeof startProviderFixture>
): Promise<InstagramFixture> {
  const fixture = await startProviderFixture(...options)
  const api = await startAccountApi()
  const service = await fixture.makeService('instagram', { ...ACCOUNT, apiUrl: api.url })
  const sql = fixture.app.server.database
  const own = { id: ACCOUNT.accountId }
  const now = (): number => fixture.app.clock.now().getTime()
  const made: InstagramFixture = {
    ...fixture,
    api,
    service,
    person: () => String(9_000_000_000_000 + ++people),
    mid: () => `aWdf.in.${++mids}`,
    from: (person) => ({ sender: { id: person }, recipient: own, timestamp: now() }),
    to: (person) => ({ sender: own, recipient: { id: person }, timestamp: now() }),
    tell: (...messaging) => api.call(fixture.hook('instagram', service).url, bodyOf(messaging)),
    async processed() {
      // Receipts are taken a little later than the rest.
      fixture.app.clock.advance(1_000)
      await until(async () => {
        const rows = await sql.query("select 1 from job where kind = 'instagram.event' and run_at < 'infinity' limit 1")
        if (rows.length > 0) fixture.app.clock.advance(500)
        return rows.length === 0
      })
    },
    async contactOf(person) {
      const [row] = await sql.query<{ contact_id: string }>(
        'select contact_id from contact_handle where service_id = $1 and address = $2',
        [service, person],
      )
      return row?.contact_id
    },
    saidBy: (person, count = 1) =>
      until(async () => {
        const contact = await made.contactOf(person)
        const said = (await fixture.receivedBy(service)).filter((message) => message.contact_id === contact)
        return contact !== undefined && said.length >= count && said
      }),
    async begun(text = 'Hello') {
      const [person, mid] = [made.person(), made.mid()]
      await made.tell({ ...made.from(person), message: { mid, text } })
      const [said] = await made.saidBy(person)
      return { person, mid, conversation: said!.conversation_id, message: said!.id }
    },
    sentTo: (person) => api.sent.filter(({ recipient }) => recipient.id === person),
    async shownOf(conversation) {
      const { conversation: found } = await made.ask(
        'query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { role text userId } } } } }',
        { id: conversation },
      )
      return found.messages.edges.map(({ node }: { node: object }) => node)
    },
    async unnamed() {
      const rows = await sql.query<{ name: string }>('select name from service_unnamed where service_id = $1', [
        service,
      ])
      return rows.map(({ name }) => name)
    },
    async ask(query, variables) {
      const { data, errors } = await fixture.app.gql(await fixture.app.tokenFor(fixture.admin), query, variables)
      if (errors) throw new Error(errors[0]!.message)
      return data
    },
    async close() {
      await fixture.app.close()
      await api.close()
    },
  }
  return made
}

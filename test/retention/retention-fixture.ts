import { newContact, until, type Outcome, type Shown } from '../conversations/conversation-fixture.js'
import type { Office } from '../conversations/office-fixture.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'

export const DAY_MS = 86_400_000

export interface Policy {
  id: string
  subject: string
  days: number
  startsAt: string
  endsAt: string | null
  createdById: string | null
  version: number
}

export interface Run {
  id: string
  policyId: string
  status: 'RUNNING' | 'DONE' | 'STOPPED'
  days: number
  erased: number
  held: number
  failed: number
  kept: { id: string; holds: { id: string; name: string }[] }[]
  finishedAt: string | null
}

export interface Preview {
  due: number
  waiting: number
  total: number
  isMore: boolean
  needsConfirmation: boolean
  sample: { id: string; name: string; since: string; holds: { name: string }[] }[]
}

const POLICY = 'id subject days startsAt endsAt createdById version'
const RUN = 'id policyId status days erased held failed kept { id holds { id name } } finishedAt'
const CREATE = `mutation ($input: CreateRetentionPolicyInput!) { createRetentionPolicy(input: $input) { ${POLICY} } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateRetentionPolicyInput!) { updateRetentionPolicy(id: $id, patch: $patch) { ${POLICY} } }`
const DELETE = `mutation ($id: ID!) { deleteRetentionPolicy(id: $id) { ${POLICY} } }`
const RUNS = `query ($policy: ID!) { retentionRuns(filter: { policy: { eq: $policy } }) { nodes { ${RUN} } } }`
const PREVIEW = `query ($subject: RetentionSubject!, $days: Int!, $organization: ID) {
  retentionPreview(subject: $subject, days: $days, organization: $organization) {
    due waiting total isMore needsConfirmation sample { id name since holds { name } } } }`

/** An organization of its own, since all policies run when the clock moves. */
export interface Place {
  organization: MadeOrganization
  admin: MadeUser
  bot: MadeUser
  run<T>(query: string, variables?: Record<string, unknown>): Promise<Outcome<T>>
  tryCreate(input: object): Promise<Outcome<Policy>>
  create(input: object): Promise<Policy>
  update(id: string, patch: object): Promise<Outcome<Policy>>
  end(id: string): Promise<Policy>
  runsOf(policy: string): Promise<Run[]>
  tryPreview(input: object): Promise<Outcome<Preview>>
  preview(input: object): Promise<Preview>
  /** Advances the clock until the policies begin, and waits for the end of this one's newest run. */
  ran(policy: string): Promise<Run>
  /** A closed conversation whose last message was sent so many days ago. */
  old(days: number, input?: Record<string, unknown>): Promise<Shown>
  /** Makes a conversation so old, and closes it. */
  age(conversation: string, days: number, status?: string): Promise<void>
  /** Makes a contact that old. */
  ageContact(contact: string, days: number): Promise<void>
  isThere(table: 'conversation' | 'contact' | 'attachment', id: string): Promise<boolean>
}

export async function makePlace(office: Office, parent?: MadeOrganization): Promise<Place> {
  const { database } = office.server
  const organization = await office.makeOrganization({
    name: `Place ${crypto.randomUUID()}`,
    ...(parent && { parent }),
  })
  const admin = await office.makeUser({ organization, role: 'admin' })
  const bot = await office.makeUser({ organization, role: 'bot' })
  // Sign-ins end as the clock moves, by a policy's run beside this too.
  const run: Place['run'] = async <T>(query: string, variables?: Record<string, unknown>) => {
    const ask = async (): Promise<Outcome<T>> => office.run<T>(await office.tokenFor(admin), query, variables)
    const outcome = await ask()
    return outcome.code === 'UNAUTHENTICATED' ? ask() : outcome
  }
  const must = async <T>(outcome: Promise<Outcome<T>>): Promise<T> => {
    const { value, code, message } = await outcome
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  const runsOf: Place['runsOf'] = async (policy) => (await must(run<{ nodes: Run[] }>(RUNS, { policy }))).nodes
  const place: Place = {
    organization,
    admin,
    bot,
    run,
    tryCreate: (input) => run(CREATE, { input }),
    create: (input) => must(run<Policy>(CREATE, { input: { subject: 'CONVERSATIONS', confirmed: true, ...input } })),
    update: (id, patch) => run(UPDATE, { id, patch }),
    end: (id) => must(run<Policy>(DELETE, { id })),
    runsOf,
    tryPreview: (input) => run(PREVIEW, { subject: 'CONVERSATIONS', ...input }),
    preview: (input) => must(run<Preview>(PREVIEW, { subject: 'CONVERSATIONS', ...input })),
    async ran(policy) {
      const statuses = async (): Promise<string[]> => {
        const rows = await database.query<{ status: string }>(
          'select status from retention_run where policy_id = $1 order by id desc',
          [policy],
        )
        return rows.map(({ status }) => status)
      }
      // Looks for runs and jobs at once: a run that has just begun would be late if the clock went on to the next day.
      const letBegin = async (id: string, count: number): Promise<void> => {
        const [row] = await database.query<{ at: Date | null }>(
          `select min(run_at) as at from job where kind = 'retention.begin' and run_at < 'infinity'
             and (select count(*) from retention_run where policy_id = $1) = $2`,
          [id, count],
        )
        const leftMs = (row!.at?.getTime() ?? 0) - office.clock.now().getTime()
        if (leftMs > 0) office.clock.advance(leftMs + 1)
      }
      const before = (await statuses()).length
      await until(
        async () => {
          const runs = await statuses()
          if (runs.length === before) await letBegin(policy, before)
          return runs
        },
        (runs) => runs.length > before && runs[0] !== 'running',
      )
      return (await runsOf(policy))[0]!
    },
    async old(days, input) {
      const made = await office.create(
        { contact: newContact(), messages: [{ role: 'CONTACT', text: 'hello' }], ...input },
        await office.tokenFor(bot),
      )
      await place.age(made.id, days)
      return made
    },
    async age(conversation, days, status = 'closed') {
      const at = new Date(office.clock.now().getTime() - days * DAY_MS)
      await database.query(
        `update conversation set status = $3, channels = '{}', channels_offline = '{}', task_channels = '{}', created_at = $2, last_message_at = $2
         where id = $1`,
        [conversation, at, status],
      )
    },
    async ageContact(contact, days) {
      const at = new Date(office.clock.now().getTime() - days * DAY_MS)
      await database.query('update contact set created_at = $2, updated_at = $2 where id = $1', [contact, at])
    },
    async isThere(table, id) {
      return (await database.query(`select 1 from ${table} where id = $1`, [id])).length > 0
    },
  }
  return place
}

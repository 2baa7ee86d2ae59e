import pg from 'pg'
import { insertCenter } from '../../src/modules/organizations/center-rows.js'
import { systemClock } from '../../src/platform/db/clock.js'

export interface SeededUser {
  id: string
  organization: string
  role: string
}

export interface Seed {
  organization: string
  agents: SeededUser[]
  channel: string
}

const BATCH = 5_000

/** Records by plain SQL, in bulk: what the bench stands on, not what it measures. */
export class Seeder {
  readonly #pool: pg.Pool

  /** @param url of a database that the server has migrated */
  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 2 })
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query(text, [...values])).rows as Row[]
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /** A contact center, by the product's own statements, with agents, all of them members of its one channel. */
  async organization(agentCount: number): Promise<Seed> {
    const { id: organization } = await insertCenter(this, systemClock, 'Bench')
    const channel = systemClock.newId()
    await this.query(
      `insert into channel (id, organization_id, org1, created_at, updated_at, name)
       values ($1, $2, $2, now(), now(), 'Bench')`,
      [channel, organization],
    )
    const agents = Array.from({ length: agentCount }, () => ({ id: systemClock.newId(), organization, role: 'agent' }))
    await this.#insert(
      agents.map((agent, index) => ({ ...agent, index })),
      'id uuid, organization uuid, index int',
      `
      insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, display_name, provider)
      select id, organization, organization, now(), now(), 'agent-' || id || '@example.com', 'agent', 'active',
        'Agent ' || index, 'local' from x`,
    )
    await this.#insert(
      agents.map(({ id }) => ({ id, channel })),
      'id uuid, channel uuid',
      'insert into channel_member (channel_id, user_id, created_at) select channel, id, now() from x',
    )
    return { organization, agents, channel }
  }

  /**
   * Active conversations, each with a contact, two accepting agents as participants and one message, made a second
   * apart.
   * @returns their ids, oldest first
   */
  async conversations({ organization, agents }: Seed, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let start = 0; start < count; start += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => ({
        id: systemClock.newId(),
        contact: systemClock.newId(),
        message: systemClock.newId(),
        index: start + offset,
        age: count - start - offset,
        organization,
        one: agents[(start + offset) % agents.length]!.id,
        other: agents[(start + offset + 1) % agents.length]!.id,
      }))
      ids.push(...rows.map(({ id }) => id))
      await this.#insert(rows, CONVERSATION_COLUMNS, CONTACTS)
      await this.#insert(rows, CONVERSATION_COLUMNS, CONVERSATIONS)
      await this.#insert(rows, CONVERSATION_COLUMNS, PARTICIPANTS)
      await this.#insert(rows, CONVERSATION_COLUMNS, MESSAGES)
    }
    return ids
  }

  /** After much has been inserted: statistics for the planner, and all rows known to be visible. */
  async settle(): Promise<void> {
    for (const table of ['contact', 'conversation', 'participant', 'message'])
      await this.query(`vacuum analyze ${table}`)
  }

  async #insert(rows: readonly object[], columns: string, statement: string): Promise<void> {
    await this.query(`with x as (select * from jsonb_to_recordset($1::jsonb) as x(${columns})) ${statement}`, [
      JSON.stringify(rows),
    ])
  }
}

const CONVERSATION_COLUMNS =
  'id uuid, contact uuid, message uuid, index int, age int, organization uuid, one uuid, other uuid'
const AT = `now() - age * interval '1 second'`

const CONTACTS = `
insert into contact (id, organization_id, org1, created_at, updated_at, profile, email)
select contact, organization, organization, ${AT}, ${AT},
  jsonb_build_object('name', 'Consumer ' || index, 'email', 'consumer-' || contact || '@example.com'),
  'consumer-' || contact || '@example.com' from x`

const CONVERSATIONS = `
insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id,
  touchpoint, message_count, last_message_id, last_message_at, last_message_role, preview)
select id, organization, organization, ${AT}, ${AT}, 'contact', 'Swift Otter', id::text,
  case when index % 10 = 0 then 'closed' else 'active' end, contact, 'web', 1, message, ${AT}, 'contact',
  'Where is my order?' from x`

const PARTICIPANTS = `
insert into participant (conversation_id, user_id, name, role, active, accepted, inbox, created_at, updated_at)
select id, who, 'Agent', 'agent', true, true, index % 20 = 0, ${AT}, ${AT} from x cross join unnest(array[one, other]) as who`

const MESSAGES = `
insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
select message, organization, organization, ${AT}, ${AT}, id, 1, 'chat', 'contact',
  'Where is my order? I have been waiting for it since Monday, number ' || index from x`

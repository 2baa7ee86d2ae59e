import type { Sql } from '../../src/platform/db/sql.js'
import { SEALED } from '../../src/platform/sealing/sealed-places.js'
import { KEY_BYTES, Sealer } from '../../src/platform/sealing/sealer.js'
import { insertPendingChange } from '../four-eyes/insert-pending-change.js'
import { insertRun } from '../retention/insert-run.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { OPERATOR_TOKEN, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'
import type { Scope } from './section-5.js'

/** Places of a record, seen from the callers, who are of `own`, a customer of the contact center `parent`. */
export const PLACES = ['own', 'sub', 'parent', 'sibling', 'foreign'] as const
export type Place = (typeof PLACES)[number]

/**
 * Kinds of records that a sample names. `spare` is an organization to which nothing belongs, `idleContact` one without
 * conversations, `origin` a closed conversation, `sending` what became of a message at a touchpoint.
 */
export type Kind =
  | 'organization'
  | 'spare'
  | 'organizationGroup'
  | 'user'
  | 'bot'
  | 'channel'
  | 'workflow'
  | 'rule'
  | 'workflowDraft'
  | 'conversation'
  | 'origin'
  | 'message'
  | 'contact'
  | 'idleContact'
  | 'erasure'
  | 'contactExport'
  | 'hold'
  | 'retentionPolicy'
  | 'spareRetention'
  | 'retentionRun'
  | 'pendingChange'
  | 'sparePendingChange'
  | 'webhook'
  | 'delivery'
  | 'mailbox'
  | 'mailboxEntry'
  | 'event'
  | 'form'
  | 'article'
  | 'file'
  | 'location'
  | 'cannedResponse'
  | 'reasonCode'
  | 'skill'
  | 'contactNote'
  | 'label'
  | 'macro'
  | 'view'
  | 'domain'
  | 'holidayCalendar'
  | 'schedule'
  | 'slaPolicy'
  | 'offer'
  | 'rating'
  | 'attachment'
  | 'sending'

export type Records = Readonly<Record<Kind, string>>

/**
 * The callers: a user of each scope, a consumer's guest token for the conversation of `own`, and the installation's
 * operator, who is of no contact center.
 */
export const CALLERS = ['anonymous', 'consumer', 'guest', 'agent', 'bot', 'admin', 'operator'] as const
/** `center`: an administrator of the contact center, for what only those may. */
export type CallerName = (typeof CALLERS)[number] | 'center'

export interface World {
  records: Readonly<Record<Place, Records>>
  /** Copies of all records of a place but its organization, with ids of their own: to be changed and deleted. */
  copy(place: Place): Promise<Records>
  credentials: Readonly<Record<CallerName, MadeUser | string | null>>
  /** Ids of those who ask. */
  self: Readonly<Record<CallerName, string>>
  /** An administrator of each place. */
  admins: Readonly<Record<Place, MadeUser>>
}

/** In every text of a place's records: found in an answer, it tells whose they are. */
export const markOf = (place: Place): string => `mark-of-${place}`

const ALWAYS = { days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], opens: '00:00', closes: '24:00' }

const ROLE: Readonly<Record<Scope, MadeUser['role']>> = { guest: 'viewer', agent: 'agent', bot: 'bot', admin: 'admin' }

/** One contact center with two customers, one of which has a branch, and another contact center; records in each. */
export async function makeWorld(app: TestServer): Promise<World> {
  const organizations = await makeTree(app)
  const admins = {} as Record<Place, MadeUser>
  const records = {} as Record<Place, Records>
  for (const place of PLACES) {
    const organization = organizations[place]
    admins[place] = await app.makeUser({ organization, role: 'admin', displayName: `Admin ${markOf(place)}` })
    records[place] = await makeRecords(app, place, organization, admins[place])
  }
  // So that it can be queued.
  await app.server.database.query(`update conversation set status = 'closed' where id = any($1::uuid[])`, [
    PLACES.map((place) => records[place].origin),
  ])
  await settle(app)
  const { own } = organizations
  const users = {} as Record<Scope, MadeUser>
  for (const scope of ['guest', 'agent', 'bot', 'admin'] as const) {
    users[scope] = await app.makeUser({ organization: own, role: ROLE[scope], displayName: `Asking ${scope}` })
  }
  const callers = Object.values(users).map(({ id }) => id)
  for (const place of ['own', 'sub'] as const) {
    await joinAll(app, records[place].conversation, callers)
    await app.server.database.query(
      'insert into channel_member (channel_id, user_id, created_at) select $1, id, now() from unnest($2::uuid[]) id',
      [records[place].channel, callers],
    )
  }
  const { data } = await app.gql(users.admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
    id: records.own.conversation,
  })
  return {
    records,
    copy: await copier(app, records),
    credentials: {
      anonymous: null,
      consumer: data.createGuestToken.token as string,
      ...users,
      center: admins.parent,
      operator: OPERATOR_TOKEN,
    },
    self: {
      anonymous: 'me',
      consumer: 'me',
      guest: users.guest.id,
      agent: users.agent.id,
      bot: users.bot.id,
      admin: users.admin.id,
      center: admins.parent.id,
      operator: 'me',
    },
    admins,
  }
}

/** Waits until what was sent has gone out by jobs. @throws Error when it does not */
async function settle(app: TestServer): Promise<void> {
  await until(
    () => app.server.database.query("select 1 from delivery where status in ('queued', 'sending') limit 1"),
    (waiting) => waiting.length === 0,
  )
  // Erasures look a second time, which changes their records.
  await app.server.database.query(
    `with due as (update job set run_at = now() where kind = 'privacy.erase' returning key)
     update job_partition set due_at = now() where key in (select key from due)`,
  )
  await until(
    () => app.server.database.query("select 1 from erasure where status <> 'done' limit 1"),
    (undone) => undone.length === 0,
  )
  await until(
    () => app.server.database.query("select 1 from contact_export where status = 'pending' limit 1"),
    (unwritten) => unwritten.length === 0,
  )
}

async function makeTree(app: TestServer): Promise<Record<Place, MadeOrganization>> {
  const parent = await app.makeContactCenter({ name: markOf('parent') })
  const own = await app.makeOrganization({ parent, name: markOf('own') })
  return {
    parent,
    own,
    sub: await app.makeOrganization({ parent: own, name: markOf('sub') }),
    sibling: await app.makeOrganization({ parent, name: markOf('sibling') }),
    foreign: await app.makeContactCenter({ name: markOf('foreign') }),
  }
}

/** So that commands of one who takes part, such as `/leave`, find what they need. */
async function joinAll(app: TestServer, conversation: string, users: readonly string[]): Promise<void> {
  await app.server.database.query(
    `insert into participant (conversation_id, user_id, role, created_at, updated_at)
     select $1, id, 'agent', now(), now() from unnest($2::uuid[]) id`,
    [conversation, users],
  )
}

async function makeRecords(
  app: TestServer,
  place: Place,
  organization: MadeOrganization,
  admin: MadeUser,
): Promise<Records> {
  const name = markOf(place)
  const make = async (path: string, body: object): Promise<{ id: string; [key: string]: unknown }> => {
    const { status, body: made } = await app.rest(admin, 'POST', `/v2/${path}`, body)
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`)
    return made
  }
  const spare = await app.makeOrganization({ parent: above(organization), name })
  const user = await app.makeUser({ organization, displayName: `User ${name}` })
  const bot = await app.makeUser({ organization, role: 'bot', displayName: `Bot ${name}` })
  const channel = await make('channels', { name, members: [{ user: user.id }] })
  const params = { name, channels: [channel.id], users: [user.id] }
  // Never true: what is queued in an organization below is not routed by it.
  const conditions = { all: [{ fact: 'message', path: '.text', operator: 'equal', value: name + name }] }
  const workflow = await make('workflows', { name, rules: [{ conditions, event: { type: 'notify', params } }] })
  const contact = (): object => ({ profile: { name, email: `${crypto.randomUUID()}@example.com` }, meta: { name } })
  const actions = [
    { type: 'reply', text: name, payload: name },
    { type: 'link', text: name, uri: 'https://example.com/' },
  ]
  const converse = (): ReturnType<typeof make> =>
    make('conversations', {
      touchpoint: 'web',
      contact: contact(),
      meta: { name },
      messages: [
        { role: 'contact', text: name },
        { role: 'agent', text: name, actions, meta: { name } },
      ],
    })
  const conversation = await converse()
  const messages = conversation.messages as string[]
  await joinAll(app, conversation.id, [user.id])
  const webhook = await make('services', {
    name,
    type: 'webhook',
    status: 'inactive',
    params: { url: 'https://example.com/hook' },
    meta: { name },
  })
  // Without settings nothing is read.
  const mailbox = await make('services', { name, type: 'mailbox', params: {}, meta: { name } })
  const upload = await uploadImage(app, await app.tokenFor(admin), { name: `${name}.png` })
  const records = {
    organization: organization.id,
    spare: spare.id,
    organizationGroup: (await make('orggroups', { name, members: [organization.id] })).id,
    user: user.id,
    bot: bot.id,
    channel: channel.id,
    workflow: workflow.id,
    rule: (workflow.rules as { id: string }[])[0]!.id,
    workflowDraft: await makeDraft(app, admin, workflow.id),
    conversation: conversation.id,
    origin: (await converse()).id,
    message: messages.at(-1)!,
    contact: conversation.contact as string,
    idleContact: (await make('contacts', contact())).id,
    erasure: (await make(`contacts/${(await make('contacts', contact())).id}/erasure`, { reason: 'requested' })).id,
    webhook: webhook.id,
    mailbox: mailbox.id,
    mailboxEntry: await makeMailboxEntry(app, mailbox.id),
    contactExport: (await make(`contacts/${conversation.contact as string}/export`, {})).id,
    form: (await make('forms', { name, fields: [{ key: 'a', label: name }], meta: { name } })).id,
    article: (await make('articles', { title: name, body: name, meta: { name } })).id,
    file: (await make('files', { name, url: 'https://example.com/a.pdf' })).id,
    location: (await make('locations', { name })).id,
    cannedResponse: await makeCannedResponse(app, admin, name),
    reasonCode: (await make('reasoncodes', { name })).id,
    skill: (await make('skills', { name })).id,
    contactNote: (await make(`contacts/${conversation.contact as string}/notes`, { text: name })).id,
    hold: (await make('holds', { name, reason: name, contacts: [(await make('contacts', contact())).id] })).id,
    label: (await make('labels', { name: name.slice(0, 40) })).id,
    domain: (await make('domains', { name: `${name.toLowerCase()}.example` })).id,
    macro: (await make('macros', { name: name.slice(0, 80), isShared: true, steps: [{ kind: 'note', text: name }] }))
      .id,
    view: (await make('views', { name: name.slice(0, 80), isShared: true, filter: { status: { eq: 'queued' } } })).id,
    holidayCalendar: (await make('holidaycalendars', { name, days: [{ firstDay: '2030-12-25', name }] })).id,
    schedule: (await make('schedules', { name, timezone: 'UTC', spans: [ALWAYS] })).id,
    slaPolicy: (await make('slapolicies', { name, targets: [{ clock: 'queue', minutes: 5 }] })).id,
    attachment: ((await upload.json()) as { id: string }).id,
  }
  return {
    ...records,
    ...(await makeRetention(app, make)),
    pendingChange: await insertPendingChange(app, organization.id),
    sparePendingChange: await insertPendingChange(app, organization.id),
    ...(await makeDelivery(app, place, records)),
    sending: await makeSending(app, records),
    offer: await makeEndedOffer(app, records),
    rating: await makeRating(app, records),
  }
}

/** A neighbour of a branch, as it can have none below it; a child of any other organization. */
function above({ id, name, path }: MadeOrganization): MadeOrganization {
  return path.length < 3 ? { id, name, path } : { id: path[1]!, name, path: [path[0], path[1]!] }
}

async function makeDraft(app: TestServer, admin: MadeUser, workflow: string): Promise<string> {
  const text = 'mutation ($w: ID!) { saveWorkflowDraft(workflow: $w, rules: []) { id } }'
  const { data, errors } = await app.gql(admin, text, { w: workflow })
  if (errors) throw new Error(JSON.stringify(errors))
  return data.saveWorkflowDraft.id as string
}

/** Terms that nothing is old enough for, and a run of one. */
async function makeRetention(
  app: TestServer,
  make: (path: string, body: object) => Promise<{ id: string }>,
): Promise<{ retentionPolicy: string; spareRetention: string; retentionRun: string }> {
  const [policy, spare] = [
    await make('retentionpolicies', { subject: 'conversations', days: 3_650 }),
    await make('retentionpolicies', { subject: 'attachments', days: 3_650 }),
  ]
  return { retentionPolicy: policy.id, spareRetention: spare.id, retentionRun: await insertRun(app, policy.id) }
}

async function makeDelivery(
  app: TestServer,
  place: Place,
  { organization, webhook, conversation }: Pick<Records, 'organization' | 'webhook' | 'conversation'>,
): Promise<{ event: string; delivery: string }> {
  const sql = app.server.database
  const event = crypto.randomUUID()
  const head = { id: event, event: 'message.create', timestamp: new Date().toISOString(), organization }
  const body = { ...head, data: { message: { text: markOf(place) }, links: {} }, activity: {} }
  await sql.query(
    `insert into webhook_event (id, stream, number, event, at, organization_id, conversation_id, partition, position, place, body)
     values ($1, $2, 1, 'message.create', now(), $3, $4, $2, 1, 0, $5)`,
    [event, `conversation:${conversation}`, organization, conversation, JSON.stringify(body)],
  )
  const [made] = await sql.query<{ id: string }>(
    `insert into webhook_delivery (event_id, service_id, partition, position, place, status, pending_since, finished_at)
     values ($1, $2, $3, 1, 0, 'delivered', now(), now()) returning id`,
    [event, webhook, `conversation:${conversation}`],
  )
  return { event, delivery: made!.id }
}

async function makeMailboxEntry(app: TestServer, mailbox: string): Promise<string> {
  const sql = app.server.database
  const id = crypto.randomUUID()
  await sql.query(
    `insert into mailbox_epoch (id, service_id, folder, uidvalidity, uidnext, first_uid, last_uid, why, began_at)
     values ($1, $2, 'INBOX', 1, 2, 0, 1, 'first', now())`,
    [id, mailbox],
  )
  await sql.query(
    `insert into mailbox_entry (id, epoch_id, service_id, uid, state, reason, listed_at, settled_at)
     values ($1, $1, $2, 1, 'unreadable', 'it is empty', now(), now())`,
    [id, mailbox],
  )
  return id
}

async function makeCannedResponse(app: TestServer, admin: MadeUser, text: string): Promise<string> {
  const create = 'mutation ($input: CreateCannedResponseInput!) { createCannedResponse(input: $input) { id } }'
  const { data } = await app.gql(admin, create, { input: { shortcut: 'hello', text } })
  return data.createCannedResponse.id as string
}

async function makeEndedOffer(
  app: TestServer,
  { conversation, channel }: Pick<Records, 'conversation' | 'channel'>,
): Promise<string> {
  const id = crypto.randomUUID()
  await app.server.database.query(
    `insert into offer (id, conversation_id, queueing, channel_id, user_id, made_at, until, outcome, ended_at)
     values ($1, $2, 1, $3, $4, now(), now(), 'expired', now())`,
    [id, conversation, channel, crypto.randomUUID()],
  )
  return id
}

async function makeRating(
  app: TestServer,
  { conversation, channel }: Pick<Records, 'conversation' | 'channel'>,
): Promise<string> {
  const id = crypto.randomUUID()
  await app.server.database.query(
    `insert into rating (id, organization_id, org1, org2, org3, created_at, updated_at, conversation_id, case_conversation_id,
       case_at, contact_id, channel_id, channels, touchpoint, scale, asked_at, expires_at)
     select $1, organization_id, org1, org2, org3, now(), now(), id, id, now(), contact_id, $3, array[$3::uuid], 'web', 'five',
       now(), now() + interval '14 days' from conversation where id = $2`,
    [id, conversation, channel],
  )
  return id
}

async function makeSending(
  app: TestServer,
  { conversation, message }: Pick<Records, 'conversation' | 'message'>,
): Promise<string> {
  const id = crypto.randomUUID()
  await app.server.database.query(
    `insert into delivery (id, organization_id, org1, org2, org3, conversation_id, message_id, touchpoint, status, created_at, updated_at)
     select $1, organization_id, org1, org2, org3, $2, id, 'sms', 'failed', now(), now() from message where id = $3`,
    [id, conversation, message],
  )
  return id
}

/** Tables of the records, and the column that says which row is a record's. */
const TABLES: readonly [table: string, column: string, kind: Kind][] = [
  ['organization', 'id', 'spare'],
  ['organization_group', 'id', 'organizationGroup'],
  ['app_user', 'id', 'user'],
  ['app_user', 'id', 'bot'],
  ['channel', 'id', 'channel'],
  ['channel_member', 'channel_id', 'channel'],
  ['workflow', 'id', 'workflow'],
  ['workflow_change', 'workflow_id', 'workflow'],
  ['workflow_version_rule', 'workflow_id', 'workflow'],
  ['workflow_draft', 'id', 'workflowDraft'],
  ['contact', 'id', 'contact'],
  ['contact', 'id', 'idleContact'],
  ['conversation', 'id', 'conversation'],
  ['participant', 'conversation_id', 'conversation'],
  ['message', 'conversation_id', 'conversation'],
  ['service', 'id', 'webhook'],
  ['webhook', 'service_id', 'webhook'],
  ['webhook_event', 'id', 'event'],
  ['webhook_delivery', 'id', 'delivery'],
  ['service', 'id', 'mailbox'],
  ['mailbox_epoch', 'id', 'mailboxEntry'],
  ['mailbox_entry', 'id', 'mailboxEntry'],
  ['form', 'id', 'form'],
  ['article', 'id', 'article'],
  ['file', 'id', 'file'],
  ['location', 'id', 'location'],
  ['canned_response', 'id', 'cannedResponse'],
  ['reason_code', 'id', 'reasonCode'],
  ['skill', 'id', 'skill'],
  ['contact_note', 'id', 'contactNote'],
  ['erasure', 'id', 'erasure'],
  ['contact_export', 'id', 'contactExport'],
  ['hold', 'id', 'hold'],
  ['retention_policy', 'id', 'retentionPolicy'],
  ['retention_policy', 'id', 'spareRetention'],
  ['retention_run', 'id', 'retentionRun'],
  ['pending_change', 'id', 'pendingChange'],
  ['pending_change', 'id', 'sparePendingChange'],
  ['label', 'id', 'label'],
  ['macro', 'id', 'macro'],
  ['view', 'id', 'view'],
  ['domain', 'id', 'domain'],
  ['holiday_calendar', 'id', 'holidayCalendar'],
  ['schedule', 'id', 'schedule'],
  ['sla_policy', 'id', 'slaPolicy'],
  ['attachment', 'id', 'attachment'],
  ['conversation', 'id', 'origin'],
  ['contact', 'id', 'origin'],
  ['message', 'conversation_id', 'origin'],
  ['delivery', 'id', 'sending'],
  ['offer', 'id', 'offer'],
]

interface ServiceRow {
  id: string
  sealed_params: string | null
}

/** Key of the world's server, by which copies of services are sealed as their own. */
export const SECRETS_KEY = Buffer.alloc(KEY_BYTES, 7).toString('base64')
const SEALER = new Sealer([Buffer.from(SECRETS_KEY, 'base64')])

async function copier(
  app: TestServer,
  records: Readonly<Record<Place, Records>>,
): Promise<(place: Place) => Promise<Records>> {
  const sql = app.server.database
  // What is unique besides ids is made of them, so that it differs between the copies.
  await sql.query(`update conversation set slug = id::text`)
  await sql.query(`update form set name = name || id`)
  await sql.query(`update canned_response set shortcut = id::text`)
  await sql.query(`update reason_code set name = id::text`)
  await sql.query(`update skill set name = id::text`)
  await sql.query(`update label set name = id::text`)
  await sql.query(`update macro set name = id::text`)
  await sql.query(`update view set name = id::text`)
  await sql.query(`update domain set name = id || '.example'`)
  await sql.query(
    `update contact set email = id || '@example.com', profile = profile || jsonb_build_object('email', id || '@example.com')`,
  )
  const templates = new Map<Place, { ids: string[]; text: string }>()
  for (const place of PLACES) {
    const rows: Record<string, object[]> = {}
    for (const [table, column, kind] of TABLES) {
      const where =
        table === 'contact' && kind === 'origin'
          ? 'id = (select contact_id from conversation where id = $1)'
          : `${column} = $1`
      const found = await sql.query<{ row: object }>(`select to_jsonb(t) as row from ${table} t where ${where}`, [
        records[place][kind],
      ])
      ;(rows[table] ??= []).push(...found.map(({ row }) => row))
    }
    const named = Object.entries(records[place]).flatMap(([kind, id]) => (kind === 'organization' ? [] : [id]))
    const inner = [...(rows.message ?? []), ...(rows.contact ?? [])].map((row) => (row as { id: string }).id)
    // A sealed text opens in its own row only.
    for (const row of (rows.service ?? []) as ServiceRow[]) {
      if (row.sealed_params) row.sealed_params = SEALER.open(SEALED.service, row.id, row.sealed_params)
    }
    templates.set(place, { ids: [...new Set([...named, ...inner])], text: JSON.stringify(rows) })
  }
  const tables = [...new Set(TABLES.map(([table]) => table))]
  const inserts = await Promise.all(
    tables.map(async (table) => {
      const columns = await sql.query<{ name: string }>(
        `select quote_ident(column_name) as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      )
      const names = columns.map(({ name }) => name).join(', ')
      return `${table}_rows as (insert into ${table} (${names})
      select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb -> '${table}'))`
    }),
  )
  /** One after another: they delete the same rows. */
  let trimming = Promise.resolve()
  return async (place) => {
    const { ids, text } = templates.get(place)!
    const fresh = new Map(ids.map((id) => [id, app.clock.newId()]))
    const rows = text.replace(new RegExp(ids.join('|'), 'g'), (id) => fresh.get(id)!)
    trimming = trimming.then(() => undeadlocked(() => trim(sql, records[place])))
    await trimming
    const copies = JSON.parse(rows) as { service: ServiceRow[] }
    for (const row of copies.service) {
      if (row.sealed_params) row.sealed_params = SEALER.seal(SEALED.service, row.id, row.sealed_params)
    }
    await sql.query(`with ${inserts.join(', ')} select 1`, [JSON.stringify(copies)])
    const copied = Object.entries(records[place]).map(([kind, id]) => [kind, fresh.get(id) ?? id])
    return Object.fromEntries(copied) as Records
  }
}

/** Records of which an organization has a limited number, and those that something else names: they stay. */
const LIMITED: readonly (readonly [table: string, kind: Kind, inUse?: string])[] = [
  ['hold', 'hold'],
  ['workflow', 'workflow'],
  ['reason_code', 'reasonCode'],
  ['label', 'label'],
  ['domain', 'domain'],
  ['macro', 'macro'],
  ['view', 'view'],
  ['skill', 'skill', 'select 1 from staff_skill h where h.skill_id = t.id'],
  ['sla_policy', 'slaPolicy'],
  ['holiday_calendar', 'holidayCalendar', 'select 1 from schedule s where s.calendar_ids @> array[t.id]'],
  ['schedule', 'schedule', 'select 1 from sla_policy p where p.schedule_id = t.id'],
]

/** Deletes copies that no case uses any more, where an organization has a limit of them. */
async function trim(sql: Sql, records: Records): Promise<void> {
  const older = (table: string, inUse?: string): string =>
    `(select id from ${table} t where organization_id = $1 and id <> $2
       ${inUse ? `and not exists (${inUse})` : ''} order by created_at desc, id desc offset 50)`
  for (const [table, kind, inUse] of LIMITED) {
    await sql.query(`delete from ${table} where id in ${older(table, inUse)}`, [records.organization, records[kind]])
  }
  // Nor does one user take part in thousands of channels.
  await sql.query(`delete from channel_member where channel_id in ${older('channel')}`, [
    records.organization,
    records.channel,
  ])
}

/** Repeats housekeeping that met an operation under way in another order of locks. */
async function undeadlocked(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01') throw error
    }
  }
}

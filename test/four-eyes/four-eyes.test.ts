import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { unlockOwner } from '../../src/app/center/unlock-owner.js'
import { readConfig } from '../../src/platform/config.js'

import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { makeFourEyesPlace, type FourEyesPlace } from './four-eyes-fixture.js'

const HOUR_MS = 3_600_000
const HOLD = `mutation ($i: CreateHoldInput!) { createHold(input: $i) { id version } }`
const RELEASE = 'mutation ($id: ID!) { releaseHold(id: $id) { id releasedAt } }'
const RENAME = 'mutation ($id: ID!) { updateHold(id: $id, patch: { name: "Other" }) { id } }'
const FETCH_HOLD = 'query ($id: ID!) { hold(id: $id) { releasedAt releasedById } }'
const ERASE = `mutation ($id: ID!, $k: String) { eraseContact(id: $id, reason: REQUESTED, idempotencyKey: $k) { id status } }`
const DELETE_CONTACT = 'mutation ($id: ID!) { deleteContact(id: $id) }'
const RETAIN = `mutation ($i: CreateRetentionPolicyInput!, $k: String) {
  createRetentionPolicy(input: $i, idempotencyKey: $k) { id days startsAt } }`
const CHANGE_TERM = `mutation ($id: ID!, $p: UpdateRetentionPolicyInput!) { updateRetentionPolicy(id: $id, patch: $p) { id days } }`
const LIST = `query ($after: String, $f: PendingChangeFilter) { pendingChanges(first: 2, after: $after, filter: $f) {
  totalCount pageInfo { hasNextPage endCursor } nodes { id status proposedBy { id displayName } organization { id } orgPath } } }`

/** Two nodes without Redis: the second hears of nothing. */
let one: TestServer
let other: TestServer
let place: FourEyesPlace
beforeAll(async () => {
  one = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
  other = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' }, { beside: one })
})
afterAll(async () => {
  await other.close()
  await one.close()
})
beforeEach(async () => {
  place = await makeFourEyesPlace(one, { erasure: true, hold: true, retention: true, signIn: true })
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => one.server.database.query(text, values)

async function makeContact(name = 'Bo'): Promise<string> {
  const input = { organization: place.center.id, profile: { name } }
  return (await one.rest(await one.tokenFor(place.ann), 'POST', '/v2/contacts', input)).body.id as string
}

async function makeHold(contact: string, as = place.ann): Promise<string> {
  const i = { name: 'Case 7', reason: 'A court asked', contacts: [contact] }
  const { data, message } = await place.run(as, HOLD, { i })
  if (message) throw new Error(message)
  return data!.createHold.id as string
}

const isReleased = async (hold: string): Promise<boolean> =>
  (await place.run(place.ann, FETCH_HOLD, { id: hold })).data!.hold.releasedAt !== null

const isThere = async (contact: string): Promise<boolean> =>
  (await sql('select 1 from contact where id = $1 and erasing_at is null', [contact])).length > 0

/** Proposes to release a new hold. */
async function proposeRelease(as = place.ann): Promise<{ hold: string; change: string }> {
  const hold = await makeHold(await makeContact())
  return { hold, change: await place.proposed(place.run(as, RELEASE, { id: hold })) }
}

describe('a change in a guarded area', () => {
  it('waits, is carried out when another administrator approves it, and names both in the audit log', async () => {
    const { hold, change } = await proposeRelease()
    expect(await isReleased(hold)).toBe(false)
    expect(await place.fetch(change)).toMatchObject({
      area: 'HOLD',
      operation: 'releaseHold',
      objectType: 'hold',
      objectId: hold,
      objectName: 'Case 7',
      input: { id: hold },
      status: 'PENDING',
      proposedById: place.ann.id,
      decidedById: null,
    })
    expect(await place.actions(hold)).toEqual(['createHold'])
    const { data } = await place.approve(change)
    expect(data!.approveChange).toMatchObject({ status: 'APPROVED', decidedById: place.bob.id })
    expect(await isReleased(hold)).toBe(true)
    expect((await place.run(place.ann, FETCH_HOLD, { id: hold })).data!.hold.releasedById).toBe(place.bob.id)
    expect(await place.actions(change)).toEqual(['proposeChange', 'approveChange'])
    expect(await place.actions(hold)).toEqual(['createHold', 'releaseHold'])
    const [entry] = await sql<{ actor: object; details: object }>(
      `select actor, details from audit_entry where object ->> 'id' = $1 and action = 'approveChange'`,
      [change],
    )
    expect(entry).toMatchObject({
      actor: { kind: 'user', id: place.bob.id },
      details: { operation: 'releaseHold', proposedBy: place.ann.id, object: { type: 'hold', id: hold } },
    })
    // Repeated by the same administrator it is the same; nobody else decides again.
    expect((await place.approve(change)).data!.approveChange.status).toBe('APPROVED')
    expect(await place.refuse(change)).toMatchObject({ reason: 'CHANGE_DECIDED' })
  })

  it('is refused at once where it could not be made, and holds are made without a second person', async () => {
    const missing = crypto.randomUUID()
    expect(await place.run(place.ann, RELEASE, { id: missing })).toMatchObject({ code: 'NOT_FOUND' })
    const contact = await makeContact()
    await makeHold(contact)
    expect(await place.run(place.ann, DELETE_CONTACT, { id: contact })).toMatchObject({ reason: 'ON_HOLD' })
    const i = { subject: 'CONTACTS', days: 0 }
    expect(await place.run(place.ann, RETAIN, { i })).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(await sql('select 1 from pending_change where organization_id = $1', [place.center.id])).toEqual([])
  })

  it('is decided neither by whoever proposed it, nor by those below, nor by another contact center, nor by a bot', async () => {
    const { change, hold } = await proposeRelease()
    const team = await one.makeOrganization({ parent: place.center })
    const below = await one.makeUser({ organization: team, role: 'admin' })
    const elsewhere = (await makeFourEyesPlace(one, null)).ann
    const agent = await one.makeUser({ organization: place.center, role: 'agent' })
    const bot = await one.makeUser({ organization: place.center, role: 'bot' })
    expect(await place.approve(change, place.ann)).toMatchObject({ code: 'UNPROCESSABLE', reason: 'SAME_USER' })
    expect(await place.refuse(change, place.ann)).toMatchObject({ reason: 'SAME_USER' })
    expect(await place.approve(change, below)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await place.approve(change, elsewhere)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await place.refuse(change, elsewhere)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await place.approve(change, agent)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await place.approve(change, bot)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await place.withdraw(change, place.bob)).toMatchObject({ code: 'UNPROCESSABLE' })
    expect(await isReleased(hold)).toBe(false)
    expect((await place.fetch(change)).status).toBe('PENDING')
  })

  it('of an organization below waits for an administrator of that organization or one above', async () => {
    const team = await one.makeOrganization({ parent: place.center })
    const below = await one.makeUser({ organization: team, role: 'admin' })
    const i = { subject: 'CONTACTS', days: 30 }
    const change = await place.proposed(place.run(below, RETAIN, { i }))
    expect((await place.approve(change, place.bob)).data!.approveChange.status).toBe('APPROVED')
    // The default was whoever proposed it, not whoever approved.
    expect(await sql('select days from retention_policy where organization_id = $1', [team.id])).toEqual([{ days: 30 }])
  })

  it('is refused with a ground, or withdrawn, for good', async () => {
    const first = await proposeRelease()
    const { data } = await place.refuse(first.change, place.bob, '  The case goes on  ')
    expect(data!.refuseChange).toMatchObject({
      status: 'REFUSED',
      comment: 'The case goes on',
      decidedById: place.bob.id,
    })
    expect(await place.approve(first.change)).toMatchObject({
      reason: 'CHANGE_DECIDED',
      details: { status: 'REFUSED' },
    })
    const second = await proposeRelease()
    expect((await place.withdraw(second.change)).data!.withdrawChange.status).toBe('WITHDRAWN')
    expect(await place.approve(second.change)).toMatchObject({ reason: 'CHANGE_DECIDED' })
    expect(await isReleased(first.hold)).toBe(false)
    expect(await place.actions(first.change)).toEqual(['proposeChange', 'refuseChange'])
    expect(await place.actions(second.change)).toEqual(['proposeChange', 'withdrawChange'])
    expect(await place.refuse(first.change, place.bob, 'x'.repeat(501))).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('is the same one when it is repeated, and one answer to an idempotency key, also once it is approved', async () => {
    const { hold, change } = await proposeRelease()
    expect(await place.proposed(place.run(place.ann, RELEASE, { id: hold }))).toBe(change)
    const i = { subject: 'CONTACTS', days: 30 }
    const k = crypto.randomUUID()
    const keyed = await place.proposed(place.run(place.ann, RETAIN, { i, k }))
    expect(await place.proposed(place.run(place.ann, RETAIN, { i, k }))).toBe(keyed)
    expect(await place.run(place.ann, RETAIN, { i: { ...i, days: 31 }, k })).toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    })
    await place.approve(keyed)
    expect(await place.proposed(place.run(place.ann, RETAIN, { i, k }))).toBe(keyed)
    expect(await sql('select 1 from retention_policy where organization_id = $1', [place.center.id])).toHaveLength(1)
  })

  it('is proposed anew once its record was changed, since the earlier one can be approved no more', async () => {
    const { hold, change } = await proposeRelease()
    await place.run(place.bob, RENAME, { id: hold })
    const anew = await place.proposed(place.run(place.ann, RELEASE, { id: hold }))
    expect(anew).not.toBe(change)
    expect((await place.approve(anew)).data!.approveChange.status).toBe('APPROVED')
    expect(await isReleased(hold)).toBe(true)
  })

  it('of two that approve it on two nodes at once, one carries it out', async () => {
    const { change } = await proposeRelease()
    const third = await one.makeUser({ organization: place.center, role: 'admin' })
    const outcomes = await Promise.all([place.approve(change, place.bob), place.approve(change, third, other)])
    expect(outcomes.map(({ reason }) => reason).toSorted()).toEqual(['CHANGE_DECIDED', null].toSorted())
    expect(await place.actions(change)).toEqual(['proposeChange', 'approveChange'])
  })

  it('is listed in pages, by filters, for administrators alone', async () => {
    for (let count = 0; count < 3; count += 1) await proposeRelease()
    const f = { status: { eq: 'PENDING' }, proposedBy: { eq: place.ann.id } }
    const first = (await place.run(place.bob, LIST, { f })).data!.pendingChanges
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
    expect(first.nodes[0]).toMatchObject({ proposedBy: { id: place.ann.id }, organization: { id: place.center.id } })
    const rest = (await place.run(place.bob, LIST, { f, after: first.pageInfo.endCursor })).data!.pendingChanges
    expect(rest.nodes).toHaveLength(1)
    const agent = await one.makeUser({ organization: place.center, role: 'agent' })
    expect(await place.run(agent, LIST)).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('ends after 72 hours by a job, which a restart does not lose, and is approved no more', async () => {
    const { change, hold } = await proposeRelease()
    expect(Date.parse((await place.fetch(change)).expiresAt) - one.clock.now().getTime()).toBeGreaterThan(
      71.9 * HOUR_MS,
    )
    // The job of the database, on a node that did not add it.
    await sql(`update pending_change set expires_at = now() - interval '1 second' where id = $1`, [change])
    expect(await place.approve(change)).toMatchObject({ reason: 'CHANGE_DECIDED', details: { status: 'EXPIRED' } })
    await sql(`update job set run_at = now() where kind = 'pendingChange.expire' and payload ->> 'change' = $1`, [
      change,
    ])
    await until(
      () => place.fetch(change),
      ({ status }) => status === 'EXPIRED',
    )
    expect(await place.actions(change)).toEqual(['proposeChange', 'expireChange'])
    expect(await isReleased(hold)).toBe(false)
  })
})

describe('when a change is approved', () => {
  it('whoever proposed it must still be allowed to make it', async () => {
    const archived = await proposeRelease()
    const demoted = await proposeRelease()
    await sql(`update app_user set status = 'archived' where id = $1`, [place.ann.id])
    expect(await place.approve(archived.change)).toMatchObject({ reason: 'PROPOSER_GONE' })
    await sql(`update app_user set status = 'active', role = 'agent' where id = $1`, [place.ann.id])
    expect(await place.approve(demoted.change)).toMatchObject({ reason: 'PROPOSER_GONE' })
    await sql(`update app_user set role = 'admin' where id = $1`, [place.ann.id])
    for (const { change, hold } of [archived, demoted]) {
      expect(await place.fetch(change)).toMatchObject({ status: 'VOID', comment: 'PROPOSER_GONE' })
      expect(await isReleased(hold)).toBe(false)
      expect(await place.actions(change)).toEqual(['proposeChange', 'voidChange'])
    }
  })

  it('its record must be as it was, and there', async () => {
    const changed = await proposeRelease()
    await place.run(place.bob, RENAME, { id: changed.hold })
    expect(await place.approve(changed.change)).toMatchObject({ code: 'UNPROCESSABLE', reason: 'CHANGED_MEANWHILE' })
    expect((await place.fetch(changed.change)).status).toBe('VOID')
    expect(await isReleased(changed.hold)).toBe(false)
    const contact = await makeContact()
    const gone = await place.proposed(place.run(place.ann, ERASE, { id: contact }))
    await sql('delete from contact where id = $1', [contact])
    expect(await place.approve(gone)).toMatchObject({ code: 'NOT_FOUND' })
    expect((await place.fetch(gone)).status).toBe('VOID')
  })

  it('an erasure is blocked by a hold that was made meanwhile, a deletion is refused and goes on waiting', async () => {
    const [erased, deleted] = [await makeContact(), await makeContact()]
    const erasure = await place.proposed(place.run(place.ann, ERASE, { id: erased }))
    const deletion = await place.proposed(place.run(place.ann, DELETE_CONTACT, { id: deleted }))
    const holds = [await makeHold(erased), await makeHold(deleted)]
    expect((await place.approve(erasure)).data!.approveChange.status).toBe('APPROVED')
    expect(await sql('select status from erasure where contact_id = $1', [erased])).toEqual([{ status: 'blocked' }])
    expect(await place.approve(deletion)).toMatchObject({ reason: 'ON_HOLD' })
    expect((await place.fetch(deletion)).status).toBe('PENDING')
    expect([await isThere(erased), await isThere(deleted)]).toEqual([true, true])
    for (const id of holds) await place.approve(await place.proposed(place.run(place.ann, RELEASE, { id })))
    expect((await place.approve(deletion)).data!.approveChange.status).toBe('APPROVED')
    expect(await isThere(deleted)).toBe(false)
    await until(
      () => isThere(erased),
      (there) => !there,
    )
  })

  it('a term begins a day after the approval, and a change of it is made to the version that was seen', async () => {
    const startsAt = new Date(one.clock.now().getTime() + 24.5 * HOUR_MS).toISOString()
    const change = await place.proposed(
      place.run(place.ann, RETAIN, { i: { subject: 'CONTACTS', days: 90, startsAt } }),
    )
    // As if an hour had passed.
    await sql(`update app_user set status = status where id = $1`, [place.ann.id])
    await place.approve(change)
    const [policy] = await sql<{ id: string; starts_at: Date; created_by_id: string }>(
      'select id, starts_at, created_by_id from retention_policy where organization_id = $1',
      [place.center.id],
    )
    expect(policy!.starts_at.toISOString()).toBe(startsAt)
    const [shorter, longer] = [
      await place.proposed(place.run(place.ann, CHANGE_TERM, { id: policy!.id, p: { days: 60, confirmed: true } })),
      await place.proposed(place.run(place.bob, CHANGE_TERM, { id: policy!.id, p: { days: 120 } })),
    ]
    expect((await place.approve(longer, place.ann)).data!.approveChange.status).toBe('APPROVED')
    expect(await place.approve(shorter)).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
    expect(await sql('select days from retention_policy where id = $1', [policy!.id])).toEqual([{ days: 120 }])
    // Its start, sent back as it was read, is in the past by now, and stays.
    const begun = new Date(one.clock.now().getTime() - 30 * 24 * HOUR_MS)
    await sql('update retention_policy set starts_at = $2 where id = $1', [policy!.id, begun])
    const p = { days: 150, startsAt: begun.toISOString() }
    await place.approve(await place.proposed(place.run(place.ann, CHANGE_TERM, { id: policy!.id, p })))
    expect(await sql('select days, starts_at from retention_policy where id = $1', [policy!.id])).toEqual([
      { days: 150, starts_at: begun },
    ])
  })
})

describe('setFourEyes', () => {
  it('guards at once, and guards no more only when another administrator agrees', async () => {
    const change = await place.proposed(place.set({ hold: false }))
    expect(await place.fetch(change)).toMatchObject({ area: 'FOUR_EYES', operation: 'setFourEyes' })
    const hold = await makeHold(await makeContact())
    await place.proposed(place.run(place.ann, RELEASE, { id: hold }))
    expect((await place.approve(change)).data!.approveChange.status).toBe('APPROVED')
    expect((await place.run(place.ann, RELEASE, { id: hold })).data!.releaseHold.releasedAt).not.toBeNull()
    expect((await place.set({ hold: true })).data!.setFourEyes).toMatchObject({ hold: true, erasure: true, version: 3 })
    // Proposed of another version, it cannot undo what was set since.
    const stale = await place.proposed(place.set({ erasure: false }))
    const fresh = await place.proposed(place.set({ signIn: false }))
    await place.approve(fresh)
    expect(await place.approve(stale)).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
  })

  it('undoes nothing that was set at the same moment, by guessing its version', async () => {
    const own = await makeFourEyesPlace(one, { erasure: true })
    const client = await one.server.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select 1 from organization where id = $1 for no key update', [own.center.id])
      const guess = own.set({ hold: false, ifVersion: 2 })
      let isAnswered = false
      void guess.then(() => (isAnswered = true))
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%organization%'`
      await until(
        () => sql(waits),
        (found) => isAnswered || found.length > 0,
      )
      await client.query('update four_eyes set hold = true, version = 2 where organization_id = $1', [own.center.id])
      await client.query('commit')
      expect(await guess).toMatchObject({ code: 'PRECONDITION_FAILED', details: { version: 1 } })
    } finally {
      client.release()
    }
    expect(await sql('select hold, version from four_eyes where organization_id = $1', [own.center.id])).toEqual([
      { hold: true, version: 2 },
    ])
  })

  it('is refused below level 1, and where nobody else could approve', async () => {
    const team = await one.makeOrganization({ parent: place.center })
    const below = await one.makeUser({ organization: team, role: 'admin' })
    expect(await place.set({ hold: true }, below)).toMatchObject({ code: 'FORBIDDEN' })
    const alone = await one.makeUser({ organization: await one.makeOrganization(), role: 'admin' })
    await one.makeUser({ organization: alone.organization, role: 'admin', status: 'archived' })
    await one.makeUser({ organization: alone.organization, role: 'agent' })
    expect(await place.set({ hold: true }, alone)).toMatchObject({ code: 'UNPROCESSABLE', reason: 'WOULD_LOCK_OUT' })
    expect((await place.set({}, alone)).data!.setFourEyes).toMatchObject({ hold: false, approvers: 0 })
  })

  it('refuses changes once nobody else is left, until another is made, or the operator ends it on the machine', async () => {
    const organization = await one.makeOrganization()
    const owner = await one.makeUser({ organization, role: 'owner' })
    const second = await one.makeUser({ organization, role: 'admin' })
    expect((await place.set({ retention: true }, owner)).data!.setFourEyes.retention).toBe(true)
    await sql(`update app_user set status = 'archived' where id = $1`, [second.id])
    const i = { subject: 'CONTACTS', days: 30 }
    const refused = await place.run(owner, RETAIN, { i })
    expect(refused).toMatchObject({ code: 'UNPROCESSABLE', reason: 'NO_APPROVER' })
    const config = readConfig({ DATABASE_URL: one.databaseUrl, DATABASE_POOL_SIZE: '2' })
    const unlock = (): Promise<string> => unlockOwner(config, pino({ level: 'silent' }), [owner.email, '--four-eyes'])
    expect(await unlock()).toContain('retention')
    expect(await unlock()).toContain('nothing')
    expect((await place.run(owner, RETAIN, { i })).data!.createRetentionPolicy.days).toBe(30)
    expect(await place.actions(owner.id)).toEqual(['ownerUnlock', 'ownerUnlock'])
  })
})

describe('/v2', () => {
  it('answers a guarded change with 422 and the change, and lists and decides it', async () => {
    const contact = await makeContact()
    const [ann, bob] = [await one.tokenFor(place.ann), await one.tokenFor(place.bob)]
    const { status, body } = await one.rest(ann, 'DELETE', `/v2/contacts/${contact}`)
    expect([status, body]).toEqual([422, expect.objectContaining({ reason: 'APPROVAL_NEEDED' })])
    const id = body.pendingChange as string
    const list = await one.rest(bob, 'GET', '/v2/pendingchanges?status=pending')
    expect(list.body).toEqual([
      expect.objectContaining({
        id,
        operation: 'deleteContact',
        object: contact,
        area: 'erasure',
        proposedBy: place.ann.id,
      }),
    ])
    expect(await isThere(contact)).toBe(true)
    const approved = await one.rest(bob, 'POST', `/v2/pendingchanges/${id}/approve`)
    expect([approved.status, approved.body.status]).toEqual([200, 'approved'])
    expect(await isThere(contact)).toBe(false)
    expect((await one.rest(bob, 'GET', '/v2/foureyes')).body).toMatchObject({ erasure: true, approvers: 2 })
    expect((await one.rest(ann, 'PATCH', '/v2/foureyes', { erasure: false })).status).toBe(422)
  })
})

describe('what is told of a change', () => {
  it('is ids and what was decided, to webhooks and lists', async () => {
    const { change } = await proposeRelease()
    await place.approve(change)
    const events = await sql<{ type: string; data: Record<string, unknown> }>(
      `select type, data from event where type like 'pendingChange.%' and data ->> 'id' = $1 order by number`,
      [change],
    )
    const base = {
      id: change,
      organization: place.center.id,
      area: 'hold',
      operation: 'releaseHold',
      proposedBy: place.ann.id,
    }
    expect(events).toEqual([
      { type: 'pendingChange.created', data: { ...base, status: 'pending', decidedBy: null } },
      { type: 'pendingChange.updated', data: { ...base, status: 'approved', decidedBy: place.bob.id } },
    ])
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { QUESTIONS_PER_MINUTE } from '../../src/modules/sso/domains/sign-in-methods.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startNameServer, type NameServer } from '../support/name-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js'
import { makeProvider, PASSWORD, PUBLIC_URL, verifyDomain } from './sso-fixture.js'

interface Domain {
  id: string
  name: string
  status: string
  record: { name: string; value: string }
  missingSince: string | null
}

const FIELDS = 'id name status record { name value } missingSince'
const ADD = `mutation ($input: AddDomainInput!) { addDomain(input: $input) { ${FIELDS} } }`
const VERIFY = `mutation ($id: ID!) { verifyDomain(id: $id) { ${FIELDS} } }`
const FETCH = `query ($id: ID!) { domain(id: $id) { ${FIELDS} } }`
const REMOVE = 'mutation ($id: ID!) { removeDomain(id: $id) }'
const METHODS = 'query ($email: String!) { signInMethods(email: $email) { providers { id name url } } }'

let server: TestServer
let names: NameServer
let provider: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
let count = 0

beforeAll(async () => {
  names = await startNameServer()
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true', DNS_SERVERS: names.address })
  provider = await startIdentityProvider()
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin', password: PASSWORD })
})
afterEach(() => names.recover())
afterAll(async () => {
  await server.close()
  await names.close()
  await provider.close()
})

const newName = (): string => `d${++count}.example`
type Answer = Awaited<ReturnType<TestServer['gql']>>
const reasonOf = ({ errors }: Pick<Answer, 'errors'>): unknown => errors?.[0]?.extensions.reason ?? 'ok'
async function add(name = newName(), as: MadeUser = admin, organization?: MadeOrganization): Promise<Domain> {
  const { data, errors } = await server.gql(as, ADD, { input: { name, organization: organization?.id } })
  expect(errors).toBeUndefined()
  return data.addDomain
}
async function added(as = admin, organization?: MadeOrganization): Promise<Domain> {
  const domain = await add(newName(), as, organization)
  names.texts.set(domain.record.name, ['v=spf1 -all', domain.record.value])
  expect((await server.gql(as, VERIFY, { id: domain.id })).data.verifyDomain.status).toBe('VERIFIED')
  return domain
}
const fetched = async (id: string): Promise<Domain> => (await server.gql(admin, FETCH, { id })).data.domain
/** A day later it is looked at. @returns as it is then */
async function looked(id: string, days = 1): Promise<Domain> {
  const { database, maintenance } = server.server
  // The days pass for the domain alone: nobody's token expires.
  await database.query(
    `update domain set checked_at = checked_at - make_interval(days => $2::int),
       missing_since = missing_since - make_interval(days => $2::int) where id = $1`,
    [id, days],
  )
  await maintenance.run()
  await until(async () => {
    const [row] = await database.query<{ left: number }>(
      `select count(*)::int as left from job where kind = 'domain.check'`,
    )
    return row!.left === 0
  })
  return fetched(id)
}
const auditOf = async (id: string): Promise<string[]> => {
  const { data } = await server.gql(
    admin,
    'query ($id: String!) { auditEntries(first: 30, filter: { object: { eq: $id } }) { nodes { action } } }',
    { id },
  )
  return data.auditEntries.nodes.map(({ action }: { action: string }) => action).toReversed()
}

describe('a domain', () => {
  it('is verified by a TXT record, and says which', async () => {
    const domain = await add('Shop.Example.')
    expect(domain).toMatchObject({
      name: 'shop.example',
      status: 'PENDING',
      record: { name: '_switchboard.shop.example', value: expect.stringMatching(/^switchboard-domain=[0-9a-f]{40}$/) },
    })
    const unproven = await server.gql(admin, VERIFY, { id: domain.id })
    expect(unproven.errors![0]!.extensions).toMatchObject({ reason: 'DOMAIN_UNPROVEN', ...domain.record })
    names.texts.set(domain.record.name, ['switchboard-domain=of another'])
    expect(reasonOf(await server.gql(admin, VERIFY, { id: domain.id }))).toBe('DOMAIN_UNPROVEN')
    names.texts.set(domain.record.name, ['another', domain.record.value])
    expect((await server.gql(admin, VERIFY, { id: domain.id })).data.verifyDomain).toMatchObject({ status: 'VERIFIED' })
    expect(await auditOf(domain.id)).toEqual(['addDomain', 'verifyDomain'])
    names.fail()
    const silent = await server.gql(admin, VERIFY, { id: domain.id })
    expect(silent.errors![0]!.extensions.code).toBe('UNAVAILABLE')
    expect((await fetched(domain.id)).status).toBe('VERIFIED')
    expect((await server.gql(admin, REMOVE, { id: domain.id })).data.removeDomain).toBe(domain.id)
    expect(reasonOf(await server.gql(admin, FETCH, { id: domain.id }))).toBe('RECORD_NOT_FOUND')
  })

  it.each([
    '',
    'localhost',
    'a b.example',
    'a..example',
    '-a.example',
    'https://a.example',
    '10.0.0.1',
    `${'a'.repeat(64)}.example`,
  ])('is not %j', async (name) => {
    const { errors } = await server.gql(admin, ADD, { input: { name } })
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'name' })
  })

  it('belongs to one organization of the installation: the first that proves it', async () => {
    const foreign = await server.makeContactCenter()
    const name = newName()
    const [ours, theirs] = [await add(name), await add(name, foreign.owner)]
    expect(theirs.record.value).not.toBe(ours.record.value)
    expect(reasonOf(await server.gql(admin, ADD, { input: { name } }))).toBe('NAME_TAKEN')
    names.texts.set(ours.record.name, [ours.record.value, theirs.record.value])
    const answers = await Promise.all([
      server.gql(admin, VERIFY, { id: ours.id }),
      server.gql(foreign.owner, VERIFY, { id: theirs.id }),
    ])
    expect(answers.map(reasonOf).toSorted()).toEqual(['DOMAIN_TAKEN', 'ok'])
    const third = await server.makeContactCenter()
    expect(reasonOf(await server.gql(third.owner, ADD, { input: { name } }))).toBe('DOMAIN_TAKEN')
    expect(reasonOf(await server.gql(foreign.owner, FETCH, { id: ours.id }))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await server.gql(foreign.owner, REMOVE, { id: ours.id }))).toBe('RECORD_NOT_FOUND')
  })

  it('is looked at daily, has seven days when its record is missing, and is then free for others', async () => {
    const domain = await added()
    const { name, value } = domain.record
    expect((await looked(domain.id)).status).toBe('VERIFIED')
    names.texts.delete(name)
    expect(await looked(domain.id)).toMatchObject({ status: 'MISSING', missingSince: expect.any(String) })
    // Nobody answers: that is no proof of anything.
    names.fail()
    expect((await looked(domain.id)).status).toBe('MISSING')
    names.recover()
    names.texts.set(name, [value])
    expect(await looked(domain.id)).toMatchObject({ status: 'VERIFIED', missingSince: null })
    names.texts.delete(name)
    await looked(domain.id)
    expect((await looked(domain.id, 6)).status).toBe('MISSING')
    expect((await looked(domain.id)).status).toBe('PENDING')
    expect(await auditOf(domain.id)).toEqual([
      'addDomain',
      'verifyDomain',
      'domainMissing',
      'domainFound',
      'domainMissing',
      'domainLost',
    ])
    const foreign = await server.makeContactCenter()
    expect((await add(domain.name, foreign.owner)).status).toBe('PENDING')
  })
})

describe('/v2/domains', () => {
  it('adds, lists, verifies and removes', async () => {
    const name = newName()
    const made = await server.rest(admin, 'POST', '/v2/domains', { name })
    expect([made.status, made.body.status]).toEqual([201, 'pending'])
    names.texts.set(made.body.record.name, [made.body.record.value])
    expect((await server.rest(admin, 'POST', '/v2/domains/verify', { domain: made.body.id })).body.status).toBe(
      'verified',
    )
    const listed = await server.rest(admin, 'GET', `/v2/domains?name=${name}`)
    expect(listed.body).toMatchObject([{ id: made.body.id, name, organization: center.id }])
    expect((await server.rest(admin, 'DELETE', `/v2/domains/${made.body.id}`)).status).toBe(204)
    expect((await server.rest(admin, 'GET', `/v2/domains/${made.body.id}`)).status).toBe(404)
    const agent = await server.makeUser({ organization: center })
    expect((await server.rest(agent, 'GET', '/v2/domains')).status).toBe(403)
  })
})

describe('how an email signs in', () => {
  const providersOf = async (email: string): Promise<string[]> => {
    const { data, errors } = await server.gql(null, METHODS, { email })
    expect(errors).toBeUndefined()
    return data.signInMethods.providers.map(({ id }: { id: string }) => id)
  }

  it('is told by its domain alone: for any of it the same, accounts or not', async () => {
    const domain = await added()
    const service = await makeProvider(server, admin, provider, { domains: [domain.name] })
    const known = await server.makeUser({ organization: center, email: `known@${domain.name}` })
    const answer = await server.gql(null, METHODS, { email: known.email })
    expect(answer.data.signInMethods.providers).toEqual([
      { id: service, name: 'The provider', url: `${PUBLIC_URL}/sso/${service}/start` },
    ])
    expect((await server.gql(null, METHODS, { email: `unknown@${domain.name}` })).data).toEqual(answer.data)
    expect(await providersOf(` X@${domain.name.toUpperCase()} `)).toEqual([service])
    for (const none of [
      '',
      'x',
      domain.name,
      '@',
      `x@sub.${domain.name}`,
      'x@\0',
      `${'x'.repeat(300)}@${domain.name}`,
      "x@' or 1=1",
    ]) {
      expect(await providersOf(none)).toEqual([])
    }
    expect(await providersOf((await server.makeUser({ organization: center })).email)).toEqual([])
    // As long as it is verified, and the provider is in use.
    await server.gql(admin, 'mutation ($id: ID!) { updateService(id: $id, patch: { status: INACTIVE }) { id } }', {
      id: service,
    })
    expect(await providersOf(known.email)).toEqual([])
  })

  it('leads to providers of the owner of the domain, of those above and below it, and of nobody else', async () => {
    const customer = await server.makeOrganization({ parent: center })
    const sibling = await server.makeOrganization({ parent: center })
    const foreign = await server.makeContactCenter()
    const name = newName()
    await verifyDomain(server, customer, name)
    const domains = [name]
    const above = await makeProvider(server, admin, provider, { domains })
    const own = await makeProvider(server, admin, provider, { domains }, customer)
    await makeProvider(server, admin, provider, { domains }, sibling)
    await makeProvider(server, foreign.owner, provider, { domains })
    expect((await providersOf(`x@${name}`)).toSorted()).toEqual([above, own].toSorted())
    const upper = newName()
    await verifyDomain(server, center, upper)
    const below = await makeProvider(server, admin, provider, { domains: [upper] }, customer)
    expect(await providersOf(`x@${upper}`)).toEqual([below])
  })

  it('is asked with bounds', async () => {
    const limited = await startTestServer({ PUBLIC_URL, TRUST_PROXY: '1' }, { beside: server })
    const ask = async (address: string): Promise<unknown> => {
      const response = await fetch(`${limited.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ query: METHODS, variables: { email: 'x@y.example' } }),
      })
      return reasonOf((await response.json()) as Answer)
    }
    let reason: unknown = 'ok'
    for (let asked = 0; reason === 'ok' && asked <= QUESTIONS_PER_MINUTE; asked++) reason = await ask('192.0.2.1')
    expect(reason).toBe('RATE_LIMIT')
    expect(await ask('192.0.2.2')).toBe('ok')
    await limited.close()
  })
})

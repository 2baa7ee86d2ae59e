import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { Browser } from './browser.js'
import { formOf, makeKey, requestIn, responseTo, sign, type Assertion, type SamlRequest } from './saml-signer.js'
import { browserAt, PASSWORD, PUBLIC_URL, tokenOf, verifyDomain } from './sso-fixture.js'

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id params } }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params } }'
const ISSUER = 'https://idp.example/saml'
const key = makeKey()
const other = makeKey()

let server: TestServer
let second: TestServer
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
let service: string

const settings = { issuer: ISSUER, signOnUrl: 'https://idp.example/sign-on?x=1', certificates: [key.certificate] }

async function make(params: Record<string, unknown>, as = center.owner): Promise<string> {
  const { data, errors } = await server.gql(as, CREATE, { input: { type: 'saml', params } })
  expect(errors).toBeUndefined()
  return (data.createService as { id: string }).id
}

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  second = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: server })
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin' })
  await verifyDomain(server, center, 'saml.example')
  const roleMap = [{ claim: 'groups', value: 'support', role: 'agent' }]
  const accounts = { domains: ['saml.example'], createUsers: true, syncRoles: true, emailVerified: true, roleMap }
  service = await make({ ...settings, ...accounts })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

/** Goes to the provider. */
async function begin(browser: Browser, id = service): Promise<SamlRequest> {
  const start = new URL(`${PUBLIC_URL}/sso/${id}/start`)
  const answer = await browser.ask(start)
  const location = new URL(answer.headers.get('location')!)
  expect(location.origin + location.pathname).toBe('https://idp.example/sign-on')
  expect(location.searchParams.get('x')).toBe('1')
  return requestIn(location)
}

/** Posts a form as a page of the provider does: from another site, without cookies. */
async function post(form: URLSearchParams, { at = server, id = service } = {}): Promise<Response> {
  return fetch(`${at.url}/sso/return/${id}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  })
}

const assertion = (more: Partial<Assertion> = {}): Assertion => ({
  issuer: ISSUER,
  subject: 'person-1',
  attributes: { mail: 'ann@saml.example', displayName: 'Ann', groups: ['support', 'x'] },
  ...more,
})

/** Goes to the provider and back. @returns where the browser came to */
async function goThrough(
  browser: Browser,
  start: URL,
  id = service,
  respond = (request: SamlRequest): string => sign(responseTo(request, assertion()), key),
): Promise<URL> {
  const request = requestIn(new URL((await browser.ask(start)).headers.get('location')!))
  const answer = await post(formOf(respond(request), request), { id })
  const back = new URL(answer.headers.get('location')!, PUBLIC_URL)
  return (await browser.open(back, ({ pathname }) => pathname.startsWith('/console'))).url
}

/** The reason for which a posted form was refused; null if it was not. */
async function refusal(form: URLSearchParams, options = {}): Promise<string | null> {
  const answer = await post(form, options)
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location')!, PUBLIC_URL).searchParams.get('refused')
}

describe('a sign-in by SAML', () => {
  it('makes an account by attributes and groups, and a session of 12 hours', async () => {
    const browser = browserAt(server)
    const request = await begin(browser)
    const form = formOf(sign(responseTo(request, assertion()), key), request)
    const answer = await post(form, { at: second })
    expect(answer.status).toBe(303)
    const path = answer.headers.get('location')!
    expect(path).toBe(`/sso/return/${service}?state=${request.relayState}`)
    // The browser comes with its cookie, and another one without gains nothing.
    const stranger = await browserAt(server).ask(new URL(path, PUBLIC_URL))
    expect(stranger.headers.get('location')).toContain('refused=SIGN_IN_NOT_BEGUN')
    const { url } = await browser.open(new URL(path, PUBLIC_URL), ({ pathname }) => pathname.startsWith('/console'))
    expect(url.pathname + url.search).toBe('/console')
    const session = (await tokenOf(browser))!
    const [user] = await server.server.database.query(
      `select u.email, u.role, u.display_name as name, i.issuer, i.subject, i.is_proven as proven,
         round(extract(epoch from f.ends_at - f.created_at) / 3600)::int as hours
       from app_user u join user_identity i on i.user_id = u.id join token_family f on f.user_id = u.id where u.id = $1`,
      [session.user],
    )
    expect(user).toEqual({
      email: 'ann@saml.example',
      role: 'agent',
      name: 'Ann',
      issuer: `saml:${service}:${ISSUER}`,
      subject: 'person-1',
      proven: true,
      hours: 12,
    })
    const { data } = await server.gql(
      center.owner,
      'query ($user: ID!) { identities(user: $user) { issuer serviceId } }',
      {
        user: session.user,
      },
    )
    expect(data.identities).toEqual([{ issuer: ISSUER, serviceId: service }])
  })

  it('gives the role anew, and refuses whom no group lets in', async () => {
    const browser = browserAt(server)
    const request = await begin(browser)
    const said = assertion({ attributes: { mail: 'ann@saml.example', groups: 'others' } })
    const answer = await post(formOf(sign(responseTo(request, said), key), request))
    const { url } = await browser.open(new URL(answer.headers.get('location')!, PUBLIC_URL), ({ pathname }) =>
      pathname.startsWith('/console'),
    )
    expect(url.searchParams.get('refused')).toBe('NOT_PROVISIONED')
  })

  it('takes a person in a thousand groups', async () => {
    const browser = browserAt(server)
    const request = await begin(browser)
    const groups = [...Array.from({ length: 999 }, (_, n) => `CN=group ${n},OU=x`), 'support']
    const said = assertion({ attributes: { mail: 'ann@saml.example', groups } })
    const answer = await post(formOf(sign(responseTo(request, said), key), request))
    const { url } = await browser.open(new URL(answer.headers.get('location')!, PUBLIC_URL), ({ pathname }) =>
      pathname.startsWith('/console'),
    )
    expect(url.pathname + url.search).toBe('/console')
  })

  it('is linked by an owner, who then needs no password, and takes SCIM', async () => {
    const { owner, ...own } = await server.makeContactCenter()
    const id = await make(settings, owner)
    const begun = await server.gql(
      owner,
      'mutation ($s: ID!, $p: String!) { linkIdentity(service: $s, currentPassword: $p) { url } }',
      { s: id, p: PASSWORD },
    )
    const link = new URL(begun.data.linkIdentity.url as string)
    const code = /link=(.+)/.exec((await goThrough(browserAt(server), link, id)).hash)![1]
    const confirm = 'mutation ($code: String!) { confirmIdentity(code: $code) { issuer subject } }'
    expect((await server.gql(owner, confirm, { code })).data.confirmIdentity).toEqual({
      issuer: ISSUER,
      subject: 'person-1',
    })
    const browser = browserAt(server)
    await goThrough(browser, new URL(`${PUBLIC_URL}/sso/${id}/start`), id)
    const session = (await tokenOf(browser))!
    expect(session.user).toBe(owner.id)
    const policy =
      'mutation ($o: ID, $p: UpdateSignInPolicyInput!) { updateSignInPolicy(organization: $o, patch: $p) { version } }'
    const set = await server.gql(session.token, policy, { o: own.id, p: { passwordLogin: false } })
    expect(set.errors).toBeUndefined()
    const removed = await server.gql(session.token, 'mutation ($id: ID!) { deleteService(id: $id) }', { id })
    expect(removed.errors![0]!.extensions.reason).toBe('WOULD_LOCK_OUT')
    const scim = await server.gql(session.token, 'mutation ($id: ID!) { createScimToken(service: $id) { token } }', {
      id,
    })
    expect(scim.data.createScimToken.token).toEqual(expect.any(String))
  })

  it('opens no identity of another service with the same entity id', async () => {
    const id = await make({ ...settings, certificates: [other.certificate] })
    const browser = browserAt(server)
    const start = new URL(`${PUBLIC_URL}/sso/${id}/start`)
    const url = await goThrough(browser, start, id, (request) => sign(responseTo(request, assertion()), other))
    expect(url.searchParams.get('refused')).toBe('LINK_NEEDED')
  })

  it('takes either certificate while one replaces the other, and both signed', async () => {
    const id = await make({ ...settings, certificates: [other.certificate, key.certificate] })
    for (const each of [key, other]) {
      const request = await begin(browserAt(server), id)
      const said = sign(responseTo(request, assertion()), each)
      expect(await refusal(formOf(sign(said, each, 'Response'), request), { id })).toBeNull()
    }
  })

  it('shows the attributes of a trial, and opens no session', async () => {
    const tried = await server.gql(admin, 'mutation ($id: ID!) { testService(service: $id) { url } }', { id: service })
    const browser = browserAt(server)
    const begun = await browser.ask(new URL(tried.data.testService.url as string))
    const request = requestIn(new URL(begun.headers.get('location')!))
    const answer = await post(formOf(sign(responseTo(request, assertion({ subject: 'person-2' })), key), request))
    const { url } = await browser.open(new URL(answer.headers.get('location')!, PUBLIC_URL), ({ pathname }) =>
      pathname.startsWith('/console'),
    )
    const code = /trial=(.+)/.exec(url.hash)![1]
    const { data } = await server.gql(
      admin,
      'query ($code: String!) { trialSignIn(code: $code) { claims outcome why role } }',
      { code },
    )
    expect(data.trialSignIn).toMatchObject({
      claims: { sub: 'person-2', mail: 'ann@saml.example', groups: ['support', 'x'] },
      outcome: 'REFUSED',
      why: expect.stringContaining('another person'),
      role: 'AGENT',
    })
    expect(await tokenOf(browser)).toBeNull()
  })
})

describe('a response is refused', () => {
  const INVALID = 'PROVIDER_ANSWER_INVALID'
  const wrap = (xml: string): string => {
    const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
    const forged = signed
      .replace(/<ds:Signature.*<\/ds:Signature>|<Signature.*<\/Signature>/s, '')
      .replace('person-1', 'person-9')
      .replace(/ID="[^"]*"/, 'ID="_forged"')
    return xml.replace(signed, `${forged}<samlp:Extensions>${signed}</samlp:Extensions>`)
  }
  const inside = (xml: string): string => {
    const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
    const forged = signed.replace('person-1', 'person-9').replace(/ID="[^"]*"/, 'ID="_forged"')
    return xml.replace(
      signed,
      forged.replace('</saml:Assertion>', `<saml:Advice>${signed}</saml:Advice></saml:Assertion>`),
    )
  }
  const twice = (xml: string): string => {
    const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
    return xml.replace(signed, `${signed.replace(/ID="[^"]*"/, 'ID="_forged"')}${signed}`)
  }
  const many = (text: (n: number) => string): string => Array.from({ length: 9_000 }, (_, n) => text(n)).join(' ')
  const crowded = (request: SamlRequest, xml: string): string =>
    sign(responseTo(request, assertion()), key).replace('</samlp:Response>', `${xml}</samlp:Response>`)
  it.each<[string, (request: SamlRequest) => string]>([
    ['unsigned', (request) => responseTo(request, assertion())],
    ['signed by another key', (request) => sign(responseTo(request, assertion()), other)],
    ['signed as a whole alone', (request) => sign(responseTo(request, assertion()), key, 'Response')],
    ['signed by SHA-1', (request) => sign(responseTo(request, assertion()), key, 'Assertion', 'sha1')],
    ['altered', (request) => sign(responseTo(request, assertion()), key).replace('person-1', 'person-9')],
    ['wrapped', (request) => wrap(sign(responseTo(request, assertion()), key))],
    ['wrapped inside', (request) => inside(sign(responseTo(request, assertion()), key))],
    ['with two assertions', (request) => twice(sign(responseTo(request, assertion()), key))],
    ['for another audience', (request) => sign(responseTo(request, assertion({ audience: 'https://x.example' })), key)],
    ['for no audience', (request) => sign(responseTo(request, assertion({ audience: null })), key)],
    [
      'for another recipient',
      (request) => sign(responseTo(request, assertion({ recipient: 'https://x.example' })), key),
    ],
    ['for no recipient', (request) => sign(responseTo(request, assertion({ recipient: null })), key)],
    ['to another request', (request) => sign(responseTo(request, assertion({ inResponseTo: '_other' })), key)],
    ['to no request', (request) => sign(responseTo(request, assertion({ inResponseTo: null })), key)],
    ['of another issuer', (request) => sign(responseTo(request, assertion({ issuer: 'https://x.example' })), key)],
    ['late', (request) => sign(responseTo(request, assertion({ notOnOrAfter: -62 })), key)],
    ['early', (request) => sign(responseTo(request, assertion({ notBefore: 65 })), key)],
    [
      'old, though valid for long',
      (request) => sign(responseTo(request, assertion({ issued: -665, notOnOrAfter: 9_999 })), key),
    ],
    ['confirmed otherwise', (request) => sign(responseTo(request, assertion({ method: 'sender-vouches' })), key)],
    [
      'with a transient name id',
      (request) =>
        sign(responseTo(request, assertion({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' })), key),
    ],
    [
      'with a comment in the name',
      (request) => sign(responseTo(request, assertion()), key).replace('person-1', 'person<!-- -->-1'),
    ],
    [
      'with entities that expand',
      (request) =>
        `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${sign(responseTo(request, assertion()), key)}`,
    ],
    [
      'with an external entity',
      (request) =>
        `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${sign(responseTo(request, assertion()), key)}`,
    ],
    ['that is no XML', () => 'no XML'],
    ['with very many elements', (request) => crowded(request, '<a/>'.repeat(30_000))],
    ['that is very deep', (request) => crowded(request, '<a>'.repeat(20_000) + '</a>'.repeat(20_000))],
    ['with elements that nothing closes', (request) => crowded(request, '<a></x>'.repeat(20_000))],
    ['with very many attributes', (request) => crowded(request, `<a ${many((n) => `a${n}="b"`)}/>`)],
    ['of angle brackets', () => '<'.repeat(150_000)],
    ['of quotes', () => '<a "'.repeat(30_000)],
    ['that is empty', () => ''],
  ])('%s', async (_name, respond) => {
    const request = await begin(browserAt(server))
    const form = formOf(respond(request), request)
    const computing = process.cpuUsage()
    expect(await refusal(form)).toBe(INVALID)
    // The library takes minutes for some of them.
    expect(process.cpuUsage(computing).user / 1_000).toBeLessThan(3_000)
  })

  it('when the assertion, or the attempt, was used', async () => {
    const [first, next] = [await begin(browserAt(server)), await begin(browserAt(server))]
    const form = formOf(sign(responseTo(first, assertion({ id: '_once' })), key), first)
    const answers = await Promise.all([refusal(form), refusal(form, { at: second }), refusal(form)])
    expect(answers.toSorted()).toEqual([null, 'SIGN_IN_NOT_BEGUN', 'SIGN_IN_NOT_BEGUN'].toSorted())
    const again = formOf(sign(responseTo(next, assertion({ id: '_once' })), key), next)
    expect(await refusal(again, { at: second })).toBe('SIGN_IN_NOT_BEGUN')
  })

  it('when nobody began it, or it is another service’s', async () => {
    const request = await begin(browserAt(server))
    const form = formOf(sign(responseTo(request, assertion()), key), request)
    const unasked = formOf(sign(responseTo(request, assertion()), key), { relayState: 'a'.repeat(43) })
    expect(await refusal(unasked)).toBe('SIGN_IN_NOT_BEGUN')
    expect(await refusal(form, { id: await make(settings) })).toBe('SIGN_IN_NOT_BEGUN')
  })

  it('when the provider refuses, or is changed meanwhile', async () => {
    const request = await begin(browserAt(server))
    const denied = responseTo(request, assertion())
      .replace(/<saml:Assertion .*<\/saml:Assertion>/s, '')
      .replace('status:Success', 'status:Requester')
    expect(await refusal(formOf(denied, request))).toBe('PROVIDER_REFUSED')
    const id = await make(settings)
    const browser = browserAt(server)
    const asked = await begin(browser, id)
    const answer = await post(formOf(sign(responseTo(asked, assertion()), key), asked), { id })
    const patch = { params: { ...settings, certificates: [other.certificate] } }
    expect((await server.gql(center.owner, UPDATE, { id, patch })).errors).toBeUndefined()
    const { url } = await browser.open(new URL(answer.headers.get('location')!, PUBLIC_URL), ({ pathname }) =>
      pathname.startsWith('/console'),
    )
    expect(url.searchParams.get('refused')).toBe('SIGN_IN_NOT_BEGUN')
  })

  it('by 413 above 256 KB', async () => {
    const answer = await post(new URLSearchParams({ SAMLResponse: 'A'.repeat(256 * 1024), RelayState: 'a' }))
    expect(answer.status).toBe(413)
  })
})

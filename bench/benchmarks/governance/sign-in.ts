import { systemClock } from '../../../src/platform/db/clock.js'
import { AddressRanges } from '../../../src/platform/limits/address-ranges.js'
import type { Bench } from '../../harness/bench.js'
import { ask } from '../../harness/ask.js'
import { isQuick, median, quantile, short, type Figure } from '../../harness/figures.js'
import { UNIQUE } from '../../harness/load.js'
import { startBenchProvider, type BenchProvider } from './provider.js'

const RETURNS = 300
const PROVISIONED = 50_000
const FILTERED = 200
const SCIM_ROUND_MS = 5_000
const SCIM_CONCURRENCY = 8
const CHECKS = 1_000_000
const [AIM_RETURN_MS, AIM_USERS, AIM_FILTER_MS, AIM_CHECK_MICROS] = [300, 150, 50, 5]
const DOMAIN = 'bench.example'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const TOKEN = 'mutation ($service: ID!) { createScimToken(service: $service) { token } }'

/** Sign-in by a provider, provisioning by SCIM, and what a policy's networks cost each request. */
export async function benchSignIn(bench: Bench): Promise<Figure[]> {
  const provider = await startBenchProvider()
  try {
    const { organization, agents } = await bench.seeder.organization(2)
    await bench.seeder.query(`update app_user set role = 'owner' where id = $1`, [agents[0]!.id])
    const [token] = await bench.tokens([{ ...agents[0]!, role: 'owner' }])
    // As if the domain's DNS had said so: a bench has none.
    await bench.seeder.query(
      `insert into domain (id, organization_id, org1, name, verified_at, checked_at, created_at, updated_at)
       values ($1, $2, $2, $3, now(), now(), now(), now())`,
      [systemClock.newId(), organization, DOMAIN],
    )
    const params = { issuer: provider.issuer, clientId: 'bench', clientSecret: 'of the bench', domains: [DOMAIN] }
    const { createService } = await ask<{ createService: { id: string } }>(bench, token!, CREATE, {
      input: { type: 'oidc', name: 'Bench', params: { ...params, createUsers: true, defaultRole: 'agent' } },
    })
    const service = createService.id
    const { createScimToken } = await ask<{ createScimToken: { token: string } }>(bench, token!, TOKEN, { service })
    return [
      await returns(bench, provider, service),
      ...(await scim(bench, { service, organization, token: createScimToken.token })),
      policy(),
    ]
  } finally {
    await provider.close()
  }
}

/** From the browser's return to the answer that opens the session, without what the provider did meanwhile. */
async function returns(bench: Bench, provider: BenchProvider, service: string): Promise<Figure> {
  const times: number[] = []
  const count = isQuick() ? 5 : RETURNS
  for (let turn = 0; turn < count; turn++) {
    const started = await fetch(`${bench.url}/sso/${service}/start`, { redirect: 'manual' })
    const place = new URL(started.headers.get('location')!)
    if (place.origin !== provider.issuer) throw new Error(`led to ${place.href}`)
    const cookie = started.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const subject = `person-${turn % 100}`
    const said = { subject, nonce: place.searchParams.get('nonce'), email: `${subject}@${DOMAIN}` }
    const code = Buffer.from(JSON.stringify(said)).toString('base64url')
    const back = new URL(place.searchParams.get('redirect_uri')!)
    const query = new URLSearchParams({ code, state: place.searchParams.get('state')! })
    provider.takeMs()
    const startedAt = performance.now()
    const answer = await fetch(`${bench.url}${back.pathname}?${query.toString()}`, {
      redirect: 'manual',
      headers: { cookie },
    })
    const ms = performance.now() - startedAt - provider.takeMs()
    const to = answer.headers.get('location') ?? ''
    if (to.includes('refused') || answer.headers.getSetCookie().length === 0)
      throw new Error(`not signed in: ${answer.status} ${to}`)
    if (turn >= count / 10) times.push(ms)
  }
  const p95 = quantile(times, 0.95)
  return {
    name: 'return from a provider to the answer with the session',
    ratio: p95 / AIM_RETURN_MS,
    aim: 1,
    isTime: true,
    product: `p50 ${short(median(times))}, p95 ${short(p95)}, slowest ${short(Math.max(...times))} ms`,
    floor: `the aim itself, p95 ${AIM_RETURN_MS} ms to the screen`,
    how: `${count} sign-ins of 100 people by OpenID Connect, one after the other, the first of each making the user; without what the provider took for its tokens.`,
  }
}

interface Provisioned {
  service: string
  organization: string
  token: string
}

async function scim(bench: Bench, { service, organization, token }: Provisioned): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const made = await bench.http({
    method: 'POST',
    path: `/scim/v2/${service}/Users`,
    tokens: [],
    headers,
    bodies: [
      {
        schemas: [USER],
        userName: `u${UNIQUE}@${DOMAIN}`,
        externalId: UNIQUE,
        displayName: `Person ${UNIQUE}`,
        active: true,
      },
    ],
    concurrency: SCIM_CONCURRENCY,
    ms: isQuick() ? 300 : SCIM_ROUND_MS,
    status: 201,
  })
  const others = isQuick() ? 500 : PROVISIONED
  await bench.seeder.query(
    `with made as (
       insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, display_name, provider)
       select gen_random_uuid(), $1, $1, now(), now(), 'p' || n || '@${DOMAIN}', 'agent', 'active', 'Person ' || n, 'local'
       from generate_series(1, $2::int) n returning id, email
     )
     insert into scim_user (user_id, service_id, user_name, external_id, owned)
     select id, $3, email, 'x' || split_part(substr(email, 2), '@', 1), '{}' from made`,
    [organization, others, service],
  )
  await bench.seeder.query('vacuum analyze app_user, scim_user')
  const times: Record<string, number[]> = {}
  for (let turn = 0; turn < (isQuick() ? 4 : FILTERED); turn++) {
    const n = 1 + ((turn * 7_919) % others)
    const [attribute, value] = (
      [
        ['userName', `p${n}@${DOMAIN}`],
        ['externalId', `x${n}`],
        ['displayName', `Person ${n}`],
        ['emails.value', `p${n}@${DOMAIN}`],
      ] as const
    )[turn % 4]!
    const startedAt = performance.now()
    const answer = await fetch(
      `${bench.url}/scim/v2/${service}/Users?filter=${encodeURIComponent(`${attribute} eq "${value}"`)}`,
      { headers },
    )
    const { totalResults } = (await answer.json()) as { totalResults: number }
    ;(times[attribute] ??= []).push(performance.now() - startedAt)
    if (totalResults !== 1) throw new Error(`${attribute} eq ${value}: ${totalResults}`)
  }
  return [
    {
      name: 'users made by SCIM',
      ratio: made.perSecond / AIM_USERS,
      aim: 1,
      product: `${short(made.perSecond)}/s, p95 ${short(made.p95Ms)} ms, ${short(made.serverMicrosEach)} us of the server's CPU each`,
      floor: `the aim itself, ${AIM_USERS}/s`,
      how: `POST of new users at a concurrency of ${SCIM_CONCURRENCY}.`,
    },
    ...Object.entries(times).map(([attribute, each]): Figure => ({
      name: `SCIM's filter ${attribute} eq among ${short(others)} users`,
      ratio: quantile(each, 0.95) / AIM_FILTER_MS,
      aim: 1,
      isTime: true,
      product: `p50 ${short(median(each))}, p95 ${short(quantile(each, 0.95))} ms`,
      floor: `the aim itself, p95 ${AIM_FILTER_MS} ms`,
      how: 'One request after the other over HTTP.',
    })),
  ]
}

/** The networks of a policy against one address, as each request is checked. */
function policy(): Figure {
  const ranges = new AddressRanges(
    Array.from({ length: 50 }, (_each, index) => (index % 2 ? `10.${index}.0.0/16` : `2001:db8:${index}::/48`)),
  )
  const addresses = ['10.49.3.7', '192.0.2.1', '2001:db8:48::1', '::ffff:10.1.2.3']
  let inside = 0
  const checks = isQuick() ? 1_000 : CHECKS
  const startedAt = performance.now()
  for (let turn = 0; turn < checks; turn++) if (ranges.has(addresses[turn % addresses.length]!)) inside += 1
  const micros = ((performance.now() - startedAt) * 1_000) / checks
  return {
    name: 'networks of a sign-in policy, each request',
    ratio: micros / AIM_CHECK_MICROS,
    aim: 1,
    isTime: true,
    product: `${short(micros)} us against 50 networks, of which ${Math.round((inside / checks) * 100)} % are met`,
    floor: `the aim itself, ${AIM_CHECK_MICROS} us`,
    how: 'In one process; the rules themselves are with the access that is cached for a request anyway.',
  }
}

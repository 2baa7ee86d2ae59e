import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { buildPages } from '../support/built-pages.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
/** All routes of the server. */
const routes: RouteOptions[] = []

function watchRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', (route) => void routes.push(route))
}

beforeAll(async () => {
  buildPages()
  subscribe('fastify.initialization', watchRoutes)
  app = await startTestServer()
  unsubscribe('fastify.initialization', watchRoutes)
})
afterAll(() => app.close())

const report = (body: string, type = 'application/csp-report'): Promise<Response> =>
  fetch(`${app.url}/policy-reports`, { method: 'POST', headers: { 'content-type': type }, body })

const ofDirective = (directive: unknown): string =>
  JSON.stringify({ 'csp-report': { 'effective-directive': directive } })

async function countsOf(): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  const found = metrics.matchAll(/^switchboard_policy_reports_total\{directive="([^"]*)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, directive, count]) => [directive, Number(count)]))
}

/** The page of the GraphQL client, and what it loads: its package writes HTML itself. */
const OF_GRAPHQL_CLIENT = ['/graphql', '/graphql/client/*']
/** Ends of paths in place of a route's `*`. */
const SAMPLES: Readonly<Record<string, string>> = {
  '/console/*': 'c/anything',
  '/docs/*': 'docs/guide/live.html',
  '/graphql/client/*': 'iframe-sandbox/index.html',
}

it('every page runs no script but its own, takes no HTML but as trusted types, and reports what is refused', async () => {
  const paths = new Set(routes.filter(({ method }) => [method].flat().includes('GET')).map(({ url }) => url))
  expect(paths.size).toBeGreaterThan(100)
  const pages: string[] = []
  for (const path of paths) {
    const asked = path.replace('*', SAMPLES[path] ?? 'anything').replaceAll(/:\w+/g, 'anything')
    const leaving = new AbortController()
    const answer = await fetch(`${app.url}${asked}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
      signal: leaving.signal,
    })
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
    const policy = answer.headers.get('content-security-policy')
    leaving.abort()
    if (!isPage) continue
    pages.push(path)
    if (OF_GRAPHQL_CLIENT.includes(path)) continue
    expect([path, policy?.split('; ')]).toEqual([
      path,
      expect.arrayContaining([
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'report-uri /policy-reports',
      ]),
    ])
    expect(policy).not.toMatch(/unsafe-|script-src [^;]*\*/)
  }
  expect(pages.toSorted()).toEqual(
    [
      ...['/', '/api', '/v2', '/console', '/console/*', '/widget/demo', '/r/:id'],
      ...['/v2/docs', '/docs/', '/docs/*', '/docs/errors', ...OF_GRAPHQL_CLIENT],
    ].toSorted(),
  )
})

it('the page of the GraphQL client has a nonce of its own each time, reports, and no form or frame of others', async () => {
  const open = () => fetch(`${app.url}/graphql`, { headers: { accept: 'text/html' } })
  const [one, other] = await Promise.all([open(), open()])
  const policies = [one, other].map(({ headers }) => headers.get('content-security-policy')!)
  const [first, second] = policies.map((policy) => /script-src 'self' 'nonce-([^']{22,})'(?:;|$)/.exec(policy)?.[1])
  expect(first).toBeDefined()
  expect(first).not.toBe(second)
  expect(await one.text()).toContain(`nonce="${first}"`)
  await other.text()
  for (const part of [
    "object-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'report-uri /policy-reports',
  ])
    expect(policies[0]!.split('; ')).toContain(part)
  expect(one.headers.get('cross-origin-opener-policy')).toBe('same-origin')
})

it('counts reports by the directives that it knows, and refuses what is large, no JSON or too many', async () => {
  expect((await report(ofDirective('script-src-elem'))).status).toBe(204)
  expect((await report(ofDirective('require-trusted-types-for'))).status).toBe(204)
  expect((await report(ofDirective(`x"} 1\n${'y'.repeat(300)}`))).status).toBe(204)
  const several = [{ type: 'csp-violation', body: { effectiveDirective: 'img-src' } }, 7, null, { body: 'img-src' }]
  expect((await report(JSON.stringify(several), 'application/reports+json')).status).toBe(204)
  expect(await countsOf()).toEqual({ 'script-src-elem': 1, 'require-trusted-types-for': 1, 'img-src': 1, other: 4 })

  expect((await report('{')).status).toBe(400)
  expect((await report('x'.repeat(20_000))).status).toBe(413)
  const statuses: number[] = []
  while (!statuses.includes(429)) statuses.push((await report(ofDirective('img-src'))).status)
  // 60 in a minute, of which one may have ended meanwhile.
  expect(statuses.length).toBeLessThan(121)
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
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

it.each(['/', '/console', '/console/c/anything', '/widget/demo', '/v2/docs', '/docs/errors'])(
  'the page %s runs no script but its own, takes no HTML but as trusted types, and reports what is refused',
  async (path) => {
    const page = await fetch(`${app.url}${path}`, { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy')!
    for (const part of [
      "default-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'report-uri /policy-reports',
    ])
      expect(policy.split('; ')).toContain(part)
    expect(policy).not.toMatch(/unsafe-|script-src [^;]*\*/)
    await page.text()
  },
)

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
  expect(statuses.length).toBeLessThan(60)
})

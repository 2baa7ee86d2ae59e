import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { startTestServer, type TestServer } from '../support/test-server.js'

const build = (): string => execFileSync(process.execPath, ['web/build.mjs'], { encoding: 'utf8' })

describe('the pages that the server serves', () => {
  let server: TestServer
  beforeAll(async () => {
    build()
    server = await startTestServer({ ALLOWED_ORIGINS: 'https://other.example' })
  })
  afterAll(() => server.close())

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers, redirect: 'manual' })

  it('are not built again when nothing changed', () => {
    const { mtimeMs } = statSync('dist/public/manifest.json')
    expect(build()).toBe('')
    expect(statSync('dist/public/manifest.json').mtimeMs).toBe(mtimeMs)
  })

  it('have one page for the console and all its paths, which runs no other scripts', async () => {
    for (const path of ['/console', '/console/queue', '/console/c/some-slug', '/console/admin/users/1']) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('x-frame-options')).toBe('DENY')
      const policy = response.headers.get('content-security-policy')!
      for (const part of [
        `default-src 'none'`,
        `script-src 'self'`,
        `style-src 'self'`,
        `base-uri 'none'`,
        `frame-ancestors 'none'`,
        `require-trusted-types-for 'script'`,
        'trusted-types html',
        `connect-src 'self' ws://${new URL(server.url).host}`,
      ])
        expect(policy).toContain(part)
      expect(policy).not.toContain('unsafe')
    }
  })

  it('have a page that says so for a path that names nothing, and no page in the place of a file', async () => {
    for (const path of ['/console/nothing', '/console/assets/x', '/console/assets/x.js']) {
      const asPage = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      expect([asPage.status, asPage.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(asPage.headers.get('content-security-policy')).toContain(`default-src 'none'`)
      const asFile = await get(path, { accept: '*/*' })
      expect([asFile.status, await asFile.json()]).toMatchObject([404, { message: `${path} does not exist` }])
    }
  })

  it("are immutable in the browser's cache, since their names contain a hash", async () => {
    const page = await (await get('/console')).text()
    const [script] = /\/web\/console-\w+\.js/.exec(page)!
    const response = await get(script, { 'accept-encoding': 'gzip' })
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const etag = response.headers.get('etag')!
    expect((await get(script, { 'if-none-match': etag })).status).toBe(304)
    expect(await (await get(script, { 'accept-encoding': 'identity' })).text()).toBe(await response.text())
    expect(page).not.toMatch(/<script(?![^>]*src=)|style="|\son\w+="/)
  })

  it('are not found when they do not exist', async () => {
    for (const path of ['/web/nothing.js', '/web/..%2fmanifest.json', '/web/manifest.json', '/web/'])
      expect((await get(path)).status).toBe(404)
  })

  it('redirect the address of a conversation to the console, which joins it', async () => {
    const response = await get('/c/a%2Fb')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console/c/a%2Fb?join'])
  })

  it('refuse a path that cannot be decoded', async () => {
    for (const path of ['/c/%zz', '/console/c/%zz', '/console/%zz', '/web/%zz'])
      expect([path, (await get(path, { accept: 'text/html' })).status]).toEqual([path, 400])
  })

  it("let other sites load the widget, and give a service's sites its public settings", async () => {
    const script = await get('/widget.js', { origin: 'https://shop.example' })
    expect([script.status, script.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const page = await get('/widget/demo?service=0196b4a2-0000-7000-8000-000000000000')
    expect(await page.text()).toContain('data-service="0196b4a2-0000-7000-8000-000000000000"')
    expect(await (await get('/widget/demo?service="><script>')).text()).toContain('Which service?')
    for (const path of ['/widget/x.json', '/widget/0196b4a2-0000-7000-8000-000000000000.json']) {
      const response = await get(path, { origin: 'https://shop.example' })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { startTestServer, type TestServer } from '../support/test-server.js'

const build = (): string => execFileSync(process.execPath, ['web/build.mjs'], { encoding: 'utf8' })

/** Bytes after gzip. What an agent's page loads before anything is chosen, and the style. */
const BUDGETS = { js: 60 * 1_024, css: 12 * 1_024 }
/** Of the web widget: before a tap, with the chat, with all that a message may hold. */
const WIDGET_BUDGETS = { loader: 2_000, chat: 15_000, all: 21_000 }

describe('the pages that the server serves', () => {
  let server: TestServer
  beforeAll(async () => {
    build()
    server = await startTestServer({ ALLOWED_ORIGINS: 'https://other.example' })
  })
  afterAll(() => server.close())

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers, redirect: 'manual' })

  it('are built in less than a second, and not at all when nothing changed', () => {
    expect(build()).toBe('')
    const since = performance.now()
    build()
    expect(performance.now() - since).toBeLessThan(1_000)
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

  it('are within their size budget', async () => {
    const page = await (await get('/console')).text()
    const weight = async (pattern: RegExp): Promise<number> => {
      const names = [...page.matchAll(pattern)].map(([name]) => name)
      const files = await Promise.all(
        names.map(async (name) => gzipSync(Buffer.from(await (await get(name)).arrayBuffer()), { level: 9 }).length),
      )
      return files.reduce((sum, bytes) => sum + bytes, 0)
    }
    const eager = eagerScripts()
    expect(eager).toBeLessThan(BUDGETS.js)
    expect(await weight(/\/web\/[\w-]+\.css/g)).toBeLessThan(BUDGETS.css)
  })

  it('have a widget within its size budget', () => {
    const [loader, chat, all] = [
      bytesOf(/^widget\.js$/),
      bytesOf(/^widget\.js$/, /^start-/),
      bytesOf(/^widget\.js$/, /^start-/, /^rich-/, /^upload-/),
    ]
    process.stderr.write(`widget: loader ${loader}, with chat ${chat}, with all ${all} bytes after gzip\n`)
    expect(loader).toBeLessThan(WIDGET_BUDGETS.loader)
    expect(chat).toBeLessThan(WIDGET_BUDGETS.chat)
    expect(all).toBeLessThan(WIDGET_BUDGETS.all)
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

/** The entry and what it imports without being asked, by the build's own account. */
function eagerScripts(): number {
  return bytesOf(/^console-\w+\.js$/)
}

/** Of the files of these names, and of what they import without being asked. */
function bytesOf(...entries: RegExp[]): number {
  const { files } = JSON.parse(readFileSync('dist/public/manifest.json', 'utf8')) as { files: Record<string, unknown> }
  const seen = new Set<string>()
  const add = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const text = execFileSync('gzip', ['-dc', `dist/public/${name}.gz`], { encoding: 'utf8', maxBuffer: 1e8 })
    for (const [, imported] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) add(imported!)
  }
  for (const entry of entries) add(Object.keys(files).find((name) => entry.test(name))!)
  return [...seen].reduce((sum, name) => sum + readFileSync(`dist/public/${name}.gz`).length, 0)
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Fastify from 'fastify'
import { buildSchema } from 'graphql'
import MiniSearch from 'minisearch'
import { addDocsRoutes } from '../src/api/http/docs-routes.js'
import { NotFound } from '../src/platform/errors.js'

describe('the site of the pages (npm run docs:build)', () => {
  let folder: string
  let pages: { path: string; html: string }[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-site-'))
    execFileSync(process.execPath, ['docs/site/build.mjs', folder])
    pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html') && !path.startsWith('examples/'))
      .map((path) => ({ path, html: readFileSync(join(folder, path), 'utf8') }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has a page of each page', () => {
    const sources = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
    const wanted = [
      'index.html',
      'CONTRIBUTING.html',
      ...sources.map((path) => `docs/${path.replace(/\.md$/, '.html')}`),
    ]
    expect(wanted.filter((path) => !pages.some((page) => page.path === path))).toEqual([])
  })

  it('links to what is there, headings and pictures among it', () => {
    const links = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
        .map(([, target]) => target!.replaceAll('&amp;', '&'))
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => ({ path, target })),
    )
    expect(links.length).toBeGreaterThan(1_000)
    const isThere = ({ path, target }: { path: string; target: string }): boolean => {
      const [file = '', anchor] = target.split('#')
      const at = file ? normalize(join(dirname(path), decodeURI(file))) : path
      if (!existsSync(join(folder, at))) return false
      return (
        !anchor || pages.some((page) => page.path === at && page.html.includes(`id="${decodeURIComponent(anchor)}"`))
      )
    }
    expect(links.filter((link) => !isThere(link))).toEqual([])
  })

  it('is searched by its own index', () => {
    const script = readFileSync(join(folder, 'search-index.js'), 'utf8')
    const json = JSON.parse(script.slice('window.searchIndex = '.length)) as string
    const index = MiniSearch.loadJSON(json, {
      fields: ['title', 'heading', 'text'],
      storeFields: ['at', 'title', 'heading'],
    })
    const first = (query: string): unknown => index.search(query, { combineWith: 'AND', prefix: true })[0]?.at
    expect(first('EVENT_RETENTION_DAYS')).toMatch(/^docs\//)
    expect(first('message travels')).toBe('docs/architecture/message.html#how-one-message-travels')
    expect(index.search('xyzzyplugh')).toEqual([])
  })

  it('is served at /docs, with its pages for programs, and nothing beside it', async () => {
    const app = Fastify()
    app.setErrorHandler((error, _request, reply) => reply.code(error instanceof NotFound ? 404 : 500).send())
    addDocsRoutes(app, { schema: buildSchema('type Query { a: Int }'), folder: `${folder}/` })
    const get = (url: string) => app.inject({ method: 'GET', url })
    expect((await get('/docs')).headers.location).toBe('/docs/')
    const page = await get('/docs/docs/guide/live.html')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const listed = await get('/llms.txt')
    const links = [...listed.body.matchAll(/\]\((\/docs\/docs\/[^)]+\.md)\)/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(25)
    for (const link of links) expect((await get(link)).statusCode).toBe(200)
    for (const path of ['../package.json', '..%2f..%2fetc%2fpasswd', 'nothing.html', '']) {
      expect((await get(`/docs/docs/${path}`)).statusCode).toBe(404)
    }
    await app.close()
  })

  it('is read and compressed once, whoever asks again has it by its tag', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'switchboard-docs-'))
    await cp(folder, copy, { recursive: true })
    const app = Fastify()
    addDocsRoutes(app, { schema: buildSchema('type Query { a: Int }'), folder: `${copy}/` })
    const get = (headers: Record<string, string>, url = '/docs/search-index.js') =>
      app.inject({ method: 'GET', url, headers })
    const picture = '/docs/docs/pictures/queue.png'
    const first = await get({})
    expect((await get({}, picture)).statusCode).toBe(200)
    // Nothing is left to be read.
    await rm(copy, { recursive: true })
    const [plain, zipped, known, shown] = await Promise.all([
      get({}),
      get({ 'accept-encoding': 'gzip' }),
      get({ 'if-none-match': String(first.headers.etag) }),
      get({ 'accept-encoding': 'gzip' }, picture),
    ])
    expect([plain, zipped, known, shown].map(({ statusCode }) => statusCode)).toEqual([200, 200, 304, 200])
    expect(plain.rawPayload.equals(first.rawPayload)).toBe(true)
    expect(gunzipSync(zipped.rawPayload).equals(first.rawPayload)).toBe(true)
    expect(zipped.rawPayload.length).toBeLessThan(first.rawPayload.length / 2)
    expect(zipped.headers).toMatchObject({
      etag: first.headers.etag,
      vary: 'Accept-Encoding',
      'cache-control': 'no-cache',
    })
    expect(shown.headers['content-encoding']).toBeUndefined()
    await app.close()
  })
})

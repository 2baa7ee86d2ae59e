import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sendStaticFile, type StaticFile } from './static-file.js'
import { pagePolicy } from '../../platform/content/page-policy.js'
import { NotFound } from '../../platform/errors.js'

/** Written by `web/build.mjs` beside the files: lists them with their headers. */
interface Manifest {
  /** By URL below `/web/`; names contain a hash of the content, except those with `isStable`. */
  files: Record<string, { type: string; etag: string; isStable?: boolean }>
  /** Pages by name, such as `console`. */
  pages: Record<string, string>
  /** The service worker of the console, in `files`. */
  worker: string
  /** First segments of the paths below `/console` that are pages. */
  consolePaths: string[]
  /** Texts of the pages' GraphQL documents by id. */
  documents: Record<string, string>
}

type Built = Manifest & { directory: string; text: string }

export interface WebFile extends StaticFile {
  type: string
  cacheControl: string
}

export interface WebFiles {
  pages: ReadonlyMap<string, WebFile>
  files: ReadonlyMap<string, WebFile>
  worker: WebFile | null
  consolePaths: ReadonlySet<string>
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Revalidated each time; answered by 304 if unchanged. */
const REVALIDATED = 'no-cache'
/** The code runs compiled, beside the built files, or from source, beside `dist`. */
const DIRECTORIES = ['../../../public/', '../../../dist/public/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** Reads what `npm run build` wrote; null when it was not run. */
async function readManifest(): Promise<Built | null> {
  const directory = DIRECTORIES.find((each) => existsSync(`${each}manifest.json`))
  if (!directory) return null
  const text = await readFile(`${directory}manifest.json`, 'utf8')
  return { ...(JSON.parse(text) as Manifest), directory, text }
}

/** Returns the texts of the pages' GraphQL documents by id; none when the pages were not built. */
export async function loadPageDocuments(): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries((await readManifest())?.documents ?? {}))
}

/** The files of a build, by the text of its manifest: servers of one process share them. */
let loaded: { of: string; files: Promise<WebFiles> } | undefined

/** Reads the output of `npm run build`, once a build; empty when it was not run. */
export async function loadWebFiles(): Promise<WebFiles> {
  const manifest = await readManifest()
  if (!manifest) return { pages: new Map(), files: new Map(), worker: null, consolePaths: new Set() }
  const { text } = manifest
  if (loaded?.of !== text) loaded = { of: text, files: readFiles(manifest) }
  return loaded.files.catch((error: unknown) => {
    // Perhaps a build was replacing them.
    loaded = undefined
    throw error
  })
}

async function readFiles({ directory, files, pages, worker, consolePaths }: Built): Promise<WebFiles> {
  const read = async (name: string): Promise<WebFile> => {
    const { type, etag, isStable } = files[name]!
    const gzipped = await readFile(`${directory}${name}.gz`)
    const plain = await promisify(gunzip)(gzipped)
    return { type, etag: `"${etag}"`, plain, gzipped, cacheControl: isStable ? REVALIDATED : IMMUTABLE }
  }
  const entries = async (names: [string, string][]): Promise<Map<string, WebFile>> =>
    new Map(await Promise.all(names.map(async ([key, name]) => [key, await read(name)] as const)))
  return {
    pages: await entries(Object.entries(pages)),
    files: await entries(Object.keys(files).map((name) => [name, name])),
    worker: { ...(await read(worker)), cacheControl: REVALIDATED },
    consolePaths: new Set(consolePaths),
  }
}

/**
 * Adds the console's page at `/console` and everything below it, and the files that it loads. The page may not load
 * anything from elsewhere, run other scripts, or be framed.
 */
export function addWebFiles(app: FastifyInstance, { pages, files, worker, consolePaths }: WebFiles): void {
  const sendConsole = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const page = pages.get('console')
    if (!page) throw new NotFound('the console has not been built: run npm run build and restart')
    const { host, protocol } = request
    reply.header('content-security-policy', consolePolicy(host, protocol === 'https'))
    // A page that it opens, or that opened it, has no hold of its window.
    reply.header('cross-origin-opener-policy', 'same-origin')
    return sendWebFile(page, request, reply)
  }
  app.get('/console', sendConsole)
  // Below `/console`, since that is as far as it reaches.
  app.get('/console/worker.js', (request, reply) => {
    if (!worker) throw new NotFound('the console has not been built: run npm run build and restart')
    return sendWebFile(worker, request, reply)
  })
  app.get('/console/*', (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (consolePaths.has(path.split('/', 1)[0]!)) return sendConsole(request, reply)
    // A person is told by the console; a script or an image that does not exist is not a page.
    const isPage = request.headers.accept?.includes('text/html') === true
    if (!isPage) throw new NotFound(`/console/${path.slice(0, 200)} does not exist`)
    return sendConsole(request, reply.code(404))
  })
  // The address of a conversation in mails and messages. Opening it joins nobody to the conversation (3.1).
  app.get('/c/:slug', (request, reply) => {
    const { slug } = request.params as { slug: string }
    return reply.redirect(`/console/c/${encodeURIComponent(slug)}?join`, 302)
  })
  app.get('/web/*', (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const file = files.get(name)
    if (!file) throw new NotFound(`/web/${name.slice(0, 200)} does not exist`)
    allowAnyPage(reply)
    return sendWebFile(file, request, reply)
  })
}

export function sendWebFile(
  { type, cacheControl, ...file }: WebFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendStaticFile(file, request, reply.header('cache-control', cacheControl).type(type))
}

/** Scripts of the widget are modules, which pages of other sites load only where all may. */
export function allowAnyPage(reply: FastifyReply): void {
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
}

/** A host that may appear in a header. */
const HOST = /^[\w.:[\]-]{1,255}$/

/** Returns the content security policy of a page that has the console or the widget: what both need, and `more` of the page itself. */
export function appPolicy(host: string, isSecure: boolean, more: readonly string[]): string {
  const socket = `${isSecure ? 'wss' : 'ws'}://${HOST.test(host) ? host : 'localhost'}`
  return pagePolicy([
    `script-src 'self'`,
    `style-src 'self'`,
    `connect-src 'self' ${socket}`,
    `img-src 'self' https: blob:`,
    `frame-src http: https:`,
    ...more,
  ])
}

function consolePolicy(host: string, isSecure: boolean): string {
  const more = [`media-src 'self'`, `manifest-src 'self'`, `form-action 'self'`, `trusted-types html worker`]
  return appPolicy(host, isSecure, more)
}

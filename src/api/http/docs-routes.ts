import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync, readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql'
import { sendStaticFile, StaticFolder, staticText } from './static-file.js'
import { pagePolicy } from '../../platform/content/page-policy.js'
import { NotFound } from '../../platform/errors.js'

/** Folders in which `npm run build` puts the pages: beside the compiled code, or from source beside `dist`. */
const FOLDERS = ['../../../docs/', '../../../dist/docs/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
const INDEX = 'index.html'
/** List of the pages for programs, with a link to each. */
const FOR_PROGRAMS = 'llms.txt'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
}
/** Everything else that pages link to is source: shown, never run. */
const TEXT = 'text/plain; charset=utf-8'
/** The pages load their own style, scripts and pictures. */
const POLICY = pagePolicy([
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "trusted-types 'none'",
])

export interface DocsOptions {
  schema: GraphQLSchema
  /** Output of `npm run docs:build`. */
  folder?: string | undefined
}

/**
 * Adds `/docs`, the pages of this release, to which comments, errors and descriptions refer; `/llms.txt`, which lists them
 * for programs; and `/schema.graphql`.
 */
export function addDocsRoutes(app: FastifyInstance, { schema, folder = builtFolder() }: DocsOptions): void {
  const files: ReadonlySet<string> = new Set(folder ? filesOf(folder) : [])
  const kept = new StaticFolder(folder ?? '')
  const send = async (request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> => {
    // Only what was there at the start: a path cannot lead elsewhere.
    if (!files.has(file)) {
      const hint = files.size === 0 ? '; `npm run docs:build` makes the pages' : '; /docs/ lists the pages'
      throw new NotFound(`GET /docs/${file.slice(0, 200)} does not exist${hint}`, { reason: 'ROUTE_NOT_FOUND' })
    }
    const type = TYPES[extname(file)] ?? TEXT
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' }).type(type)
    return sendStaticFile(await kept.file(file, type !== TYPES['.png']), request, reply)
  }
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 302))
  app.get('/docs/', (request, reply) => send(request, reply, INDEX))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => send(request, reply, request.params['*']))
  app.get(`/${FOR_PROGRAMS}`, (request, reply) => send(request, reply, FOR_PROGRAMS))
  const printed = staticText(() => `${printSchema(lexicographicSortSchema(schema))}\n`)
  app.get('/schema.graphql', async (request, reply) =>
    sendStaticFile(await printed(), request, reply.type('application/graphql; charset=utf-8')),
  )
}

function builtFolder(): string | undefined {
  return FOLDERS.find((folder) => existsSync(`${folder}${INDEX}`))
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length).replace(/^\/+/, ''))
}

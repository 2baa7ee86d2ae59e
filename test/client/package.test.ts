import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { startTestServer, type TestServer } from '../support/test-server.js'

const execute = promisify(execFile)
const CORE_GZIP_BYTES_MAX = 8 * 1_024

/** A project with the package as npm would install it, and nothing of this repository but the packages it names. */
let project: string
beforeAll(async () => {
  await execute('npx', ['tsc', '-b', 'client', 'client/tsconfig.cjs.json'])
  project = await mkdtemp(join(tmpdir(), 'client-package-'))
  const { stdout } = await execute('npm', [
    'pack',
    './client',
    '--pack-destination',
    project,
    '--json',
    '--ignore-scripts',
  ])
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await mkdir(join(project, 'node_modules/@switchboard'), { recursive: true })
  await execute('tar', ['-xzf', join(project, filename), '-C', project])
  await execute('mv', [join(project, 'package'), join(project, 'node_modules/@switchboard/client')])
  for (const name of ['graphql-ws', 'ws', 'graphql'])
    await symlink(resolve('node_modules', name), join(project, 'node_modules', name))
})
afterAll(() => rm(project, { recursive: true, force: true }))

async function bundleBytes(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length
}

describe('the package @switchboard/client', () => {
  it('contains the build and its README, and depends on graphql-ws only', async () => {
    const { stdout } = await execute('npm', ['pack', './client', '--dry-run', '--json', '--ignore-scripts'])
    const [{ files, size }] = JSON.parse(stdout) as [{ files: { path: string }[]; size: number }]
    expect(
      files
        .map(({ path }) => path)
        .filter((path) => !/^(dist|cjs)\/[\w/-]+\.(js|d\.ts)$/.test(path))
        .toSorted(),
    ).toEqual(['LICENSE', 'README.md', 'cjs/package.json', 'package.json'])
    // Two builds. Most of it is generated of the schema and grows with it; what a page loads is bounded below.
    expect(size).toBeLessThan(90_000)
    const { dependencies, peerDependencies, exports } = JSON.parse(await readFile('client/package.json', 'utf8'))
    expect([Object.keys(dependencies), peerDependencies]).toEqual([['graphql-ws'], undefined])
    const published = files.map(({ path }) => `./${path}`)
    type Entry = Record<'import' | 'require', { types: string; default: string }>
    for (const { import: esm, require: cjs } of Object.values<Entry>(exports)) {
      expect(published).toEqual(expect.arrayContaining([esm.types, esm.default, cjs.types, cjs.default]))
    }
  })

  // Where a registry shows the README, nothing of the repository is beside it.
  it('has a README that links to nothing beside it, and names pages and files that a server has', async () => {
    const readme = await readFile(join(project, 'node_modules/@switchboard/client/README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)="([^"]+)"/gm)]
    expect(links.map(([, ...targets]) => targets.join('')).filter((target) => !/^(?:https:|#)/.test(target))).toEqual(
      [],
    )
    const named = [...readme.matchAll(/`\/docs\/([^`]+)`/g)].map(([, path]) => path!.replace(/\.html$/, '.md'))
    expect(named).toHaveLength(2)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  it('has a core of less than 8 KB, and is tree-shakeable', async () => {
    expect(await bundleBytes(`export * from '@switchboard/client'`)).toBeLessThan(CORE_GZIP_BYTES_MAX)
    expect(await bundleBytes(`import { newId } from '@switchboard/client'; console.log(newId())`)).toBeLessThan(400)
    for (const name of ['', '/documents', '/apollo', '/graphcache', '/webhooks', '/bot', '/events']) {
      expect([name, await bundleBytes(`import '@switchboard/client${name}'`)]).toEqual([name, expect.any(Number)])
      expect(await bundleBytes(`import '@switchboard/client${name}'`)).toBeLessThan(40)
    }
  })

  it('has types that compile in a strict project without skipLibCheck', async () => {
    expect(await problemsOf('use.ts', USE, { module: 'nodenext' })).toEqual([])
  })

  it('has types of its own for CommonJS', async () => {
    expect(await problemsOf('use.cts', USE, { module: 'node16', moduleResolution: 'node16' })).toEqual([])
  })
})

/** Compiles one file of the project; returns what the compiler says of it and of the package. */
async function problemsOf(file: string, source: string, options: object): Promise<string[]> {
  await writeFile(join(project, file), source)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom'],
    strict: true,
    noEmit: true,
    types: [],
    ...options,
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  await writeFile(join(project, 'package.json'), '{"type": "module"}')
  const said = await execute('npx', ['tsc', '-p', project]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  return said.split('\n').filter((line) => line !== '' && !line.includes('node_modules/graphql-ws'))
}

const USE = `
import { Refused, Switchboard, type ErrorCode } from '@switchboard/client'
import { possibleTypes, typePolicies } from '@switchboard/client/apollo'
import { createBot } from '@switchboard/client/bot'
import { followEvents } from '@switchboard/client/events'
import { CONVERSATION, MeDocument, QUEUE } from '@switchboard/client/documents'
import { keys, schema } from '@switchboard/client/graphcache'
import { isGenuine } from '@switchboard/client/webhooks'

export const known = [possibleTypes, typePolicies, keys, schema, isGenuine, createBot, followEvents]
export const switchboard = new Switchboard({ serverUrl: 'http://localhost:4000', token: (isRefused) => (isRefused ? 'a' : 'b') })
switchboard.live.open(QUEUE, { onChange: (entries) => entries.get('x')?.contactName?.length })
switchboard.live.open(CONVERSATION, { onChange: ({ messages }) => messages.map(({ text }) => text) })
export const name: Promise<string> = switchboard.request(MeDocument, {}).then(({ me }) => me.displayName)
export const code = (error: Refused): ErrorCode | (string & {}) => error.code
// @ts-expect-error a message has no such field
switchboard.sendMessage('x', { texts: 'hello' })
`

describe('the package, in a Node of its own', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  it.each(['run.mjs', 'run.cjs'])('signs in, watches the queue live and gets readable errors: %s', async (file) => {
    await writeFile(join(project, file), file === 'run.mjs' ? RUN : RUN_CJS)
    const nodes = ['/usr/bin/node', '/usr/local/bin/node', process.execPath]
    const versions: string[] = []
    for (const node of nodes) {
      const ran = await execute(node, [file, server.url], { cwd: project }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (!ran) continue
      const { version, ...said } = JSON.parse(ran.stdout) as { version: string }
      versions.push(version)
      expect(said).toEqual({ scope: expect.stringContaining('admin'), queue: 0, code: 'NOT_FOUND' })
    }
    expect(versions.length).toBeGreaterThan(0)
  })

  it('sends without a WebSocket, which Node below 22 does not have', async () => {
    await writeFile(join(project, 'send.mjs'), SEND)
    const ran = await execute(process.execPath, ['--no-experimental-websocket', 'send.mjs', server.url], {
      cwd: project,
    })
    expect(JSON.parse(ran.stdout)).toEqual({ hasWebSocket: false, code: 'NOT_FOUND' })
  })
})

const SEND = `
import { createRequest, Switchboard } from '@switchboard/client'
import { AcceptConversationDocument, SignInDocument } from '@switchboard/client/documents'
const serverUrl = process.argv[2]
const signIn = createRequest({ serverUrl, token: null })
const { createToken } = await signIn(SignInDocument, { email: 'owner@example.com', password: 'correct horse battery' })
const switchboard = new Switchboard({ serverUrl, token: createToken.token })
const conversation = '01900000-0000-7000-8000-000000000000'
const code = await switchboard.request(AcceptConversationDocument, { conversation }).catch((error) => error.code)
await switchboard.close()
console.log(JSON.stringify({ hasWebSocket: 'WebSocket' in globalThis, code }))
`

const RUN_BODY = `
const serverUrl = process.argv[2]
const signIn = createRequest({ serverUrl, token: null })
const { createToken } = await signIn(SignInDocument, { email: 'owner@example.com', password: 'correct horse battery' })
const switchboard = new Switchboard({ serverUrl, token: createToken.token, webSocketImpl: WebSocket })
const queue = await new Promise((resolve, reject) => switchboard.live.open(QUEUE, { onChange: (rows) => resolve(rows.size), onEnd: reject }))
const conversation = '01900000-0000-7000-8000-000000000000'
const code = await switchboard.request(AcceptConversationDocument, { conversation }).catch((error) => error.code)
await switchboard.close()
console.log(JSON.stringify({ version: process.version, scope: createToken.scope, queue, code }))
`

const RUN = `
import { createRequest, Switchboard } from '@switchboard/client'
import { AcceptConversationDocument, QUEUE, SignInDocument } from '@switchboard/client/documents'
import WebSocket from 'ws'
${RUN_BODY}`

const RUN_CJS = `
const { createRequest, Switchboard } = require('@switchboard/client')
const { AcceptConversationDocument, QUEUE, SignInDocument } = require('@switchboard/client/documents')
const WebSocket = require('ws')
async function main() {
${RUN_BODY}}
void main()
`

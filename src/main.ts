import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { readConfig, type Config } from './platform/config.js'
import type { Server } from './app/server.js'
import { tracing } from './platform/tracing/tracing.js'

const NODE_MAJOR = 24
if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
  process.stderr.write(`Switchboard needs Node ${NODE_MAJOR}, and this is Node ${process.versions.node}.\n`)
  process.exit(1)
}

/** Time limit of what follows the notice and the closing of sockets: requests 5 s, webhooks 3 s, jobs 5 s; then the process exits. */
const DRAIN_END_MS = 20_000

/** Caches compiled code beside the build, which shortens the load time of modules by a third. */
module.enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)))

async function main(): Promise<void> {
  const config = readConfig()
  showsStacks = ['debug', 'trace'].includes(config.logLevel)
  const starting = start(config)
  stopOnSignal(starting, config.drainNoticeMs + config.drainSpreadMs + DRAIN_END_MS)
  const server = await starting
  announce(config, server)
  void server.fenced.then((error) => stopFenced(server, error))
  module.flushCompileCache()
}

/** Loads tracing before everything else that it observes, and only if traces are sent somewhere. */
async function start(config: Config): Promise<Server> {
  if (config.traces)
    await (await import('./platform/tracing/open-telemetry.js')).startTracing(config.traces, config.logLevel)
  const { createServer } = await import('./app/server.js')
  return createServer(config)
}

/** The first signal drains, even while starting. */
function stopOnSignal(starting: Promise<Server>, msMax: number): void {
  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => fail(new Error(`draining took more than ${msMax / 1_000} s`)), msMax).unref()
    starting
      .then((server) => server.close())
      .then(() => tracing().stop())
      .then(() => process.exit(0), fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Its writes are refused already: what it drains are sockets. */
function stopFenced(server: Server, error: Error): void {
  setTimeout(() => fail(error), DRAIN_END_MS).unref()
  server.close().then(
    () => fail(error),
    () => fail(error),
  )
}

function announce({ host, publicUrl, graphiql }: Config, { url, firstOwner }: Server): void {
  const lines = [
    `Switchboard listens on ${url}${reachOf(host)}`,
    `  Console    ${publicUrl}/console   for agents and administrators`,
    `  GraphQL    ${publicUrl}/graphql${graphiql ? '   in a browser: a client to try it' : ''}`,
    `  REST       ${publicUrl}/v2        described at ${publicUrl}/v2/docs`,
    `  Sign in    ${signIn(firstOwner)}`,
    `             at the console, by the mutation createToken(email, password), or POST ${publicUrl}/v2/auth/token`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function reachOf(host: string): string {
  return isLoopback(host) ? ', for this machine alone: HOST=0.0.0.0 lets others in' : ` (HOST ${host})`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function signIn(owner: Server['firstOwner']): string {
  if (!owner) return 'as the owner created by the first start'
  const { email, generatedPassword } = owner
  if (generatedPassword === null) return `${email}, with the password in ADMIN_PASSWORD`
  return `${email}, password ${generatedPassword}   shown only once: keep it`
}

let showsStacks = false

/** Errors for the operator are one line; LOG_LEVEL=debug adds the stack. */
function fail(error: unknown): never {
  process.stderr.write(`Switchboard stops: ${reasonOf(error)}\n`)
  if (showsStacks && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ')
  return error instanceof Error ? error.message.replaceAll(/\s*\n\s*/g, ' | ') : String(error)
}

process.on('unhandledRejection', (error) => {
  process.stderr.write(`unhandled rejection: ${error instanceof Error ? error.stack : String(error)}\n`)
})

main().catch(fail)

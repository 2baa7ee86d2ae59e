import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../platform/config.js'
import type { Clock } from '../platform/db/clock.js'
import { openDependencies, type AppDependencies } from './dependencies.js'
import type { Operations } from '../api/graphql/operations.js'
import { openHttpServer } from './http-server.js'
import { openLog } from '../platform/log.js'
import { listen } from '../api/http/listen.js'
import { listenForMetrics } from '../api/http/metrics-access.js'
import { jobCounts } from '../platform/jobs/job-counts.js'
import { Lifecycle } from './lifecycle.js'
import { Maintenance } from '../platform/maintenance/maintenance.js'
import type { Module } from '../platform/module.js'
import { openModules } from './modules.js'
import { openOperations } from './operations.js'
import { bootstrap, type FirstOwner } from '../modules/organizations/bootstrap.js'
import { createGraphqlHttp, type GraphqlPlugin } from '../api/graphql/apollo.js'
import { loadPlugins } from '../api/graphql/load-plugins.js'
import { createRealtime } from '../api/realtime/realtime.js'
import type { PasswordCost } from '../modules/auth/passwords.js'
import { createSchema } from './schema.js'
import type { Install } from '../modules/touchpoints/install.js'

/** Replacements for tests. */
export interface Overrides {
  /** Replaces the database's time. */
  clock?: Clock
  log?: Logger
  touchpoints?: Readonly<Record<string, Install>>
  graphqlPlugins?: readonly GraphqlPlugin[]
  passwordCost?: PasswordCost
}

type Parts = Pick<
  AppDependencies,
  'database' | 'sealer' | 'signer' | 'authenticator' | 'jobs' | 'dispatcher' | 'fenced'
>

export interface Server extends Parts {
  /** Address that it listens at. */
  url: string
  port: number
  maintenance: Maintenance
  /** Address of the metrics, if they have a separate port. */
  metricsPort: number | undefined
  /** Runs operations in process. */
  operations: Operations
  /** The owner created by a first start; null otherwise. */
  firstOwner: FirstOwner | null
  /** Drains: sockets, requests, jobs, then the database. */
  close(): Promise<void>
}

/** Builds, migrates and starts the whole server; the only place where its parts are assembled. */
export async function createServer(config: Config, overrides: Overrides = {}): Promise<Server> {
  const { clock, passwordCost, log = openLog(config.logLevel) } = overrides
  const lifecycle = new Lifecycle()
  try {
    const dependencies = await openDependencies({ config, log, clock, passwordCost, lifecycle })
    const { authenticator, database, dispatcher, fenced, jobs, sealer, signer } = dependencies
    const firstOwner = await makeFirstOwner(dependencies)
    const modules = await openModules(dependencies, overrides.touchpoints)
    const resolvers = modules.flatMap(({ resolvers: each = [] }) => each)
    const schema = await createSchema(database, resolvers)
    const operations = await openOperations(dependencies, schema)
    let isStarted = false
    const sources = modules.flatMap(({ sources: each = [] }) => each)
    const { guestOrigins } = dependencies.widget
    const plugins = [...(await loadPlugins(config.graphqlPlugins)), ...(overrides.graphqlPlugins ?? [])]
    const graphqlHttp = await createGraphqlHttp(operations, log, plugins)
    const live = createRealtime({ ...dependencies, operations, gate: graphqlHttp, sources, guestOrigins })
    const http = await openHttpServer(dependencies, {
      operations,
      graphqlHttp,
      modules,
      realtime: live,
      isStarted: () => isStarted,
    })
    dependencies.accessChanges.add(live)

    const tasks = modules.flatMap(({ maintenance: each = [] }) => each)
    const maintenance = new Maintenance({ ...dependencies, tasks })
    for (const part of [...backgroundParts(dependencies, maintenance), ...modules]) {
      lifecycle.onStop(() => part.stop?.())
      await part.start?.()
    }
    live.attach(http.fastify.server, http.rate)
    const metricsServer = await listenForMetrics(config, http.fastify)
    if (metricsServer) lifecycle.onStop(() => metricsServer.stop())
    await listen(http.fastify, config)
    isStarted = true
    lifecycle.onStop(async () => {
      http.beginDrain()
      // Balancers see it, and send new requests elsewhere, while those that still come are answered.
      await new Promise((resolve) => setTimeout(resolve, config.drainNoticeMs))
      await live.drain(config.drainSpreadMs)
      for (const module of modules) module.drain?.()
      await http.close()
    })
    const { port } = http.fastify.server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      ...{ database, sealer, signer, authenticator, jobs, maintenance, dispatcher, fenced, operations, firstOwner },
      metricsPort: metricsServer?.port,
      close: () => lifecycle.stop(),
    }
  } catch (error) {
    await lifecycle
      .stop()
      .catch((stopError: unknown) => log.error({ err: stopError }, 'failed to stop after a failed start'))
    throw error
  }
}

/** Parts that run independently of the modules; presence is first, so that nothing runs before the node is registered. */
function backgroundParts(dependencies: AppDependencies, maintenance: Maintenance): Pick<Module, 'start' | 'stop'>[] {
  const { clock, database, dispatcher, jobs, log, metrics, presence, pulse } = dependencies
  return [presence, maintenance, dispatcher, pulse, jobs, jobCounts({ sql: database, clock, log, metrics })]
}

function makeFirstOwner({ clock, config, database, hasher }: AppDependencies): Promise<FirstOwner | null> {
  const { adminEmail, adminPassword } = config
  const hashPassword = (password: string): Promise<string> => hasher.hash(password)
  return bootstrap({ database, clock, hashPassword, adminEmail, adminPassword })
}

import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareDataDir } from '../data-dir.js'
import { findPostgresBinaries } from './embedded-binaries.js'
import { type Cluster, clusterDirOf, openCluster } from './embedded-cluster.js'
import { lockDirectory } from './embedded-lock.js'
import { stopLeftover } from './embedded-leftover.js'
import {
  type Endpoint,
  type Log,
  type Postmaster,
  PostmasterFailed,
  type PostmasterOptions,
  SOCKET_NUMBER,
  startPostmaster,
} from './embedded-postmaster.js'
import { chooseRunAs } from './embedded-run-as.js'

export interface EmbeddedPostgresOptions {
  /**
   * Created if absent. Its folder `postgres` is the cluster: read access to that folder is read access to the database.
   */
  dataDir: string
  log: Log
  /** Settings of PostgreSQL that replace the durable ones, for a database that may be lost: those of tests. */
  settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres {
  /** URL of the database `switchboard`, as its owner; contains the password. */
  url: string
  /** Stops the server gracefully, and all its processes; may be called again. */
  stop(): Promise<void>
}

/**
 * Runs a private PostgreSQL on `dataDir`, for a machine with nothing but Node. Every committed transaction survives
 * kill -9 of this process, of PostgreSQL, or of both. PostgreSQL stops when this process dies, and is restarted at the
 * same URL when it dies itself. One process at a time: the lock is seen by other processes of this machine, but not by
 * another machine that shares the folder.
 * @throws Error that says what to do when `dataDir` is in use or unusable, or there are no binaries for the machine
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const startedAt = performance.now()
  await prepareDataDir(dataDir)
  const lock = await lockDirectory(dataDir)
  try {
    const runAs = await chooseRunAs(clusterDirOf(dataDir))
    const binaries = await findPostgresBinaries(dataDir, runAs)
    const cluster = await openCluster(dataDir, binaries, runAs)
    const { log, settings } = options
    const server = new SupervisedServer({ clusterDir: cluster.dir, binaries, runAs, log, settings })
    const url = urlOf(cluster, await server.start())
    const elapsedMs = Math.round(performance.now() - startedAt)
    log.info({ dataDir, elapsedMs }, 'embedded PostgreSQL is ready')
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await server.stop()
      await lock.release()
    }
    return { url, stop: () => (stopped ??= stop()) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Uses a socket file where possible: about a third more statements per second than over TCP. */
function urlOf(cluster: Cluster, endpoint: Endpoint): string {
  const host = endpoint.socket ? encodeURIComponent(cluster.dir) : '127.0.0.1'
  const port = endpoint.socket ? SOCKET_NUMBER : endpoint.port
  return `postgresql://switchboard:${cluster.password}@${host}:${port}/switchboard`
}

const START_ATTEMPTS = 50
const START_RETRY_MS = 200
const RESTART_DELAY_MAX_MS = 5000

/** Keeps a server running at one endpoint until it is stopped. */
class SupervisedServer {
  readonly #options: PostmasterOptions
  readonly #stopping = new AbortController()
  #supervision: Promise<void> | undefined
  #postmaster: Postmaster | undefined

  constructor(options: PostmasterOptions) {
    this.#options = options
  }

  async start(): Promise<Endpoint> {
    let endpoint: Endpoint = socketFits(this.#options.clusterDir) ? { socket: true } : await freePort()
    for (let attempt = 1; !this.#postmaster; attempt++) {
      try {
        this.#postmaster = await this.#launch(endpoint)
      } catch (error) {
        if (attempt === 3 || !isRefusedEndpoint(error)) throw error
        // The file system has no sockets, or the port was taken in the meantime.
        endpoint = await freePort()
      }
    }
    this.#supervision = this.#supervise(this.#postmaster, endpoint)
    return endpoint
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#postmaster?.stop()
    await this.#supervision
  }

  async #supervise(first: Postmaster, endpoint: Endpoint): Promise<void> {
    for (let postmaster: Postmaster | undefined = first; postmaster; postmaster = await this.#relaunch(endpoint)) {
      this.#postmaster = postmaster
      if (this.#isStopping()) await postmaster.stop()
      const reason = await postmaster.exited
      if (this.#isStopping()) return
      this.#options.log.warn({ reason }, 'PostgreSQL exited unexpectedly; restarting it')
    }
  }

  async #relaunch(endpoint: Endpoint): Promise<Postmaster | undefined> {
    for (let delayMs = 100; !this.#isStopping(); delayMs = Math.min(delayMs * 2, RESTART_DELAY_MAX_MS)) {
      // Rejects when the server is being stopped.
      await sleep(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      if (this.#isStopping()) break
      try {
        return await this.#launch(endpoint)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'failed to restart PostgreSQL')
      }
    }
    return undefined
  }

  /** Starts the server; waits for the children and the shared memory of a killed server to disappear. */
  async #launch(endpoint: Endpoint): Promise<Postmaster> {
    for (let attempt = 1; ; attempt++) {
      await stopLeftover(this.#options)
      try {
        return await startPostmaster(this.#options, endpoint)
      } catch (error) {
        if (attempt === START_ATTEMPTS || this.#isStopping() || !isHeldByLeftover(error)) throw error
        await sleep(START_RETRY_MS)
      }
    }
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }
}

function isHeldByLeftover(error: unknown): boolean {
  return error instanceof PostmasterFailed && /shared memory block|lock file .* already exists/.test(error.output)
}

function isRefusedEndpoint(error: unknown): boolean {
  return error instanceof PostmasterFailed && /could not create any (Unix-domain|TCP\/IP) sockets/.test(error.output)
}

/** The address of a socket file may have 104 bytes on macOS and 108 on Linux, including the terminating zero. */
function socketFits(clusterDir: string): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(`${clusterDir}/.s.PGSQL.${SOCKET_NUMBER}`) < 104
}

/** Finds a free port, since PostgreSQL cannot choose one. It may be taken before it is used. */
async function freePort(): Promise<Endpoint> {
  const server = createServer()
  const port = await new Promise<number>((done, fail) => {
    server.once('error', fail).listen(0, '127.0.0.1', () => {
      const address = server.address()
      done(typeof address === 'object' && address ? address.port : 0)
    })
  })
  await new Promise((done) => server.close(done))
  return { socket: false, port }
}

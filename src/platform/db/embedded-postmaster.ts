import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { PostgresBinaries } from './embedded-binaries.js'
import { pathSeenBy, type RunAs, TOOL_ENV } from './embedded-run-as.js'

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Options for starting or stopping a server on a cluster. */
export interface PostmasterOptions {
  clusterDir: string
  binaries: PostgresBinaries
  runAs: RunAs
  log: Log
  /** In addition to `SETTINGS`. */
  settings?: Readonly<Record<string, string>>
}

/** Address on which the server listens: a socket file in its cluster, or a port of the loopback address. */
export type Endpoint = { socket: true } | { socket: false; port: number }

/** The number in the name of the socket file. */
export const SOCKET_NUMBER = 5432

/** A running server. */
export interface Postmaster {
  /** Resolves with the exit status or signal when the server and all its processes have ended. */
  exited: Promise<string>
  /** Rolls back open transactions and flushes; after 5 s it stops immediately, which loses nothing either. */
  stop(): Promise<void>
}

/** The server exited or did not become ready. `output` holds its last lines of output. */
export class PostmasterFailed extends Error {
  readonly output: string

  constructor(reason: string, output: string) {
    super(`PostgreSQL did not start (${reason}): ${output}`)
    this.name = 'PostmasterFailed'
    this.output = output
  }
}

/** Recovery after a crash replays about max_wal_size at most. */
const READY_WITHIN_MS = 120_000
const FAST_STOP_WITHIN_MS = 5000
const OUTPUT_LINES_KEPT = 20

/**
 * Settings for a machine shared with the application. Given on the command line, so that no file of the cluster can
 * override them.
 */
const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  max_logical_replication_workers: '0',
  jit: 'off',
  random_page_cost: '1.1',
  unix_socket_permissions: '0700',
  // The application reports failed statements itself; in this log they would contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '',
  log_destination: 'stderr',
  logging_collector: 'off',
}

/** Starts the server; resolves when it accepts connections. @throws PostmasterFailed */
export async function startPostmaster(options: PostmasterOptions, endpoint: Endpoint): Promise<Postmaster> {
  const { clusterDir, binaries, runAs, log } = options
  const settings = {
    ...SETTINGS,
    ...options.settings,
    listen_addresses: endpoint.socket ? '' : '127.0.0.1',
    port: endpoint.socket ? SOCKET_NUMBER : endpoint.port,
    unix_socket_directories: endpoint.socket ? '.' : '',
  }
  const path = await pathSeenBy(runAs, clusterDir)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', path, ...args], {
    cwd: clusterDir,
    env: TOOL_ENV,
    ...runAs,
    // A session of its own: Ctrl-C in a terminal is meant for this process, which needs the database while it drains.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const watchdog = startWatchdog(child.pid, runAs, log)
  const exited = endOf(child).then(async (reason) => {
    await watchdog.release()
    return reason
  })

  const output: string[] = []
  const ready = new Promise<undefined>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (output.push(line) > OUTPUT_LINES_KEPT) output.shift()
      log[/^(FATAL|PANIC)/.test(line) ? 'warn' : 'info']({ source: 'postgres' }, line)
      if (line.includes('database system is ready to accept connections')) resolve(undefined)
    })
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`not ready in ${READY_WITHIN_MS / 1000} s`), READY_WITHIN_MS)
  })
  const failure = await Promise.race([ready, exited, late])
  clearTimeout(timer)
  const postmaster = { exited, stop: () => stopChild(child, exited) }
  if (failure === undefined) return postmaster
  await postmaster.stop()
  throw new PostmasterFailed(failure, output.join('\n'))
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Not 'exit': stderr closes when the last of the server's processes has ended, and only then is the data free.
    child.once('close', (code, signal) => resolve(signal ?? `status ${code}`))
  })
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  // No-ops once it has ended. Windows has no signals: there it is killed, and recovers at the next start.
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_WITHIN_MS)
  await exited
  clearTimeout(timer)
}

/**
 * A separate process that stops the server when this one is gone, even after kill -9: it waits for a line on a pipe
 * from this process; end of file without that line means death. After 5 s of a fast shutdown it forces an immediate
 * one.
 */
const WATCHDOG = `
trap '' HUP INT TERM
read -r _ && exit 0
kill -INT "$1" || exit 0
for second in 1 2 3 4 5; do sleep 1; kill -0 "$1" || exit 0; done
kill -QUIT "$1"`

function startWatchdog(pid: number | undefined, runAs: RunAs, log: Log): { release(): Promise<void> } {
  // Windows has no sh; there the next start stops the leftover server.
  if (pid === undefined || process.platform === 'win32') return { release: () => Promise.resolve() }
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'switchboard-watchdog', String(pid)], {
    cwd: '/',
    env: TOOL_ENV,
    ...runAs,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.stdin.on('error', () => undefined)
  let released = false
  const ended = endOf(watchdog)
  void ended.then((reason) => released || log.warn({ reason }, 'the watchdog of PostgreSQL exited'))
  return {
    release: async () => {
      released = true
      watchdog.stdin.end('\n')
      await ended
    },
  }
}

import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { USER, type Machine } from './machine.js'
import { killAtOnce, startProgram } from './processes.js'

/** haproxy in front of the primary, and another part of it in front of the nodes. */
export class Balancer {
  #child: ChildProcess | null = null

  private constructor(
    readonly databasePort: number,
    readonly clientPort: number,
    private readonly folder: string,
  ) {}

  static async open(folder: string, machines: readonly Machine[], nodes: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(await freePort(), await freePort(), folder)
    writeFileSync(join(folder, 'haproxy.cfg'), settings(balancer.databasePort, balancer.clientPort, machines, nodes))
    balancer.#child = startProgram('haproxy', ['-db', '-f', 'haproxy.cfg'], folder, join(folder, 'haproxy.log'))
    return balancer
  }

  async close(): Promise<void> {
    await killAtOnce([this.#child?.pid ?? 0])
  }
}

/**
 * Sockets of a node that is not ready are not cut; connections to a server that is no longer the primary are. When no node
 * is ready, it is the database that is away: the nodes are asked all the same, since requests wait there.
 */
function settings(
  databasePort: number,
  clientPort: number,
  machines: readonly Machine[],
  nodes: readonly number[],
): string {
  return `
defaults
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h
  retries 0
listen database
  mode tcp
  bind 127.0.0.1:${databasePort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 300ms fastinter 100ms fall 2 rise 1 on-marked-down shutdown-sessions
${machines.map(({ name, at }) => `  server ${name} 127.0.0.1:${at.postgres} check port ${at.patroni}`).join('\n')}
listen clients
  mode http
  bind 127.0.0.1:${clientPort}
  balance roundrobin
  option allbackups
  option httpchk GET /readyz
  default-server inter 300ms fall 2 rise 1
${nodes.map((port) => `  server n${port} 127.0.0.1:${port} check`).join('\n')}
${nodes.map((port) => `  server unready${port} 127.0.0.1:${port} backup`).join('\n')}
`
}

/** Databases of the pooler that give each connection a session of its own; the second has too few of them for a node. */
export const SESSIONS = `${USER}_sessions`
export const FEW_SESSIONS = `${USER}_few_sessions`

/** PgBouncer with pool_mode = transaction (but for the databases above), in front of haproxy. */
export class Pooler {
  #child: ChildProcess | null = null

  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {}

  static async open(folder: string, databasePort: number): Promise<Pooler> {
    const pooler = new Pooler(await freePort(), folder)
    const target = `host=127.0.0.1 port=${databasePort} dbname=${USER} user=${USER}`
    const lines = [
      '[databases]',
      `${USER} = ${target}`,
      `${SESSIONS} = ${target} pool_mode=session pool_size=60`,
      `${FEW_SESSIONS} = ${target} pool_mode=session pool_size=5`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${pooler.port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 20',
      // As long as a failover lasts, servers are asked again at once rather than after 15 s.
      'server_login_retry = 0.2',
      'server_connect_timeout = 2',
      'query_timeout = 40',
    ]
    writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'))
    pooler.start()
    return pooler
  }

  start(): void {
    this.#child = startProgram('pgbouncer', ['pgbouncer.ini'], this.folder, join(this.folder, 'pgbouncer.log'))
  }

  async kill(): Promise<void> {
    await killAtOnce([this.#child?.pid ?? 0])
  }
}

import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/chaos/free-port.js'
import { isInstalled } from './programs.js'
import { until } from './until.js'

export const hasHaproxy = isInstalled('haproxy', '-v')

/** HAProxy before nodes. */
export interface Haproxy {
  url: string
  /** Tells whether it sends requests to a node. */
  isUsed(port: number): Promise<boolean>
  stop(): Promise<void>
}

/** Starts it before the nodes of these ports, and waits until it uses all of them. */
export async function startHaproxy(nodes: readonly number[]): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-haproxy-'))
  const [port, statisticsPort] = [await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, balancer(port, statisticsPort, nodes))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const isUsed = async (node: number): Promise<boolean> => {
    const text = await fetch(`http://127.0.0.1:${statisticsPort}/;csv`).then(
      (response) => response.text(),
      () => '',
    )
    return new RegExp(`^nodes,n${node},.*,UP,`, 'm').test(text)
  }
  for (const node of nodes) await until(() => isUsed(node))
  return {
    url: `http://127.0.0.1:${port}`,
    isUsed,
    async stop() {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Three checks a second, of which five must fail: a busy node is not taken for one that stops. Neither retries nor cuts sockets. */
function balancer(port: number, statisticsPort: number, nodes: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 0
  option httpchk GET /readyz
listen statistics
  bind 127.0.0.1:${statisticsPort}
  stats enable
  stats uri /
frontend front
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${nodes.map((at) => `  server n${at} 127.0.0.1:${at} check inter 300ms fall 5 rise 1`).join('\n')}
`
}

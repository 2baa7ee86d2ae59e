import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { freePort } from './free-port.js'

/** A redis-server of the path, which can be killed, paused and brought back at the same address. */
export class RedisProcess {
  #child: ChildProcess | null = null

  private constructor(private readonly port: number) {}

  /** @throws Error when there is no redis-server on the path */
  static async start(): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort())
    await redis.start()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    this.#child = await spawnRedis(['--port', String(this.port)])
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => void child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  /** Its connections stay open, and nothing is answered until `resume`. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    await this.kill()
  }
}

/** Has the system end what it runs with us, however we end, if there is setpriv (Linux). */
const WITH_US = spawnSync('setpriv', ['--version']).status === 0 ? ['setpriv', '--pdeathsig', 'KILL'] : []

/**
 * Starts a redis-server of the path on this machine's own address, which keeps nothing; resolves when it is ready.
 * @throws Error when there is none, or when it ends
 */
export async function spawnRedis(options: readonly string[]): Promise<ChildProcess> {
  const [command, ...args] = [
    ...WITH_US,
    'redis-server',
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    ...options,
  ]
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`redis-server has ended with ${code}`)))
    child.stdout.on('data', (chunk: Buffer) => chunk.includes('Ready to accept connections') && resolve())
  })
  return child
}

import { spawn, type ChildProcess } from 'node:child_process'
import { freePort } from '../chaos-victim.js'

/** A redis-server of the path, which can be killed, paused and brought back at the same address. */
export class RedisProcess {
  #child: ChildProcess | null = null
  readonly #kill = (): void => void this.#child?.kill('SIGKILL')

  private constructor(private readonly port: number) {}

  /** @throws Error when there is no redis-server on the path */
  static async start(): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort())
    await redis.start()
    // However this process ends but by -9.
    process.once('exit', redis.#kill)
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code) => reject(new Error(`redis-server has ended with ${code}`)))
      child.stdout.on('data', (chunk: Buffer) => chunk.includes('Ready to accept connections') && resolve())
    })
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
    process.off('exit', this.#kill)
    await this.kill()
  }
}

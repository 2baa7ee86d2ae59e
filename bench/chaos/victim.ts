import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The child ends with its parent, however that ends. */
const ENDS_WITH_PARENT = 'data:text/javascript,process.on("disconnect",()=>process.exit());process.channel?.unref()'
/** On a machine that is busy with other things too. */
const START_MS_MAX = 120_000

type Range = readonly [least: number, most: number]

/** A process that is killed without warning and started again, on the same port. */
export class Victim {
  kills = 0
  /** Time at which it last answered after a start, by `Date.now()`. */
  readyAt = 0
  #child: ChildProcess | null = null
  #isUp = false

  /** @param module path from the root, such as `src/main.js`; @param readyUrl answers 200 once it is ready */
  constructor(
    private readonly module: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly readyUrl: string,
    /** File for its output; default: none. */
    private readonly outputFile?: string,
  ) {}

  async start(): Promise<void> {
    const path = fileURLToPath(new URL(`../../${this.module}`, import.meta.url))
    const output = this.outputFile === undefined ? 'ignore' : openSync(this.outputFile, 'a')
    const child = spawn(process.execPath, ['--import', ENDS_WITH_PARENT, path], {
      env: { ...process.env, ...this.env },
      stdio: ['ignore', output, 'inherit', 'ipc'],
    })
    if (output !== 'ignore') closeSync(output)
    this.#child = child
    this.#isUp = false
    const deadline = Date.now() + START_MS_MAX
    while (!(await isReady(this.readyUrl))) {
      if (child.exitCode !== null) throw new Error(`${this.module} ended with ${child.exitCode}`)
      if (Date.now() > deadline) throw new Error(`${this.module} is not ready within ${START_MS_MAX / 1_000} s`)
      await sleep(10)
    }
    this.readyAt = Date.now()
    this.#isUp = true
  }

  /** Ends it in order. @throws Error when it ends with another code than 0 */
  async stop(): Promise<void> {
    const child = this.#child
    this.#isUp = false
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve))
    child.kill('SIGTERM')
    const code = await ended
    if (code !== 0) throw new Error(`${this.module} ended with ${code}`)
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#isUp = false
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
    child.kill('SIGKILL')
    await ended
    this.kills++
  }

  /** Nothing happens to one that is down. */
  signal(name: NodeJS.Signals): void {
    // One that is starting may not know the signal yet, and would die of it.
    if (this.#isUp) this.#child!.kill(name)
  }

  /** Kills it and starts it again, at random, until stopped. @returns when it is running permanently */
  async torment(upMs: Range, downMs: Range, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(between(upMs))
      if (isOver()) return
      await this.kill()
      await sleep(between(downMs))
      await this.start()
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function between([least, most]: Range): number {
  return least + Math.random() * (most - least)
}

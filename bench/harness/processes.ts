import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Functions of a child process for what it is asked: one argument, one answer, both plain data. */
export type Handlers = Readonly<Record<string, (argument: never) => Promise<unknown>>>

interface Question {
  id: number
  name: string
  argument: unknown
}

type Answer = { id: number; value: unknown } | { id: number; error: string }

/** Answers the parent's questions; the process ends with the parent. */
export function serve(handlers: Handlers): void {
  const answer = async ({ id, name, argument }: Question): Promise<void> => {
    try {
      const value = await handlers[name]!(argument as never)
      process.send!({ id, value })
    } catch (error) {
      process.send!({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
  process.on('message', (question: Question) => void answer(question))
  process.on('disconnect', () => process.exit(0))
}

const PRIORITY_LOWEST = 19

/**
 * Lets everything else go before a process and all its threads: Linux has a priority for each thread, and a new one gets that
 * of the thread that starts it. V8 and libuv have started theirs before any code runs.
 */
export function yieldToOthers(pid: number): void {
  const tasks = `/proc/${pid}/task`
  for (const thread of existsSync(tasks) ? readdirSync(tasks) : [pid]) setPriority(Number(thread), PRIORITY_LOWEST)
}

/** A child of the bench that runs one of its modules. */
export class Worker {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #nextId = 1

  /**
   * @param module path from the root, such as `bench/harness/load-process.js`
   * @param execArgv flags of node, such as `--cpu-prof`
   * @param isQuiet what it prints is thrown away, but for its standard error
   * @param detached in a session of its own, to which Linux gives processors apart from the others'
   */
  constructor(module: string, execArgv: readonly string[] = [], isQuiet = false, detached = false) {
    const path = fileURLToPath(new URL(`../../${module}`, import.meta.url))
    this.#child = fork(path, {
      detached,
      execArgv: ['--enable-source-maps', ...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('error' in answer) waiting?.reject(new Error(`${module}: ${answer.error}`))
      else waiting?.resolve(answer.value)
    })
    this.#child.on('exit', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${module} has ended with ${code}`))
      this.#waiting.clear()
    })
  }

  ask<Value>(name: string, argument?: unknown): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const id = this.#nextId++
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#child.send({ id, name, argument } satisfies Question)
    })
  }

  /** Lets everything else go first: it stands for machines of others. */
  yieldToOthers(): void {
    yieldToOthers(this.#child.pid!)
  }

  /** Ends it as a power cut would: it can do nothing about it. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Ends it and waits for that. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = new Promise<void>((resolve) => void this.#child.once('exit', () => resolve()))
    if (this.#child.connected) this.#child.disconnect()
    await ended
  }
}

/** Microseconds of CPU that this process has used, its own threads included. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

const TICKS_PER_SECOND = 100

/** Microseconds of CPU that a process of this machine has used; 0 for one that has ended. */
export function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000_000
  } catch {
    return 0
  }
}

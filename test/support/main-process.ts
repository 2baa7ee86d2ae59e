import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../bench/chaos/free-port.js'
import { PATIENCE_MS } from './until.js'

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }
const RUNNER = 'test/support/typescript-process.mjs'
const READY_MS_MAX = 200_000

/** The server as `npm start` runs it, from its sources, in a process of its own. */
export class MainProcess {
  readonly url: string
  /** Everything it has printed, on both. */
  output = ''
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>
  readonly #child: ChildProcess

  private constructor(port: number, env: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`
    const environment = {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_POOL_SIZE: '6',
      RATE_LIMIT_PER_SECOND: '100000',
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      ...env,
    }
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    this.#child = spawn(process.execPath, [RUNNER, 'src/main.ts'], { env: environment, stdio: [...stdio] })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null)
  }

  /** Starts it, and does not wait. @param port default: a free one */
  static async spawn(env: Readonly<Record<string, string>>, port?: number): Promise<MainProcess> {
    return new MainProcess(port ?? (await freePort()), env)
  }

  /** Starts it, and waits until it is ready. @throws Error with what it said if it ends before */
  static async start(env: Readonly<Record<string, string>>): Promise<MainProcess> {
    const started = await MainProcess.spawn(env)
    await started.untilReady()
    return started
  }

  async untilReady(): Promise<void> {
    await this.until(() => this.isReady(), READY_MS_MAX)
  }

  isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** @throws Error with what it said when it does not hold in time, or the process has ended */
  async until(holds: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
    for (const end = Date.now() + ms; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 50))) {
      if (this.#child.exitCode !== null)
        throw new Error(`the server has ended with ${this.#child.exitCode}: ${this.output.slice(-2_000)}`)
      if (Date.now() > end) throw new Error(`not within ${ms / 1_000} s: ${this.output.slice(-2_000)}`)
    }
  }

  /** As `runAt` does. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as the answer is
  run<Data = any>(
    query: string,
    variables: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Data> {
    return runAt<Data>(this.url, query, variables, headers)
  }

  /** The authorization of the installation's owner. */
  signIn(): Promise<{ authorization: string }> {
    return signInAt(this.url)
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Asks it to end. @returns its exit code */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    return this.ended
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Runs an operation as it is, without retries. @throws Error with the answer when there are errors */
// oxlint-disable-next-line typescript/no-explicit-any -- as the answer is
export async function runAt<Data = any>(
  url: string,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
  const text = await response.text()
  if (!response.ok || !text.startsWith('{"data"')) throw new Error(`${response.status} ${text}`)
  return (JSON.parse(text) as { data: Data }).data
}

/** The authorization of the installation's owner. */
export async function signInAt(url: string): Promise<{ authorization: string }> {
  const query =
    'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token } }'
  const { createToken } = await runAt<{ createToken: { token: string } }>(url, query, OWNER)
  return { authorization: `Bearer ${createToken.token}` }
}

import { ModuleMocker } from 'jest-mock'

const STACK_LINES = 25

/** The worker's own context instead of a sandbox: see `runtime.js`. What a suite changes of the process is put back. */
export default class NativeEnvironment {
  moduleMocker = new ModuleMocker(globalThis)
  fakeTimers = null
  fakeTimersModern = null
  // jest wraps `process.exit` of this object for each suite, and writes its console here.
  global = { console: globalThis.console, process: Object.create(process) }
  #env = { ...process.env }
  #console = globalThis.console

  async setup() {
    globalThis.console = this.global.console
    // jest has just set 100, and maps each line of each stack: of every refusal, since the server is in this process.
    Error.stackTraceLimit = STACK_LINES
  }

  async teardown() {
    globalThis.console = this.#console
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name]
    Object.assign(process.env, this.#env)
  }

  exportConditions() {
    return []
  }

  getVmContext() {
    return null
  }
}

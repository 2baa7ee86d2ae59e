import { createRequire, flushCompileCache, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
// Before any class with decorators, whichever of them a suite imports first.
import 'reflect-metadata'
import { sourceMaps } from '../typescript-loader.js'

const require = createRequire(import.meta.url)
const TESTS = new URL('../../', import.meta.url).href
/** Modules of the tests that each worker loads once: they take long, and hold nothing of a suite. */
const SHARED = ['support/openapi-answers.ts']
const GLOBALS = 'jest-globals:'
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test', 'jest']

let suites = 0
let globals

/** Tests' modules are evaluated for each suite, which the query says; sources and packages once in a worker. */
registerHooks({
  resolve(specifier, context, next) {
    const suite = context.parentURL?.startsWith(TESTS) && new URL(context.parentURL).search
    if (specifier === '@jest/globals') return { url: GLOBALS + suite, format: 'module', shortCircuit: true }
    const resolved = next(specifier, context)
    if (!suite || !resolved.url.startsWith(TESTS) || SHARED.includes(resolved.url.slice(TESTS.length))) return resolved
    return { ...resolved, url: new URL(suite, resolved.url).href }
  },
  load(url, context, next) {
    if (!url.startsWith(GLOBALS)) return next(url, context)
    const source = `export const { ${NAMES.join(', ')} } = globalThis[Symbol.for('${GLOBALS}')]`
    return { format: 'module', source, shortCircuit: true }
  },
})

/**
 * A runtime for jest without its sandbox: Node imports the test files, so that a worker loads the server once, not once for
 * each suite. All else is jest's own: its runner, its workers, jest-circus. Only what these ask of a runtime is here.
 */
export default class NativeRuntime {
  #mocker
  #suite = ++suites

  constructor(config, environment) {
    this.#mocker = environment.moduleMocker
  }

  setGlobalsForRuntime(given) {
    const mocker = this.#mocker
    globals = { ...given, jest: jestOf(mocker) }
    globalThis[Symbol.for(GLOBALS)] = globals
  }

  /** jest-circus keeps a suite's tests in its module: each suite gets it anew. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    delete require.cache[path]
    return require(path)
  }

  requireModule(path) {
    return require(path)
  }

  unstable_shouldLoadAsEsm() {
    return true
  }

  async unstable_importModule(path) {
    await import(`${pathToFileURL(path).href}?suite=${this.#suite}`)
    // A worker may be ended before it writes what it compiled.
    if (this.#suite === 1) flushCompileCache()
  }

  getSourceMaps() {
    return sourceMaps
  }

  getAllCoverageInfoCopy() {
    return undefined
  }

  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    this.#mocker.restoreAllMocks()
    // Node never lets go of a suite's modules, whose variables keep its servers: emptied, they keep nothing.
    const servers = globalThis[Symbol.for('switchboard-servers')]
    for (const server of servers ?? []) for (const part of Object.keys(server)) delete server[part]
    servers?.clear()
  }
}

function jestOf(mocker) {
  const names = ['fn', 'spyOn', 'restoreAllMocks']
  return Object.fromEntries(names.map((name) => [name, mocker[name].bind(mocker)]))
}

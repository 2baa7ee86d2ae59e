import { fileURLToPath } from 'node:url'
import { suitesOf } from './test/support/suites.js'

// Code that was compiled is kept for the next worker, and for the servers that tests start as processes.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/switchboard-compiled', import.meta.url))

/** `npm test -- test/channels`: what is named is run, slow or not; without PostgreSQL and Redis if it needs neither. */
const named = process.argv.slice(2).filter((argument) => /^test\//.test(argument))
if (named.length > 0) {
  const quick = suitesOf('quick')
  const chosen = suitesOf('all').filter((path) => named.some((name) => path.startsWith(name)))
  if (chosen.length > 0 && chosen.every((path) => quick.includes(path))) process.env.SUITES = 'quick'
}
const suites = suitesOf(named.length > 0 && process.env.SUITES !== 'quick' ? 'all' : (process.env.SUITES ?? 'every'))

/** Tests run as Node runs them, in jest's workers but without its sandbox: see `test/support/runner/runtime.js`. */
export default {
  runtime: '<rootDir>/test/support/runner/runtime.js',
  testEnvironment: '<rootDir>/test/support/runner/environment.js',
  testSequencer: '<rootDir>/test/support/runner/sequencer.js',
  injectGlobals: false,
  transform: {},
  roots: ['<rootDir>/test'],
  testMatch: suites.map((path) => `<rootDir>/${path}`),
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Says only that a test hangs: a machine with ten times the load passes.
  testTimeout: 300_000,
  // Most suites wait more than they compute; browsers and attacks compute.
  maxWorkers: process.env.SUITES === 'slow' ? 2 : 3,
  // Modules of earlier suites stay in a worker's memory: it is replaced between suites before it runs out of that.
  workerIdleMemoryLimit: '1GB',
}

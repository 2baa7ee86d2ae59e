import { swcOptions } from './swc.config.js'

/** ESM under --experimental-vm-modules; swc keeps decorators and their metadata (see README, "Choices"). */
export default {
  testEnvironment: 'node',
  // The package of `client/` by its sources, which need no build.
  testEnvironmentOptions: { customExportConditions: ['@switchboard/source', 'node', 'node-addons'] },
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', swcOptions],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Two cores run everything: a slow machine is no failure.
  testTimeout: 60_000,
  maxWorkers: 2,
  // Modules of earlier suites stay in a worker's memory: it is replaced between suites before it runs out of that.
  workerIdleMemoryLimit: '1GB',
}

import { spawnSync } from 'node:child_process'
import { describe } from '@jest/globals'

/** For suites that start and kill a redis-server of their own; without one on the path they are skipped. */
export const withRedisServer = spawnSync('redis-server', ['--version']).status === 0 ? describe : describe.skip

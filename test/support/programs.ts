import { spawnSync } from 'node:child_process'

/** True if a suite that lacks something must fail rather than be skipped: set by `.ci/run`. */
export const MUST_RUN_ALL = Boolean(process.env.REQUIRE_ALL_SUITES)

/**
 * Tells whether a program can be run; says on the terminal that its suite is skipped if not.
 * @param flag what it is asked, and answers without an error
 * @throws when no suite may be skipped
 */
export function isInstalled(program: string, flag = '--version'): boolean {
  if (spawnSync(program, [flag]).status === 0) return true
  if (MUST_RUN_ALL) throw new Error(`REQUIRE_ALL_SUITES is set, but there is no ${program} on the PATH`)
  process.stderr.write(`\n*** No ${program} on the PATH: a suite that needs it is SKIPPED ***\n`)
  return false
}

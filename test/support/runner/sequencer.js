import { statSync } from 'node:fs'
import { LONGEST } from '../suites.js'

/**
 * Begins with the suites that take longest, so that none of them is alone at the end; then with the largest. The order is
 * the same on every machine, whatever ran there before.
 */
export default class LongestFirst {
  sort(tests) {
    const weightOf = ({ path }) => {
      const place = LONGEST.findIndex((suite) => path.replaceAll('\\', '/').endsWith(`/${suite}`))
      return place === -1 ? statSync(path).size : Number.MAX_SAFE_INTEGER - place
    }
    const weights = new Map(tests.map((test) => [test, weightOf(test)]))
    return tests.toSorted((one, other) => weights.get(other) - weights.get(one))
  }

  shard(tests) {
    return tests
  }

  allFailedTests(tests) {
    return tests
  }

  cacheResults() {}
}

import type { Bench } from '../../harness/bench.js'
import type { Figure } from '../../harness/figures.js'
import { benchAudit } from './audit.js'
import { benchSignIn } from './sign-in.js'

/** The audit log, sign-in by a provider, provisioning, and what a sign-in policy costs. */
export async function benchGovernance(bench: Bench): Promise<Figure[]> {
  return [...(await benchSignIn(bench)), ...(await benchAudit(bench))]
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The suites that `npm test` leaves to `.ci/run`, folder or file, and why. `npm test -- PATH` runs any of them.
 */
export const SLOW = {
  'test/attacks/': 'load the server as attackers do',
  'test/bots/approval-races.test.ts': 'dozens of races',
  'test/client/killed-consumers.test.ts': 'consumers in processes of their own that are killed',
  'test/client/package.test.ts': 'packs the client, and installs it',
  'test/clients/': "clients' libraries whose connections are cut",
  'test/conversations/blind-races.test.ts': 'hundreds of races',
  'test/db/commit-outcome.test.ts': 'kills PostgreSQL',
  'test/db/embedded-postgres.test.ts': 'kills PostgreSQL',
  'test/db/failover.test.ts': 'a cluster of PostgreSQL',
  'test/db/lost-commit.test.ts': 'a cluster of PostgreSQL',
  'test/db/pooler.test.ts': 'PgBouncer',
  'test/db/primary-connector.test.ts': 'a cluster of PostgreSQL',
  'test/db/replicas.test.ts': 'a cluster of PostgreSQL',
  'test/db/replication.test.ts': 'a cluster of PostgreSQL',
  'test/db/rolling-upgrade.test.ts': 'every table is changed under load',
  'test/db/standby.test.ts': 'a cluster of PostgreSQL',
  'test/drain.test.ts': 'HAProxy before servers that are stopped',
  'test/examples/': 'the demo and the seed as processes',
  'test/fuzz/': 'random operations and faults',
  'test/graphql/hostile-input.test.ts': 'thousands of random requests',
  'test/legacy-clients/loop.test.ts': 'conversations of a legacy client, many at a time',
  'test/mcp/matrix.test.ts': 'every tool by every role',
  'test/nodes/bulk-many.test.ts': 'twenty agents at work, a node that is killed, and a lock that lasts',
  'test/nodes/nodes.test.ts': 'nodes that are killed, Redis that is paused',
  'test/nodes/oracle.test.ts': 'nodes in processes of their own',
  'test/nodes/operations.test.ts': 'nodes that are started anew, Redis that is killed',
  'test/nodes/redis-cluster.test.ts': 'a cluster of Redis',
  'test/nodes/skewed-bots.test.ts': 'nodes in processes of their own',
  'test/nodes/skewed-clocks.test.ts': 'nodes in processes of their own',
  'test/nodes/streams-behind-haproxy.test.ts': 'HAProxy before nodes that are drained and killed',
  'test/permissions/': 'every operation by every role',
  'test/privacy/export-killed.test.ts': 'nodes that are killed',
  'test/privacy/export-memory.test.ts': 'measures memory while a hundred megabytes are exported',
  'test/rest-compat/hostile.test.ts': 'thousands of random requests',
  'test/security/slow-receivers.test.ts': 'dozens of receivers that answer nothing',
  'test/touchpoints/certificate/': 'a hundred accidents for each provider',
  'test/touchpoints/mailbox/mailbox-changes.test.ts': 'a mail server that hangs',
  'test/touchpoints/killed-sender.test.ts': 'a sender that is killed',
  'test/touchpoints/mailbox/mailbox-killed.test.ts': 'a reader that is killed',
  'test/touchpoints/mailbox/mailbox-kills.test.ts': 'a reader that is killed twenty times',
  'test/touchpoints/mailbox/mailbox-restored.test.ts': 'a mail server that is restored',
  'test/touchpoints/email/mail-memory.test.ts': 'measures memory after mails of a million lines',
  'test/web/': 'browsers',
  'test/webhooks/feed-nodes.test.ts': 'a node that is killed while thousands of messages are written',
}

/** The suites that take longest, the longest first: a run begins with them. */
export const LONGEST = [
  'test/permissions/permission-matrix.test.ts',
  'test/touchpoints/certificate/certificate.test.ts',
  'test/touchpoints/certificate/killed.test.ts',
  'test/db/embedded-postgres.test.ts',
  'test/web/screens.test.ts',
  'test/rest-compat/hostile.test.ts',
  'test/attacks/reads.test.ts',
  'test/security/slow-receivers.test.ts',
  'test/routing-code/random-changes.test.ts',
  'test/db/rolling-upgrade.test.ts',
  'test/touchpoints/killed-sender.test.ts',
  'test/graphql/error-fields.test.ts',
  'test/touchpoints/email/mail-checks.test.ts',
  'test/touchpoints/mailbox/mailbox-killed.test.ts',
  'test/workflows/recorded-facts.test.ts',
  'test/workflows/rule-oracle.test.ts',
  'test/conversations/drafts-and-viewers.test.ts',
  'test/limits/several-nodes.test.ts',
  'test/conversations/offers-held.test.ts',
  'test/nodes/brought-back.test.ts',
  'test/backup/backup.test.ts',
  'test/nodes/skewed-clocks.test.ts',
  'test/conversations/members-on-screen.test.ts',
  'test/conversations/offers.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/security/addresses.test.ts',
  'test/access/permissions.test.ts',
  'test/auth/passkeys.test.ts',
  'test/client/package.test.ts',
  'test/staffing/wrap-up.test.ts',
  'test/backup/fence.test.ts',
  'test/touchpoints/email/sender-proof.test.ts',
  'test/tracing/tracing.test.ts',
  'test/conversations/blind-races.test.ts',
  'test/realtime/leaks.test.ts',
]

/** Says that a suite needs PostgreSQL, Redis, a browser, or another process. */
const NEEDS_MORE = /TEST_POSTGRES_URL|TEST_REDIS_URL|startEmbeddedPostgres|\bspawn(Sync)?\(|chromium/
const IMPORTED = /(?:from|import)\s*\(?'(\.[^']+)'/g

/**
 * The suites of a run: `quick`, those that need nothing but Node; `every`, what every change needs; `slow`, the others;
 * `all`.
 */
export function suitesOf(kind) {
  const all = globSync('test/**/*.test.ts').map((path) => path.replaceAll('\\', '/'))
  const isSlow = (path) => Object.keys(SLOW).some((slow) => path.startsWith(slow))
  if (kind === 'all') return all
  if (kind === 'slow') return all.filter(isSlow)
  const every = all.filter((path) => !isSlow(path))
  if (kind === 'every') return every
  if (kind === 'quick') return every.filter((path) => !NEEDS_MORE.test(textOf(path)))
  throw new Error(`SUITES must be quick, every, slow or all, not ${kind}`)
}

/** The text of a suite, and of the helpers that it imports. */
function textOf(path, seen = new Set()) {
  if (seen.has(path) || !/^(test|bench)\//.test(path) || !existsSync(path)) return ''
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  const imported = [...text.matchAll(IMPORTED)].map(([, name]) => join(dirname(path), name.replace(/\.js$/, '.ts')))
  return [text, ...imported.map((each) => textOf(each, seen))].join('\n')
}

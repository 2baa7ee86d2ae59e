import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { POLICY_REPORTS } from '../../platform/content/page-policy.js'
import { isPlainObject } from '../../platform/json.js'
import { networkOf } from '../../platform/limits/network-of.js'
import type { RequestBodies } from '../../platform/limits/request-bodies.js'
import { sharedLimiter, spend } from '../../platform/limits/shared-limiter.js'
import type { Metrics } from '../../platform/metrics.js'
import { parseRequestJson, UNKNOWN_VALUES_MAX } from '../../platform/request-json.js'

const BODY_BYTES_MAX = 16_384
const REPORTS_MAX = 20
const PER_MINUTE = 60
const TOO_MANY = `more than ${PER_MINUTE} reports of one network in a minute`
/** Directives by which reports are counted: anybody may send any. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
])

/**
 * Adds `POST /policy-reports`, which counts by directive what browsers refused (`switchboard_policy_reports_total`).
 * Nothing else of a report is kept: it has addresses of pages, and is written by anybody.
 */
export async function addPolicyReports(
  app: FastifyInstance,
  { bodies, metrics }: { bodies: RequestBodies; metrics: Metrics },
): Promise<void> {
  const limiter = sharedLimiter({ keyPrefix: 'policy-reports', points: PER_MINUTE, duration: 60 }, undefined)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Browsers send `application/csp-report` or `application/reports+json`.
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
      parseRequestJson((await bodies.read(request, payload)).toString(), 'body', UNKNOWN_VALUES_MAX),
    )
    scope.post(
      POLICY_REPORTS,
      {
        bodyLimit: BODY_BYTES_MAX,
        onRequest: async ({ ip }) => spend(limiter, networkOf(ip), 1, TOO_MANY),
      },
      async (request, reply) => {
        for (const directive of directivesOf(request.body)) metrics.policyReports.inc({ directive })
        return reply.code(204).send()
      },
    )
  })
}

function directivesOf(body: unknown): string[] {
  const reports = Array.isArray(body) ? body.slice(0, REPORTS_MAX) : [body]
  return reports.map((report: unknown) => {
    const said = isPlainObject(report) ? (report['csp-report'] ?? report.body) : null
    const directive = isPlainObject(said)
      ? (said['effective-directive'] ?? said.effectiveDirective ?? said['violated-directive'])
      : null
    const [name = ''] = typeof directive === 'string' ? directive.slice(0, 200).split(' ', 1) : []
    return DIRECTIVES.has(name) ? name : 'other'
  })
}

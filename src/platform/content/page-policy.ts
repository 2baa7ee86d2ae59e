import { createHash } from 'node:crypto'

/** Path to which browsers report what a page's policy refused. */
export const POLICY_REPORTS = '/policy-reports'

/**
 * Returns the content security policy of a page of ours: it loads nothing but what `allowed` says, is in no frame, takes no HTML but as
 * trusted types, and what the browser refuses is reported.
 */
export function pagePolicy(allowed: readonly string[]): string {
  return [
    `default-src 'none'`,
    ...allowed,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `report-uri ${POLICY_REPORTS}`,
  ].join('; ')
}

/** Returns the source by which a policy allows an inline style or script. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

import { BadUserInput } from '../src/platform/errors.js'

const NAMES_MAX = 50

/** Tells whether a client prefers an error over ignored fields (RFC 7240, section 4.4). */
export function prefersStrict(prefer: string | undefined): boolean {
  return (prefer ?? '').split(',').some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}

/** Builds the value of `Ignored-Fields`: paths in the body, percent-encoded where a header requires it. */
export function ignoredFields(paths: readonly string[]): string {
  const names = paths.slice(0, NAMES_MAX).map((path) => {
    return path
      .slice(0, 100)
      .toWellFormed()
      .replace(/[^\w.[\]@$-]/gu, encodeURIComponent)
  })
  return paths.length > NAMES_MAX ? `${names.join(', ')}, ...` : names.join(', ')
}

/** Returns a refusal of an input with the fields that were ignored, of which a misspelt one is often its cause. */
export function tellingIgnored(error: unknown, paths: readonly string[]): unknown {
  if (!(error instanceof BadUserInput)) return error
  const message = `${error.message}; ignored, since not known here: ${ignoredFields(paths)}`
  return new BadUserInput(error.field, message, error.details.reason)
}

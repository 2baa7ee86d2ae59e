const KEPT = 'sign-in email'

/** Keeps the email in this tab, for a sign-in that comes back refused. */
export function keepEmail(email: string): void {
  try {
    sessionStorage.setItem(KEPT, email)
  } catch {
    // Typed once more, then.
  }
}

/** Takes the email that was kept: also for whoever is signed in, so that the next one does not see it. */
export function takeEmail(): string {
  try {
    const kept = sessionStorage.getItem(KEPT) ?? ''
    sessionStorage.removeItem(KEPT)
    return kept
  } catch {
    return ''
  }
}

import { signal, type ReadonlySignal } from '@preact/signals'
import { SignedOut, Unreachable } from '@switchboard/client'

const PATH = '/console/session'
/** A token is renewed this long before its end, by the server's clock, as far as the response contains it. */
const EARLY_MS = 60_000
/** How long a token holds. */
const TOKEN_MS = 86_400_000
/** An answer's way takes a part of this; a clock that is further off is corrected. */
const CLOCK_TOLERANCE_MS = 30_000

interface Page {
  token: string
  user: string
  organization: string
  scope: string
  expiresAt: string
}

export type SessionState = 'unknown' | 'signedOut' | { user: string; organization: string; isAdmin: boolean }

/** Refused words of a sign-in: shown as they are. */
export class SignInRefused extends Error {}

/**
 * Who is signed in. The refresh token is in a cookie that no script reads; the access token is in this object only, and
 * each tab has its own.
 */
export class Session {
  readonly #state = signal<SessionState>('unknown')
  /** By how much the browser's clock is ahead of the server's. */
  #aheadMs = 0
  #page: (Page & { endsAt: number }) | null = null
  #renewal: Promise<void> | null = null
  readonly #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('switchboard session') : null

  constructor() {
    this.#channel?.addEventListener('message', () => this.#forget())
  }

  get state(): ReadonlySignal<SessionState> {
    return this.#state
  }

  /** Finds out whether the browser has a session. Rejects with `Unreachable` while the server is away. */
  async resume(): Promise<void> {
    await this.#renew().catch((error: unknown) => {
      if (!(error instanceof SignedOut)) throw error
    })
  }

  /** @throws SignInRefused, Unreachable */
  async signIn(
    credentials: { password: string } & ({ email: string } | { invitation: string } | { reset: string }),
  ): Promise<void> {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const response = await post({ ...credentials, timezone })
    if (!response.ok) throw new SignInRefused((await messageOf(response)) ?? `status ${response.status}`)
    this.#set((await response.json()) as Page)
  }

  async signOut(): Promise<void> {
    await fetch(PATH, { method: 'DELETE' }).catch(() => undefined)
    this.ended()
  }

  /** The session is over: in all tabs, since they have one cookie. */
  ended(): void {
    this.#channel?.postMessage(null)
    this.#forget()
  }

  /** A token that holds. @throws SignedOut, Unreachable */
  async token(isRefused = false): Promise<string> {
    if (isRefused || !this.#page || Date.now() > this.#page.endsAt - EARLY_MS) await this.#renew()
    return this.#page!.token
  }

  /** The server's time, as far as it is known: the browser's clock may be wrong by hours. */
  now(): number {
    return Date.now() - this.#aheadMs
  }

  #forget(): void {
    this.#page = null
    this.#state.value = 'signedOut'
  }

  /** One at a time: whoever asks meanwhile waits for it. */
  #renew(): Promise<void> {
    this.#renewal ??= this.#fetch().finally(() => (this.#renewal = null))
    return this.#renewal
  }

  async #fetch(): Promise<void> {
    const response = await post(undefined)
    if (response.ok) return this.#set((await response.json()) as Page)
    if (response.status !== 401 && response.status !== 403) throw new Unreachable(`status ${response.status}`)
    this.ended()
    throw new SignedOut('the session has ended')
  }

  #set(page: Page): void {
    // The browser's clock may be wrong: what counts is how long the token holds from now on, a day.
    const aheadMs = Date.now() + TOKEN_MS - Date.parse(page.expiresAt)
    const isClockRight = Math.abs(aheadMs) < CLOCK_TOLERANCE_MS
    this.#aheadMs = isClockRight ? 0 : aheadMs
    this.#page = { ...page, endsAt: isClockRight ? Date.parse(page.expiresAt) : Date.now() + TOKEN_MS - EARLY_MS }
    const { user, organization, scope } = page
    this.#state.value = { user, organization, isAdmin: scope.split(' ').includes('admin') }
  }
}

async function post(body: object | undefined): Promise<Response> {
  try {
    return await fetch(PATH, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    })
  } catch (error) {
    throw new Unreachable('no answer came', { cause: error })
  }
}

async function messageOf(response: Response): Promise<string | null> {
  const body = (await response.json().catch(() => null)) as { message?: string } | null
  return body?.message ?? null
}

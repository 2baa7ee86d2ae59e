import { signal, type ReadonlySignal } from '@preact/signals'
import { SignedOut, Unreachable } from '@switchboard/client'
import { fetchAttended } from './attendance.js'

const PATH = '/console/session'
/** A token is renewed this long before its end, by the server's clock, as far as the response contains it. */
const EARLY_MS = 60_000
/** A token's lifetime. */
const TOKEN_MS = 86_400_000
/** An answer's way takes a part of this; a clock that is further off is corrected. */
const CLOCK_TOLERANCE_MS = 30_000

interface Page {
  token: string
  user: string
  organization: string
  scope: string
  expiresAt: string
  storeSecret?: string
}

export type SessionState = 'unknown' | 'signedOut' | { user: string; organization: string; isAdmin: boolean }

/** Refused words of a sign-in: shown as they are. */
export class SignInRefused extends Error {
  /** @param needsCode the password is right, and a code of the second factor is needed */
  constructor(
    message: string,
    readonly needsCode: boolean,
    readonly reason: string | null,
    /** Fewest characters of a password that was too short. */
    readonly minLength: number | null,
  ) {
    super(message)
  }
}

/**
 * The signed-in user. The refresh token is in a cookie that no script reads; the access token is in this object only, and
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
    credentials:
      | { passkey: Record<string, unknown> }
      | ({ password: string; code?: string; passkey?: Record<string, unknown>; enrolment?: string } & (
          | { email: string }
          | { invitation: string }
          | { reset: string }
        )),
  ): Promise<void> {
    await payDebt()
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const response = await post({ ...credentials, timezone })
    if (!response.ok) throw await refusalOf(response)
    this.#set((await response.json()) as Page)
  }

  /** Settles a sign-out that is owed before the browser goes to a provider: later it would end the session that begins there. @throws Unreachable */
  async settle(): Promise<void> {
    await payDebt()
  }

  /** Tells a server that was away as soon as it is back, before anything else is asked of it. */
  async signOut(): Promise<void> {
    owe()
    this.ended()
    await payDebt().catch(() => undefined)
  }

  /** The session is over: in all tabs, since they have one cookie. */
  ended(): void {
    this.#channel?.postMessage(null)
    this.#forget()
  }

  /**
   * A token of this user that holds. Whoever signs in later in the same tab or browser is another one.
   * @throws SignedOut, Unreachable
   */
  async token({ user, isRefused = false }: { user: string; isRefused?: boolean }): Promise<string> {
    const isNewAsked = isRefused || !this.#page || Date.now() > this.#page.endsAt - EARLY_MS
    // What is left of a page that is signed out must not find out who is signed in now.
    if (isNewAsked && this.#state.peek() !== 'signedOut') await this.#renew()
    if (this.#page?.user !== user) throw new SignedOut('signed out')
    return this.#page.token
  }

  /** The server's time, as far as it is known: the browser's clock may be wrong by hours. */
  now(): number {
    return this.serverTime(Date.now())
  }

  /** @param at by the browser's clock */
  serverTime(at: number): number {
    return at - this.#aheadMs
  }

  /** The key of what this user keeps in the browser, see `openStore`. */
  get storeSecret(): string {
    return this.#page?.storeSecret ?? ''
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
    await payDebt()
    const response = await post(undefined)
    if (response.status === 200) {
      const page = (await response.json()) as Page
      const state = this.#state.peek()
      if (typeof state === 'string' || state.user === page.user) return this.#set(page)
      // In this tab only: the session of the browser is the other user's.
      this.#forget()
      throw new SignedOut('another user signed in')
    }
    // 204: the browser has no session.
    if (![204, 401, 403].includes(response.status)) throw new Unreachable(`status ${response.status}`)
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

function post(body: object | undefined): Promise<Response> {
  return ask({
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
}

async function ask(request: RequestInit): Promise<Response> {
  try {
    return await fetchAttended(PATH, { ...request, signal: AbortSignal.timeout(15_000) })
  } catch (error) {
    throw new Unreachable('no answer came', { cause: error })
  }
}

const DEBT = 'sign-out'
/** Owed as long as the page is open, if the browser keeps nothing. */
let isOwedHere = false
let payment: Promise<void> | null = null

/** A sign-out that the server has not heard of: also after a reload, which would otherwise be signed in again. */
function owe(): void {
  try {
    localStorage.setItem(DEBT, '1')
  } catch {
    isOwedHere = true
  }
}

/** Another tab may have paid it. */
function isOwing(): boolean {
  try {
    return isOwedHere || localStorage.getItem(DEBT) !== null
  } catch {
    return isOwedHere
  }
}

/** Once, whoever asks: a second time it would end the session of whoever has signed in since. */
function payDebt(): Promise<void> {
  payment ??= pay().finally(() => (payment = null))
  return payment
}

/** @throws Unreachable while the server has not heard of the last sign-out */
async function pay(): Promise<void> {
  if (!isOwing()) return
  const { status } = await ask({ method: 'DELETE' })
  // Anything else comes from something before the server.
  if (status !== 204 && status !== 401) throw new Unreachable(`status ${status}`)
  isOwedHere = false
  try {
    localStorage.removeItem(DEBT)
  } catch {
    // As above.
  }
}

async function refusalOf(response: Response): Promise<SignInRefused> {
  const body = (await response.json().catch(() => null)) as {
    message?: string
    reason?: string
    minLength?: number
  } | null
  return new SignInRefused(
    body?.message ?? `status ${response.status}`,
    body?.reason === 'SECOND_FACTOR_REQUIRED',
    body?.reason ?? null,
    body?.minLength ?? null,
  )
}

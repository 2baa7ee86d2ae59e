// What the console keeps in the browser's own storage, which may refuse it: together, since each file costs a request.

const EMAIL = 'sign-in email'
const PUSH = 'push'

/** For whom this browser is notified, and its address at the push service. */
interface KeptPush {
  user: string
  endpoint: string
}

/** Keeps the email in this tab, for a sign-in that comes back refused. */
export function keepEmail(email: string): void {
  try {
    sessionStorage.setItem(EMAIL, email)
  } catch {
    // Typed once more, then.
  }
}

/** Takes the email that was kept: also for whoever is signed in, so that the next one does not see it. */
export function takeEmail(): string {
  try {
    const kept = sessionStorage.getItem(EMAIL) ?? ''
    sessionStorage.removeItem(EMAIL)
    return kept
  } catch {
    return ''
  }
}

export function keptPush(): KeptPush | null {
  try {
    return JSON.parse(localStorage.getItem(PUSH) ?? 'null') as KeptPush | null
  } catch {
    return null
  }
}

export function keepPush(push: KeptPush): void {
  localStorage.setItem(PUSH, JSON.stringify(push))
}

export function forgetPush(): void {
  localStorage.removeItem(PUSH)
}

/** A setting of this browser that is on or off. */
export interface KeptSwitch {
  isOn(): boolean
  set(isOn: boolean): void
}

export function keptSwitch(key: string, byDefault: boolean): KeptSwitch {
  return {
    isOn() {
      try {
        return byDefault ? localStorage.getItem(key) !== 'off' : localStorage.getItem(key) === 'on'
      } catch {
        return byDefault
      }
    },
    set(isOn) {
      try {
        localStorage.setItem(key, isOn ? 'on' : 'off')
      } catch {
        // No storage: as it was after a reload.
      }
    },
  }
}

const KEY = 'push'

/** For whom this browser is notified, and its address at the push service. */
interface KeptPush {
  user: string
  endpoint: string
}

export function keptPush(): KeptPush | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as KeptPush | null
  } catch {
    return null
  }
}

export function keepPush(push: KeptPush): void {
  localStorage.setItem(KEY, JSON.stringify(push))
}

export function forgetPush(): void {
  localStorage.removeItem(KEY)
}

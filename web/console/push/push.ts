import {
  PushKeyDocument,
  PushSubscriptionsDocument,
  SubscribeToPushDocument,
  UnsubscribeFromPushDocument,
} from '../../generated/push.js'
import type { Request } from '@switchboard/client'
import { forgetPush, keepPush, keptPush } from '../kept.js'

const SCOPE = '/console/'
const WORKER = `${SCOPE}worker.js`
/** A worker that is not active by then does not become so. */
const START_MS = 10_000

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** Lets the page load this one script, and no other. */
const rules = {
  createScriptURL(url: string): string {
    if (url !== WORKER) throw new TypeError(url)
    return url
  },
}
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('worker', rules) ?? rules

/** The notified user, and the means to ask the server. */
interface Agent {
  user: string
  request: Request
}

/** The question whether this browser may notify was answered by no, or not at all. */
export class NotAllowed extends Error {}

/** Reason why this browser cannot be notified while the console is closed. */
export type Hindrance = 'insecure' | 'unsupported' | 'denied'

export function hindrance(): Hindrance | null {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** Tells whether this browser is notified for this user. */
export const isPushed = (user: string): boolean => hindrance() === null && keptPush()?.user === user

/** One at a time in all tabs: a page renews the subscription while it is loaded, and that must not end after a switching off. */
const inTurn = <T>(run: () => Promise<T>): Promise<T> => navigator.locks.request('switchboard push', run) as Promise<T>

/** Has this browser notified. @throws what the browser, its push service or the server said */
export async function switchOn(agent: Agent): Promise<void> {
  // A question that nobody answers holds up no other tab.
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed()
  await inTurn(() => subscribe(agent))
}

/** @returns whether another browser of the user is still notified */
export const switchOff = (agent: Agent): Promise<boolean> => inTurn(() => unsubscribe(agent))

/** After a sign-in, whose predecessor's subscription ended with it, and when the push service has ended it. */
export async function renew(agent: Agent): Promise<void> {
  await inTurn(async () => {
    if (isPushed(agent.user) && Notification.permission === 'granted') await subscribe(agent)
  })
}

async function subscribe(agent: Agent): Promise<void> {
  const { pushKey } = await agent.request(PushKeyDocument, {})
  await navigator.serviceWorker.register(policy.createScriptURL(WORKER), { scope: SCOPE })
  const { pushManager } = await ready()
  const applicationServerKey = bytesOf(pushKey)
  let subscription = await pushManager.getSubscription()
  const known = subscription?.options.applicationServerKey
  // One for another key, as of a server that was set up anew, is of no use.
  if (subscription && known && !isSame(new Uint8Array(known), applicationServerKey)) {
    await subscription.unsubscribe()
    subscription = null
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const input = { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }
  await agent.request(SubscribeToPushDocument, { input })
  keepPush({ user: agent.user, endpoint })
}

async function unsubscribe(agent: Agent): Promise<boolean> {
  const kept = keptPush()
  if (kept) await agent.request(UnsubscribeFromPushDocument, { endpoint: kept.endpoint }).catch(() => undefined)
  forgetPush()
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  const { pushSubscriptions } = await agent.request(PushSubscriptionsDocument, {})
  return pushSubscriptions.length > 0
}

/** An active worker, whose scope no page is in: `navigator.serviceWorker.ready` would wait for ever. */
async function ready(): Promise<ServiceWorkerRegistration> {
  for (let waitedMs = 0; waitedMs < START_MS; waitedMs += 50) {
    const registration = await navigator.serviceWorker.getRegistration(SCOPE)
    if (registration?.active) return registration
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the service worker did not start')
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

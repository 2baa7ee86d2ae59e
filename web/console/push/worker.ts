/**
 * Shows the notifications that the server pushes, also while no tab is open. It caches nothing and answers no request.
 */
const worker = globalThis as unknown as Worker

/** The part of a service worker that is used: its types and those of pages exclude each other. */
interface Worker {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll(options: object): Promise<readonly ConsoleWindow[]>
    openWindow(path: string): Promise<unknown>
  }
  addEventListener(type: 'push', listener: (event: Extended & { data: { json(): unknown } | null }) => void): void
  addEventListener(type: 'pushsubscriptionchange', listener: (event: Extended) => void): void
  addEventListener(
    type: 'notificationclick',
    listener: (event: Extended & { notification: Notification }) => void,
  ): void
}

interface Extended {
  waitUntil(work: Promise<unknown>): void
}

interface ConsoleWindow {
  url: string
  focused: boolean
  focus(): Promise<unknown>
  postMessage(message: object, ports?: MessagePort[]): void
}

interface Payload {
  conversation: string
  name: string
  unread: number
  preview?: string
  locale: string
}

const SCOPE = '/console'
/** A window that has not said by then that it shows the message does not show it. */
const SEEN_MS = 1_000
const NEWS: Readonly<Record<string, [one: string, more: string, assigned: string]>> = {
  en: ['1 unread message', 'unread messages', 'In your inbox'],
  nl: ['1 ongelezen bericht', 'ongelezen berichten', 'In je inbox'],
  de: ['1 ungelesene Nachricht', 'ungelesene Nachrichten', 'In Ihrem Eingang'],
  fr: ['1 message non lu', 'messages non lus', 'Dans votre boîte de réception'],
}

worker.addEventListener('push', (event) => event.waitUntil(show(event.data?.json() as Payload)))
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.tag))
})

// The server is told by a window, which has the right to; with no window open, by the next one.
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(windows().then((all) => all[0]?.postMessage({ renew: true }))),
)

/** Nothing while the agent looks at the console: it shows the same by itself. */
async function show({ conversation, name, unread, preview, locale }: Payload): Promise<void> {
  if (await isSeen()) return
  const [one, more, assigned] = NEWS[locale] ?? NEWS.en!
  const news = unread === 0 ? assigned : unread === 1 ? one : `${unread} ${more}`
  await worker.registration.showNotification(name, {
    body: preview ?? news,
    tag: conversation,
    icon: '/web/icon.svg',
    lang: locale,
    dir: 'auto',
  })
}

/** Tells whether a visible window says that its agent is the one who is notified: nobody may be signed in there. */
async function isSeen(): Promise<boolean> {
  const window = (await windows()).find(({ focused }) => focused)
  if (!window) return false
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), SEEN_MS)
    window.postMessage({ isSeen: true }, [port2])
  })
}

async function open(conversation: string): Promise<void> {
  const path = `${SCOPE}/c/${encodeURIComponent(conversation)}`
  const [window] = await windows()
  if (!window) return void (await worker.clients.openWindow(path))
  // The page goes there itself: loading it anew would take what stands in it.
  window.postMessage({ open: conversation })
  await window.focus()
}

async function windows(): Promise<readonly ConsoleWindow[]> {
  const all = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => {
    const { pathname } = new URL(url)
    return pathname === SCOPE || pathname.startsWith(`${SCOPE}/`)
  })
}

// A module: its names are its own.
export {}

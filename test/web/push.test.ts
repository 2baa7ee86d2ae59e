import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startPushService, type PushService } from '../push/push-service.js'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

/** A notification that a browser shows. */
interface Notified {
  title: string
  body: string
  tag: string
}

/** A browser without its vendor's push service: what it would be given there. */
const subscribeAt = (input: object): string => `
  const { endpoint, ...keys } = ${JSON.stringify(input)}
  let subscription = null
  PushManager.prototype.getSubscription = async () => subscription
  PushManager.prototype.subscribe = async (options) => {
    const key = options.applicationServerKey
    if (key.length !== 65 || !options.userVisibleOnly) throw new TypeError('not a key of a server')
    return (subscription = {
      endpoint,
      options: { applicationServerKey: key.buffer },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => ((subscription = null), true),
    })
  }`
const SWITCH = 'Message while the console is closed'

describeInBrowser(
  'notifications while the console is closed',
  (world) => {
    let service: PushService
    beforeAll(async () => {
      service = await startPushService()
    })
    afterAll(() => service?.close())

    /** Delivers as a push service would, and waits for the service worker. */
    async function deliver(page: Page, payload: object): Promise<void> {
      const cdp = await page.context().newCDPSession(page)
      const registered = new Promise<string>((resolve) => {
        cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const found = registrations.find(({ scopeURL }) => scopeURL.endsWith('/console/'))
          if (found) resolve(found.registrationId)
        })
      })
      await cdp.send('ServiceWorker.enable')
      const { origin } = new URL(world.office.url)
      const message = { origin, registrationId: await registered, data: JSON.stringify(payload) }
      await cdp.send('ServiceWorker.deliverPushMessage', message)
      await cdp.detach()
    }
    /**
     * Delivers until that shows what is expected: the browser drops what is delivered to a worker that it is about to end, and the
     * same again replaces the first.
     */
    const deliverUntil = (
      page: Page,
      payload: object,
      isShown: (notifications: Notified[]) => boolean,
    ): Promise<unknown> =>
      eventually(async () => {
        await deliver(page, payload)
        return isShown(await shown(page))
      })
    const shown = (page: Page): Promise<Notified[]> =>
      page.evaluate(`(async () => {
        const registration = await navigator.serviceWorker.getRegistration('/console/')
        return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
      })()`)

    it('are switched on for a browser, come by the push service, are shown by name, and lead to the thread', async () => {
      const browser = service.subscribe()
      const subscriptions = async (): Promise<[count: number, isWanted: boolean]> => {
        const { data } = await world.office.gql(
          world.office.ann,
          '{ pushSubscriptions { id } me { settings { pushNotify } } }',
        )
        return [data.pushSubscriptions.length, data.me.settings.pushNotify]
      }
      const { page, context } = await world.openConsole(world.office.ann)
      await context.grantPermissions(['notifications'], { origin: world.office.url })
      await page.addInitScript(subscribeAt(browser.input))
      await page.goto(`${world.office.url}/console/settings`)
      const pushed = page.getByRole('switch', { name: SWITCH })
      await pushed.check()
      // The page says so before, too: nothing is saved until the browser is subscribed.
      await eventually(async () => (await subscriptions()).join() === '1,true')
      await page.getByText('All saved').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'settings-push')

      const id = await world.office.arrive('Lena Vos', 'The bilge pump runs')
      await world.office.gql(world.office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', {
        id,
      })
      await world.office.say(id, 'and runs')
      await eventually(async () => browser.received.length > 0)
      const { payload } = browser.received[0]!
      expect(payload).toMatchObject({ conversation: id, name: 'Lena Vos' })

      // A click goes to the thread, in the tab that has just been allowed to notify.
      await page.evaluate(
        `navigator.serviceWorker.getRegistration('/console/').then((each) => each.showNotification('Lena Vos', { tag: '${id}' }))`,
      )
      const click = async (): Promise<void> => {
        const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
        await worker.evaluate(`(async () => {
          const [notification] = await registration.getNotifications()
          dispatchEvent(new NotificationEvent('notificationclick', { notification }))
        })()`)
      }
      await click()
      await page.getByRole('log').getByText('and runs').waitFor()
      await eventually(async () => (await shown(page)).length === 0)

      // Somebody looks at the console: it shows the message by itself, however long the page takes to say so.
      await page.bringToFront()
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
      await worker.evaluate(`new Promise((resolve, reject) => {
        const { setTimeout } = globalThis
        globalThis.setTimeout = () => 0
        const event = new PushEvent('push', { data: ${JSON.stringify(JSON.stringify(payload))} })
        event.waitUntil = (shown) => shown.finally(() => (globalThis.setTimeout = setTimeout)).then(resolve, reject)
        dispatchEvent(event)
      })`)
      expect(await shown(page)).toEqual([])
      // Nobody does.
      await page.goto(`${world.office.url}/widget/demo`)
      await deliverUntil(page, payload, ({ length }) => length > 0)
      await deliverUntil(page, { ...payload, unread: 2 }, ([first]) => first?.body === '2 unread messages')
      // The same once: a later one replaces it.
      expect(await shown(page)).toEqual([{ title: 'Lena Vos', body: '2 unread messages', tag: id }])

      // A click goes to the tab that there is.
      await page.goto(`${world.office.url}/console/settings`)
      await pushed.waitFor()
      await click()
      await page.getByRole('log').getByText('and runs').waitFor()
      await eventually(async () => (await shown(page)).length === 0)

      // A window that is looked at, but in which nobody is signed in, shows nothing.
      await page.evaluate(`fetch('/console/session', { method: 'DELETE' })`)
      await page.goto(`${world.office.url}/console`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await page.bringToFront()
      await deliverUntil(page, payload, ({ length }) => length === 1)
      await signIn(page, world.office.ann)

      await page.goto(`${world.office.url}/console/settings`)
      await pushed.uncheck()
      await eventually(async () => (await subscriptions()).join() === '0,false')
    })

    it('say why they cannot be switched on', async () => {
      const { page } = await world.openConsole(world.office.bob)
      await page.addInitScript('delete globalThis.PushManager')
      await page.goto(`${world.office.url}/console/settings`)
      const without = page.getByRole('switch', { name: SWITCH })
      expect(await without.isDisabled()).toBe(true)
      await page.getByText('this browser takes no push messages').waitFor()
      const insecure = await world.openConsole(world.office.bob)
      await insecure.page.addInitScript(`Object.defineProperty(globalThis, 'isSecureContext', { get: () => false })`)
      await insecure.page.goto(`${world.office.url}/console/settings`)
      await insecure.page.getByText('needs an address with https, or localhost').waitFor()
      const failing = await world.openConsole(world.office.bob)
      await failing.context.grantPermissions(['notifications'], { origin: world.office.url })
      await failing.page.addInitScript(
        `PushManager.prototype.subscribe = async () => { throw new Error('the push service is away') }`,
      )
      await failing.page.goto(`${world.office.url}/console/settings`)
      await failing.page.getByRole('switch', { name: SWITCH }).click()
      await failing.page.getByText('This browser could not be subscribed: the push service is away').waitFor()
      expect(await failing.page.getByRole('switch', { name: SWITCH }).isChecked()).toBe(false)
    })
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
)

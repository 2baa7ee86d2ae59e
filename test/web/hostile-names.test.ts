import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { verifyDomain } from '../sso/sso-fixture.js'
import { Dovecot, hasDovecot } from '../support/dovecot.js'
import { until } from '../support/until.js'
import { deliver, letter, trustLoopback } from '../touchpoints/mailbox/mail-client.js'
import { mailboxParams } from '../touchpoints/mailbox/mailbox-fixture.js'
import { expectHarmless } from './support/harmless.js'
import { HOSTILE } from './support/hostile-html.js'
import { closeForGood, makeHostileRecords, MARK, poison, sayAll, type Made } from './support/hostile-records.js'
import { describeInBrowser } from './support/in-browser.js'
import { DOMAIN, openPublicConsole, publicEnv } from './support/provider-office.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

const env = await publicEnv()
const { PUBLIC_URL } = env

/** Pages of the console, in each of which stands a hostile text. */
const PAGES: readonly (string | ((made: Made) => string))[] = [
  'queue',
  'mine',
  'open',
  'active',
  'settings',
  'contacts',
  'admin/users',
  'admin/staffing',
  'admin/hours',
  'admin/channels',
  'admin/organizations',
  'admin/workflows',
  'admin/forms',
  'admin/articles',
  'admin/canned',
  'admin/labels',
  'admin/macros',
  'admin/services',
  'admin/health',
  'admin/webhooks',
  'admin/signIn',
  'admin/audit',
  ({ Label }) => `admin/audit/${Label}`,
  ({ contact }) => `contacts/${contact}`,
  ({ view }) => `v/${view}`,
  ({ conversation }) => `c/${conversation}`,
  ({ mail }) => `c/${mail}`,
  () => `search?q=${encodeURIComponent(HOSTILE)}`,
  ...(hasDovecot() ? ['admin/mailboxes'] : []),
]
const OTHER_PAGES = ['inbox', 'reports', 'search', 'admin', `c/${encodeURIComponent(HOSTILE)}`]

/** Dialogs over a conversation, by their names in the menu. */
const DIALOGS = ['Macro', 'Label', 'Hand over', 'Send a copy by email', 'Block this consumer', 'Why']

/** A text that is code, wherever it stands. */
const shown = (page: Page) =>
  page.getByText('onerror=').or(page.locator('input[value*="onerror="], textarea:has-text("onerror=")')).first()

describeInBrowser(
  'texts that are code',
  (world) => {
    let provider: IdentityProvider
    let mail: Dovecot | null = null
    let distrust = (): void => undefined
    let made: Made
    beforeAll(async () => {
      const { office } = world
      provider = await startIdentityProvider()
      await verifyDomain(office, office.organization, DOMAIN)
      const params = { issuer: provider.issuer, ...provider.client, domains: [DOMAIN], defaultRole: 'agent' }
      made = await makeHostileRecords(office, params)
      if (!hasDovecot()) return
      distrust = trustLoopback()
      mail = await Dovecot.start()
      await makeMailbox(mail)
    })
    afterAll(async () => {
      await mail?.close()
      distrust()
      await provider?.close()
    })

    /** A mailbox with a mail in its ledger. */
    async function makeMailbox(server: Dovecot): Promise<void> {
      const { office } = world
      const params = { ...mailboxParams(server), address: 'mailbox@harbour.example' }
      const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
      const made = await office.gql(office.owner, create, { input: { type: 'mailbox', name: MARK, params } })
      expect(made.errors).toBeUndefined()
      const { id } = made.data.createService
      const read = 'query ($id: ID!) { service(id: $id) { mailbox { readAt stored } } }'
      const state = async () => (await office.gql(office.owner, read, { id })).data.service.mailbox
      // What came before the first look is not the service's.
      await until(async () => (await state())?.readAt)
      await deliver(server, [letter({ subject: MARK, from: `${MARK} <hostile@letters.example>`, text: MARK })])
      await until(async () => (await state()).stored === 1)
    }

    it('are shown as text on every page of the console, and nothing of them runs', async () => {
      const { office } = world
      expect(await poison(office)).toBeGreaterThan(40)
      const { page } = await openPublicConsole(world, PUBLIC_URL, office.owner, '', {
        viewport: { width: 1440, height: 900 },
      })
      const missing: string[] = []
      for (const each of PAGES) {
        const path = typeof each === 'string' ? each : each(made)
        await page.goto(`${PUBLIC_URL}/console/${path}`)
        await shown(page)
          .waitFor({ state: 'attached' })
          .catch(() => missing.push(path))
        await page.waitForLoadState('networkidle')
        await expectHarmless(page, path)
        // What is changed of a record is shown as it is.
        const edit = page.getByRole('button', { name: /^Edit: / }).first()
        if (!path.startsWith('admin/') || !(await edit.isVisible())) continue
        await edit.click()
        await page.getByRole('dialog').or(page.getByRole('form')).first().waitFor()
        await expectHarmless(page, `${path}, edited`)
      }
      expect(missing).toEqual([])
      for (const path of OTHER_PAGES) {
        await page.goto(`${PUBLIC_URL}/console/${path}`)
        await page.waitForLoadState('networkidle')
        await expectHarmless(page, path)
      }

      await page.goto(`${PUBLIC_URL}/console/c/${made.conversation}`)
      await page.getByRole('log').getByText('onerror=').first().waitFor()
      for (const name of DIALOGS) {
        await page.getByRole('button', { name: 'More', exact: true }).last().click()
        await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name }).click()
        await page
          .locator('dialog[open]')
          .filter({ hasNot: page.getByRole('heading', { name: 'More' }) })
          .waitFor()
        await page.waitForLoadState('networkidle')
        await expectHarmless(page, name)
        await page.keyboard.press('Escape')
        await page.locator('dialog[open]').waitFor({ state: 'detached' })
      }
      // What is offered while one types.
      for (const typed of [';', '@']) {
        await page.getByRole('textbox', { name: 'Reply' }).fill(typed)
        await page.locator('[role=option]').filter({ hasText: 'onerror=' }).first().waitFor()
        await expectHarmless(page, `typed ${typed}`)
      }
    })

    it('are shown as text where one signs in, and nothing of them runs', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console`)
      await page.getByRole('textbox', { name: 'Email' }).fill(`somebody@${DOMAIN}`)
      await page.getByRole('link').filter({ hasText: 'onerror=' }).waitFor()
      await expectHarmless(page, 'the sign-in')
    })

    it('are shown as text in the widget, and nothing of them runs', async () => {
      const { office } = world
      const service = await makeWebService(office, { greeting: HOSTILE, title: HOSTILE.slice(0, 60) })
      const { page } = await world.open(`${office.url}/widget/demo?service=${service}`)
      const widget = widgetOf(page)
      await widget.open()
      await widget.say(`${MARK} by me`)
      const agent = await agentViewOf(office, `${MARK} by me`)
      await sayAll(office, { ...made, conversation: agent.id })
      await poison(office)
      await page.reload()
      await widget.open()
      await widget.log.getByText('<img src=x onerror').first().waitFor()
      await expectHarmless(page, 'the widget')
      // Of the form, whose labels and choices are hostile too.
      await widget.log.getByRole('button', { name: 'Edit' }).click()
      const form = widget.log.getByRole('form')
      await form.getByRole('combobox').first().selectOption({ index: 1 })
      await expectHarmless(page, 'a form')
      await closeForGood(office, agent.id)
      await widget.log.getByRole('form', { name: 'Your rating' }).waitFor()
      await expectHarmless(page, 'a rating')
    })
  },
  env,
)

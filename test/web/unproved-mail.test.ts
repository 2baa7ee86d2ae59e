import { afterAll, expect, it } from '@jest/globals'
import { dkimSign } from 'mailauth'
import { freePort } from '../../bench/chaos/free-port.js'
import { startNameServer } from '../support/name-server.js'
import { dkimKeys, rawMail, sendBySmtp } from '../touchpoints/email/mails.js'
import { agentViewOf } from './support/widget.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { keepScreenshot } from './support/browser.js'

const ADDRESS = 'support@harbour.example'
const FROM = 'carl@strict.example'
const KEYS = dkimKeys()

const names = await startNameServer()
names.texts.set('key._domainkey.strict.example', [KEYS.record])
names.texts.set('_dmarc.strict.example', ['v=DMARC1; p=reject'])
const port = await freePort()
const env = { DNS_SERVERS: names.address, SMTP_LISTEN_HOST: '127.0.0.1', SMTP_LISTEN_PORT: String(port) }

describeInBrowser(
  'mail whose sender nothing proves',
  (world) => {
    afterAll(() => names.close())

    async function receive(text: string, from: string, isSigned: boolean): Promise<string> {
      const raw = rawMail({ from, to: ADDRESS, text, messageId: `${crypto.randomUUID()}@mails.example` })
      const key = { signingDomain: 'strict.example', selector: 'key', privateKey: KEYS.privateKey }
      const head = isSigned ? (await dkimSign(raw, { ...key, signatureData: [key] })).signatures : ''
      const sent = await sendBySmtp(port, { from: 'bounces@elsewhere.example', to: [ADDRESS], raw: head + raw })
      expect(sent).toMatchObject({ code: 250 })
      return (await agentViewOf(world.office, text)).id
    }

    it('is marked for agents, with what its domain says of it; what is proved has no mark', async () => {
      const { office } = world
      const made = await office.gql(
        office.owner,
        'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
        { input: { type: 'email', name: 'Mail', params: { address: ADDRESS } } },
      )
      expect(made.errors).toBeUndefined()
      const proved = await receive('It is me', FROM, true)
      const forged = await receive('I am not Carl', FROM, false)
      // The policy is to show it, beside what the consumer wrote.
      expect(forged).toBe(proved)
      await receive('Is it me?', 'lena@unknown.example', false)

      const { page } = await world.openConsole(office.ann, `/c/${proved}`)
      const log = page.getByRole('log')
      await log.getByText('I am not Carl').waitFor()
      await log.getByText('It is me').waitFor()
      const marks = log.getByRole('note')
      await marks.first().waitFor()
      expect(await marks.allInnerTexts()).toEqual([
        `May not be from ${FROM}. The mail is against the policy of its domain.`,
      ])
      // It stands below the mail that it is of.
      const said = await log.locator('.body').filter({ hasText: 'I am not Carl' }).innerText()
      expect(said).toMatch(/It is me\s+I am not Carl\s+May not be from/)
      await expectAccessible(page)
      await keepScreenshot(page, 'unproved-mail')
    })

    it('is marked without a policy too, and says no more than that', async () => {
      const { office } = world
      const id = await receive('Is it still me?', 'lena@unknown.example', false)
      const { page } = await world.openConsole(office.ann, `/c/${id}`)
      const log = page.getByRole('log')
      await log.getByText('Is it still me?').waitFor()
      const marks = log.getByRole('note')
      await marks.nth(1).waitFor()
      expect(await marks.allInnerTexts()).toEqual(Array(2).fill('May not be from lena@unknown.example.'))
    })
  },
  env,
)

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { bodyOf, errorOf, NUMBER, startCloudApi, type CloudApi } from '../touchpoints/whatsapp/cloud-api.js'
import { letNextComeDue } from '../support/next-job.js'
import { until } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

let cloud: CloudApi
beforeAll(async () => {
  cloud = await startCloudApi()
})
afterAll(() => cloud.close())

describeInBrowser(
  'the health of services in the console',
  (world) => {
    it('says of each way to consumers whether it works, what helps, and what passed through it', async () => {
      const { office } = world
      const params = { ...NUMBER, apiUrl: cloud.url }
      const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
      const input = { type: 'whatsapp', name: 'Harbour phone', params }
      const { data, errors } = await office.gql(office.owner, create, { input })
      expect(errors).toBeUndefined()
      const { id } = data.createService
      const { page } = await world.openConsole(office.owner, '/admin/health')
      const shown = page.getByRole('region', { name: 'Harbour phone', exact: true })
      await shown.getByText('not checked').waitFor()
      cloud.faults.push(errorOf(190, 'Invalid OAuth access token.', 401))
      await letNextComeDue(office, 'service.check', { service: id })
      await until(async () => {
        const [row] = await office.server.database.query<{ failures: number }>(
          'select failures from service_check where service_id = $1',
          [id],
        )
        return row?.failures === 1
      })
      await cloud.call(`${office.url}/inbound/whatsapp/${id}`, bodyOf({}, 'account_review_update'))
      await office.server.database.query(
        `insert into inbound_message (service_id, provider_id, received_at, sent_at, is_by_contact)
         values ($1, 'late', $2, $2::timestamptz - interval '2 seconds', true)`,
        [id, office.clock.now()],
      )
      await office.server.database.query(
        `insert into service_grant (service_id, settings, grant_ends_at) values ($1, '', $2::timestamptz + interval '5 days')`,
        [id, office.clock.now()],
      )
      await page.reload()
      await shown.getByText('in doubt').waitFor()
      await shown.getByText('Make a new token or password at the provider, and save it with the service.').waitFor()
      await shown.getByText('account_review_update').waitFor()
      await shown.getByText('95 of 100 came in within 2 sec').waitFor()
      await shown.getByText(/token until \d/).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'health')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 800 })
      await expectAccessible(page)
      await keepScreenshot(page, 'health-dark-375')
      // Nothing else is wrong: the end of its token is.
      await office.server.database.query('delete from service_check where service_id = $1', [id])
      await page.reload()
      await shown.getByText(/Its token ends on .* Make a new token or password/).waitFor()
      await shown.getByText('in doubt').waitFor()
      await keepScreenshot(page, 'health-token')
    })
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true', SERVICE_CHECK_MINUTES: '15' },
)

import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { buildWeb, eventually, hasBrowser, keepScreenshot, launch, openTab } from './support/browser.js'
import { signIn, startOffice, type TestOffice } from './support/office.js'

const withBrowser = hasBrowser ? describe : describe.skip

withBrowser('the administration in the console', () => {
  let office: TestOffice
  let browser: Browser
  beforeAll(async () => {
    buildWeb()
    office = await startOffice()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await office?.close()
  })

  async function expectAccessible(page: Page): Promise<void> {
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 120)}`)).toEqual([])
  }

  it('tries rules that were not saved on a conversation, draws what they saw, and replays them', async () => {
    const { id: organization } = office.organization
    const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'boat' }] }
    const event = { type: 'notify', params: { name: 'Boats', channels: [office.channel] } }
    await office.gql(office.owner, 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }', {
      input: { organization, name: 'Who gets what', rules: [{ conditions, event }] },
    })
    await office.arrive('Lena Vos', 'my boat leaks')
    const { page, context, faults } = await openTab(browser, { url: `${office.url}/console` })
    await signIn(page, office.owner)
    await page.goto(`${office.url}/console/admin/workflows`)
    await page.getByLabel('Facts of').selectOption({ label: 'Lena Vos' })
    await eventually(async () => (await page.locator('#facts').inputValue()).includes('leaks'))
    await page.getByRole('textbox', { name: 'Value' }).fill('car')
    await page.getByRole('textbox', { name: 'Value' }).press('Tab')
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('button', { name: 'Replay the last week' }).click()
    await page.getByText('1 looked at: 1 would go elsewhere.').waitFor()
    await page.getByText('1 would reach nobody').waitFor()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.locator('.cond .was').getByText('my boat leaks').waitFor()
    await page.getByRole('button', { name: /Boats/ }).getByText('no match').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'rules-tried')
    expect(faults).toEqual([])
    await context.close()
  })

  it('keeps the canned responses of an organization', async () => {
    const { page, context, faults } = await openTab(browser, { url: `${office.url}/console` })
    await signIn(page, office.owner)
    await page.goto(`${office.url}/console/admin/canned`)
    await page.getByRole('button', { name: 'Response' }).click()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('two words')
    await page.getByRole('textbox', { name: 'Text' }).fill('We open at nine.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('two words').waitFor()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('hours')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: ';hours' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit: hours' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete hours?' }).click()
    await page.getByText('None yet').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})

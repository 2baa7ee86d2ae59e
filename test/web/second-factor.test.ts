import { expect, it } from '@jest/globals'
import { generateSync } from 'otplib'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD, signIn } from './support/office.js'

describeInBrowser('the second factor in the console', (world) => {
  /** The code of a period in which no other was used. The clock stands: a slow machine is never too late. */
  const nextCode = (secret: string): string => {
    const { clock } = world.office
    clock.standAt()
    clock.advance(30_000)
    return generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1_000) })
  }
  const typePassword = async (page: Page, email: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  it('is set up by a QR code, asked for at the next sign-in, and removed', async () => {
    const { ann } = world.office
    const { page } = await world.openConsole(ann, '/settings', {
      viewport: { width: 375, height: 812 },
    })
    const box = page.getByRole('region', { name: 'Security' })
    await box.getByText('Signing in takes your password only').waitFor()
    await box.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill('another password')
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByText('This is not your password').waitFor()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'second-factor-app')
    const secret = (await dialog.locator('code').textContent())!
    await dialog.getByLabel('Code', { exact: true }).fill('000')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('not of this app').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(nextCode(secret))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    const codes = (await dialog.locator('code', { hasText: '-' }).textContent())!.split('\n')
    expect(codes).toHaveLength(10)
    await keepScreenshot(page, 'second-factor-codes')
    await expectAccessible(page)
    const file = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    expect(await readFile(await (await file).path(), 'utf8')).toBe(`${codes.join('\n')}\n`)
    // Codes are shown once: nothing but the button closes the dialog.
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await box.getByText('10 of 10 left').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'second-factor-settings')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await typePassword(page, ann.email)
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill('000 000')
    await expectAccessible(page)
    await keepScreenshot(page, 'second-factor-sign-in')
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(ann.email)
    await typePassword(page, ann.email)
    await code.fill('000 000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The code of the second factor is wrong').waitFor()
    await code.fill(codes[0]!)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await box.getByText('9 of 10 left').waitFor()

    await box.getByRole('button', { name: 'New codes' }).click()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByLabel('Code', { exact: true }).fill('000000')
    await dialog.getByRole('button', { name: 'New codes' }).click()
    await dialog.getByText('not of this app').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1]!)
    await dialog.getByRole('button', { name: 'New codes' }).click()
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await box.getByText('10 of 10 left').waitFor()
    await box.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByLabel('Code', { exact: true }).fill(nextCode(secret))
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await box.getByText('Signing in takes your password only').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, ann)
  })

  it('is needed for a new password by a link too, and reset by an administrator, which signs out', async () => {
    const { bob, owner, gql } = world.office
    const { data: begun } = await gql(bob, `mutation { enrolTotp(currentPassword: "${PASSWORD}") { id secret } }`)
    const { id, secret } = begun.enrolTotp as { id: string; secret: string }
    const confirmed = await gql(bob, 'mutation ($id: ID!, $code: String!) { confirmTotp(id: $id, code: $code) }', {
      id,
      code: nextCode(secret),
    })
    expect(confirmed.errors).toBeUndefined()
    const made = await gql(owner, 'mutation ($u: ID!) { createSignInLink(user: $u) { url } }', { u: bob.id })
    const link = new URL(made.data.createSignInLink.url as string)
    const agent = await world.open(link.pathname + link.hash, { colorScheme: 'dark' })
    await agent.page.getByLabel('Password').fill(PASSWORD)
    await agent.page.getByRole('button', { name: 'Set password' }).click()
    await agent.page.getByRole('textbox', { name: 'Code' }).fill(nextCode(secret))
    await expectAccessible(agent.page)
    await agent.page.getByRole('button', { name: 'Sign in' }).click()
    await agent.page.locator('.rail .live .good').waitFor()

    const { page } = await world.openConsole(owner, '/admin/users', { colorScheme: 'dark' })
    await page.getByRole('button', { name: /^Edit: Bob/ }).click()
    const factor = page.getByRole('dialog').getByRole('region', { name: 'Second factor' })
    await factor.getByText('10 of 10 left').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'second-factor-admin')
    await factor.getByRole('button', { name: 'Reset' }).click()
    await factor.getByRole('button', { name: 'Reset, and end all sessions?' }).click()
    await factor.getByText('None').waitFor()
    await signIn(agent.page, bob)
  })
})

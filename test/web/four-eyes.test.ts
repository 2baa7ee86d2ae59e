import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const CONTACT_OF = 'query ($id: ID!) { conversation(id: $id) { contactId } }'
const HOLD = `mutation ($i: CreateHoldInput!) { createHold(input: $i) { id } }`

const GUARD_SIGN_IN = 'mutation { setFourEyes(input: { signIn: true }) { signIn } }'

describeInBrowser('changes that need two administrators, in the console', (world) => {
  it('are guarded, proposed by one, approved or refused by the other, and withdrawn', async () => {
    const { office } = world
    const { organization } = office
    const second = await office.makeUser({ organization, role: 'admin', password: PASSWORD, displayName: 'Sam Second' })
    const conversation = await office.arrive('Erna Erase', 'forget me')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const contact = data.conversation.contactId as string
    const i = { name: 'Case 7', reason: 'A court asked', contacts: [contact] }
    expect((await office.gql(office.owner, HOLD, { i })).errors).toBeUndefined()

    const { page } = await world.openConsole(office.owner, '/admin/privacy')
    const areas = page.getByRole('region', { name: 'Two people for a change' })
    await areas.getByRole('button', { name: 'Edit: Two people for a change' }).click()
    const settings = page.getByRole('dialog', { name: 'Two people for a change' })
    await settings.getByRole('checkbox', { name: 'Erasing contacts' }).check()
    await settings.getByRole('checkbox', { name: 'Releasing holds' }).check()
    await settings.getByRole('checkbox', { name: 'Terms of retention' }).check()
    await expectAccessible(page)
    await keepScreenshot(page, 'four-eyes-settings')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    await areas.getByRole('row', { name: 'Releasing holds Two people' }).waitFor()

    // A release waits, and leads to where it waits.
    await page.getByRole('button', { name: 'Release: Case 7' }).click()
    await page.getByRole('dialog', { name: 'Release this hold?' }).getByRole('button', { name: 'Release' }).click()
    const waiting = page.getByRole('region', { name: 'Waiting for a second person' })
    const release = waiting.getByRole('row').filter({ hasText: 'Release a hold' })
    await release.getByText('You', { exact: true }).waitFor()
    expect(await release.getByRole('button', { name: /Approve|Refuse/ }).count()).toBe(0)

    // So does an erasure, from the page of the contact.
    await page.goto(`${office.url}/console/contacts/${contact}`)
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('dialog', { name: 'Erase this contact?' }).getByRole('button', { name: 'Erase' }).click()
    const erasure = waiting.getByRole('row').filter({ hasText: 'Erase a contact' })
    await erasure.waitFor()
    await expectAccessible(page)

    const { page: other } = await world.openConsole(second, '/admin/privacy')
    const others = other.getByRole('region', { name: 'Waiting for a second person' })
    await others.getByRole('row').filter({ hasText: 'Release a hold' }).waitFor()
    await expectAccessible(other)
    await keepScreenshot(other, 'four-eyes')
    await other.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(other)
    await keepScreenshot(other, 'four-eyes-dark')
    await other.emulateMedia({ colorScheme: 'light' })
    await other.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(other)
    await keepScreenshot(other, 'four-eyes-375')
    await other.setViewportSize({ width: 1280, height: 800 })

    await others.getByRole('button', { name: /^Refuse: Erase a contact/ }).click()
    const refusal = other.getByRole('dialog', { name: 'Refuse this change?' })
    await refusal.getByRole('textbox').fill('The case goes on')
    await refusal.getByRole('button', { name: 'Refuse' }).click()
    await refusal.waitFor({ state: 'detached' })
    await others.getByRole('button', { name: /^Approve: Release a hold.*Case 7$/ }).click()
    const approval = other.getByRole('dialog', { name: 'Approve this change?' })
    await approval.getByText('It is done at once. The audit log names both of you.').waitFor()
    await expectAccessible(other)
    await keepScreenshot(other, 'four-eyes-approve')
    await approval.getByRole('button', { name: 'Approve' }).click()
    await others.waitFor({ state: 'detached' })
    await other.getByRole('row').filter({ hasText: 'Case 7' }).getByText('Released').waitFor()
    // The first one is told by itself.
    await waiting.waitFor({ state: 'detached' })

    // One's own is taken back.
    await page.getByRole('button', { name: 'Edit: Two people for a change' }).click()
    await settings.getByRole('checkbox', { name: 'Erasing contacts' }).uncheck()
    await settings.getByText('This waits until another administrator approves it.').waitFor()
    await settings.getByRole('button', { name: 'Save' }).click()
    await waiting.getByRole('button', { name: /^Withdraw: Need one person again/ }).click()
    await page.getByRole('dialog', { name: 'Withdraw this change?' }).getByRole('button', { name: 'Withdraw' }).click()
    await waiting.waitFor({ state: 'detached' })
    await areas.getByRole('row', { name: 'Erasing contacts Two people' }).waitFor()
  })

  it('of sign-in say in their dialog that they wait, and are not sent twice', async () => {
    const { office } = world
    await office.makeUser({ organization: office.organization, role: 'admin' })
    expect(await office.gql(office.owner, GUARD_SIGN_IN)).toMatchObject({ data: { setFourEyes: { signIn: true } } })
    const { page } = await world.openConsole(office.owner, '/admin/signIn')
    await page.getByRole('button', { name: 'Edit: Sign-in policy' }).click()
    const dialog = page.getByRole('dialog', { name: /^Sign-in policy/ })
    await dialog.getByLabel('Shortest password').fill('14')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Proposed. Another administrator must approve it: it waits under Privacy.').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'four-eyes-proposed')
    expect(await dialog.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    // Nothing is lost with the dialog.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${office.url}/console/admin/privacy`)
    const waiting = page.getByRole('region', { name: 'Waiting for a second person' })
    await waiting.getByRole('button', { name: /^Withdraw/ }).waitFor()
    expect(await waiting.getByRole('row').count()).toBe(2)
  })
})
